import { countCharacters } from "../../shared/characters";
import { formatCodePoint } from "../../shared/latin1";
import { FieldError } from "../../shared/messaging-error";
import { say } from "../../texts/say";

/** An unpaired surrogate: not a character, and not encodable in UTF-8. */
const LONE = /\p{Surrogate}/u;

/** Completes the sentence "<field> …", or null for a text that can travel. Positions are characters, from 1. */
export function findHalfCharacter(text: string): string | null {
  const index = text.search(LONE);
  if (index < 0) {
    return null;
  }
  const position = countCharacters(text.slice(0, index)) + 1;
  return say("fields.half-character", { code: formatCodePoint(text.charCodeAt(index)), position });
}

function requireText(text: string, path: string): void {
  const problem = findHalfCharacter(text);
  if (problem !== null) {
    throw new FieldError("FIELD_INVALID", path, problem);
  }
}

/** Checks each text and key. @param path what the value is called; "" for an operation @throws FieldError FIELD_INVALID naming the place */
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
