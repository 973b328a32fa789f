import { isUtf8 } from "node:buffer";
import type { RefusalReason } from "./refusals";

/** More than any event needs, and less than what exhausts the stack. */
export const MAX_DEPTH = 32;

export type Unparsed = "too-deep" | "forbidden-key";

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly unparsed: Unparsed | null;
    }
  | { readonly ok: false; readonly reason: RefusalReason };

/** Keeps dangerous JSON as text, because the service would redeliver a refused event without end. */
export function parseJson(raw: Buffer): ParsedJson {
  if (raw.length === 0) {
    return { ok: false, reason: "empty" };
  }
  if (!isUtf8(raw)) {
    return { ok: false, reason: "not-utf8" };
  }
  const text = raw.toString("utf8", hasMark(raw) ? 3 : 0);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "not-json" };
  }
  const unparsed = structureFault(value);
  return { ok: true, value: unparsed === null ? value : text, unparsed };
}

const hasMark = (raw: Buffer): boolean => raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf;

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Works level by level, because recursion could exhaust the stack. */
function structureFault(root: unknown): Unparsed | null {
  let level: object[] = isContainer(root) ? [root] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      return "too-deep";
    }
    const next: object[] = [];
    for (const container of level) {
      if (!Array.isArray(container) && hasForbiddenKey(container)) {
        return "forbidden-key";
      }
      for (const child of Array.isArray(container) ? container : Object.values(container)) {
        if (isContainer(child)) {
          next.push(child);
        }
      }
    }
    level = next;
  }
  return null;
}

function hasForbiddenKey(value: object): boolean {
  if (Object.hasOwn(value, "__proto__")) {
    return true;
  }
  if (!Object.hasOwn(value, "constructor")) {
    return false;
  }
  const maker: unknown = value.constructor;
  return isContainer(maker) && Object.hasOwn(maker, "prototype");
}
