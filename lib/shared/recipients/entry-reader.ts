/** Maximum entries of a list. A longer list is a mistake, and reading it would take gigabytes. */
export const MOST_ENTRIES = 5_000_000;

/** Returned after the last entry. */
export const END = Symbol("end");
/** Returned for a list that is too long. */
export const OVERLONG = Symbol("overlong list");
/** Returned for an entry whose getter throws. */
export const UNREADABLE = Symbol("unreadable entry");

/** Characters looked at in one go; where they hold no separator, an empty text is handed out meanwhile. */
const WINDOW = 16_384;

/**
 * Hands out the entries of a value one by one, texts already cut at their separators. Every step is short for any value, so
 * that the caller can yield between steps. (A generator takes twice the time.)
 */
export class EntryReader {
  readonly #list: readonly unknown[];
  readonly #length: number;
  readonly #isList: boolean;
  #index = 0;
  /** The text being cut, its piece being looked for, and how far the look went. */
  #text = "";
  #pieceStart = 0;
  #at = 0;

  constructor(value: unknown) {
    const length = lengthOfList(value);
    this.#isList = length !== null;
    if (length === null) {
      this.#list = value === undefined || value === null ? [] : [value];
      this.#length = this.#list.length;
    } else {
      this.#list = length > MOST_ENTRIES ? [OVERLONG] : (value as readonly unknown[]);
      this.#length = length > MOST_ENTRIES ? 1 : length;
    }
  }

  /** Where in the list the latest entry stood, from 1; undefined where there is no list. */
  get position(): number | undefined {
    return this.#isList ? this.#index : undefined;
  }

  next(): unknown {
    if (this.#at < this.#text.length) {
      return this.#nextPiece();
    }
    if (this.#index >= this.#length) {
      return END;
    }
    const entry = readEntry(this.#list, this.#index++);
    if (typeof entry !== "string") {
      return entry;
    }
    if (entry.length < WINDOW && findSeparator(entry, 0, entry.length) === -1) {
      return entry;
    }
    this.#text = entry;
    this.#pieceStart = 0;
    this.#at = 0;
    return "";
  }

  #nextPiece(): string {
    const text = this.#text;
    if (this.#at === this.#pieceStart) {
      // Blanks in front are dropped here, so that any number of them can stand before a number.
      const limit = Math.min(this.#at + WINDOW, text.length);
      this.#at = this.#pieceStart = skipBlanks(text, this.#at, limit);
      if (this.#at === limit) {
        return "";
      }
    }
    const start = this.#pieceStart;
    const end = Math.min(this.#at + WINDOW, text.length);
    const separator = findSeparator(text, this.#at, end);
    if (separator === -1 && end < text.length) {
      this.#at = end;
      return "";
    }
    const stop = separator === -1 ? end : separator;
    this.#at = this.#pieceStart = stop + 1;
    return text.slice(start, stop);
  }
}

/** The entries of a typed text that are not blank, cut where the parser of recipients cuts them. */
export function recipientEntries(text: string): string[] {
  const entries: string[] = [];
  const reader = new EntryReader(text);
  for (let entry = reader.next(); entry !== END; entry = reader.next()) {
    if (typeof entry === "string" && entry.trim() !== "") {
      entries.push(entry);
    }
  }
  return entries;
}

/** The index of the first comma, semicolon or line break (of any kind), or -1. */
function findSeparator(text: string, from: number, to: number): number {
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    if (
      code === 0x2c ||
      code === 0x3b ||
      code === 0x0a ||
      code === 0x0d ||
      code === 0x85 ||
      code === 0x2028 ||
      code === 0x2029
    ) {
      return index;
    }
  }
  return -1;
}

function skipBlanks(text: string, from: number, to: number): number {
  let index = from;
  while (index < to && text.charCodeAt(index) === 0x20) {
    index++;
  }
  return index;
}

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
