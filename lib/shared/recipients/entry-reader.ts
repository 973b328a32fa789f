/** Maximum entries of a list. A longer list is a mistake, and reading it would take gigabytes. */
export const MOST_ENTRIES = 5_000_000;

/** Stands for a list that is too long. */
export const OVERLONG = Symbol("overlong list");
/** Stands for an entry whose getter throws. */
export const UNREADABLE = Symbol("unreadable entry");

/** A run of characters between commas, semicolons and line breaks of any kind. */
const PIECE = /[^,;\n\r\u0085\u2028\u2029]+/g;

export interface Entry {
  readonly value: unknown;
  /** Index in the list, from 1; undefined where there is no list. */
  readonly position: number | undefined;
}

/** Yields the entries of a value, texts cut at their separators. */
export function* readEntries(value: unknown): Generator<Entry, void> {
  const length = lengthOfList(value);
  if (length === null) {
    if (value !== undefined && value !== null) {
      yield* readPieces(value, undefined);
    }
  } else if (length > MOST_ENTRIES) {
    yield { value: OVERLONG, position: 1 };
  } else {
    for (let index = 0; index < length; index++) {
      yield* readPieces(readEntry(value as readonly unknown[], index), index + 1);
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

/** The entries of a typed text that are not blank, cut where the parser of recipients cuts them. */
export const recipientEntries = (text: string): string[] =>
  (text.match(PIECE) ?? []).filter((entry) => entry.trim() !== "");

/** The length of a list; null for any other value. Even these checks throw for a revoked proxy. */
export function lengthOfList(value: unknown): number | null {
  try {
    if (!Array.isArray(value)) {
      return null;
    }
    const length: unknown = value.length;
    return typeof length === "number" && length >= 0 ? length : null;
  } catch {
    return null;
  }
}

function readEntry(list: readonly unknown[], index: number): unknown {
  try {
    return list[index];
  } catch {
    return UNREADABLE;
  }
}
