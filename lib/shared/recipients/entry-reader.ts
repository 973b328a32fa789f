/** A longer list is a mistake and would take gigabytes. */
export const MAX_ENTRIES = 5_000_000;

export const TOO_LONG_LIST = Symbol("overlong list");

const PIECE = /[^,;\n\r\u0085\u2028\u2029]+/g;

export interface Entry {
  readonly value: unknown;
  /** From 1, only for lists. */
  readonly position: number | undefined;
}

export function* readEntries(value: unknown): Generator<Entry, void> {
  if (!Array.isArray(value)) {
    if (value !== undefined && value !== null) {
      yield* readPieces(value, undefined);
    }
  } else if (value.length > MAX_ENTRIES) {
    yield { value: TOO_LONG_LIST, position: 1 };
  } else {
    for (let index = 0; index < value.length; index++) {
      yield* readPieces(value[index], index + 1);
    }
  }
}

function* readPieces(value: unknown, position: number | undefined): Generator<Entry, void> {
  if (typeof value === "string") {
    for (const [piece] of value.matchAll(PIECE)) {
      yield { value: piece, position };
    }
  } else {
    yield { value, position };
  }
}

/** Splits a typed text as the parser of recipients does. */
export const recipientEntries = (text: string): string[] =>
  (text.match(PIECE) ?? []).filter((entry) => entry.trim() !== "");
