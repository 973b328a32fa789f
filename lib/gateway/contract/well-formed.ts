import { countCharacters } from "../../shared/characters";
import { formatCodePoint } from "../../shared/latin1";
import { FieldError } from "../../shared/messaging-error";
import { say } from "../../texts/say";

/** An unpaired surrogate, which UTF-8 cannot encode. */
const LONE = /\p{Surrogate}/u;

/** Completes the sentence "<field> …" and counts characters from 1. */
export function findHalfCharacter(text: string): string | null {
  const index = text.search(LONE);
  if (index < 0) {
    return null;
  }
  const position = countCharacters(text.slice(0, index)) + 1;
  return say("fields.half-character", { code: formatCodePoint(text.charCodeAt(index)), position });
}

/** Characters of the longest id. PostgreSQL takes 2,704 bytes into an index. */
const MAX_ID_LENGTH = 500;

/** Completes the sentence "<field> …", or null for an id that every message store can keep. */
export function findIdProblem(id: string): string | null {
  if (id.length > MAX_ID_LENGTH) {
    return say("fields.too-long", { max: MAX_ID_LENGTH, count: id.length });
  }
  return id.includes("\0") ? say("fields.null-character") : findHalfCharacter(id);
}

function requireText(text: string, path: string): void {
  const problem = findHalfCharacter(text);
  if (problem !== null) {
    throw new FieldError("FIELD_INVALID", path, problem);
  }
}

/** @throws FieldError FIELD_INVALID with the path of the text or key */
export function requireWellFormed(value: unknown, path = ""): void {
  if (typeof value === "string") {
    requireText(value, path);
  } else if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) {
      requireWellFormed(entry, `${path}[${at}]`);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, entry] of Object.entries(value)) {
      const inner = path === "" ? name : `${path}.${name}`;
      requireText(name, inner);
      requireWellFormed(entry, inner);
    }
  }
}
