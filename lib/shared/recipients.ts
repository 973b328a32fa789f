/**
 * Whom a message goes to: from whatever a flow holds to a list of digits.
 *
 * A good number costs one string and nothing else, and the work can be cut into slices, because lists of a million
 * are real and a Node-RED runtime has one thread. Numbering plans are asked only about numbers written without `+`
 * or `00` where a default country is set. No data, however odd, makes anything here throw.
 */
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { LIMITS } from "./limits";
import {
  checkDefaultCountry,
  findDigitsFault,
  INTERNATIONAL_DIGITS,
  LONGEST_USUAL,
  readSpelling,
  SHORTEST_USUAL,
  TOO_LONG,
  type SpellingFault,
} from "./phone-number";

export type RecipientFault =
  | SpellingFault
  /** The digits form no number of the default country and no international one. */
  | "invalid-for-country"
  /** The default country itself is wrong, so nothing can be said about a number without `+`. */
  | "unknown-country"
  /** A JavaScript number too large to keep its last digits. */
  | "digits-lost"
  /** Neither text nor number: an object, a list in the list, true, … */
  | "wrong-type"
  /** An entry of the list is undefined, null or a hole. */
  | "missing"
  /** The list is beyond all measure and was not taken at all. */
  | "too-many";

export interface RejectedRecipient {
  /** The entry as it came, shortened where it is long; for what is neither text nor number, its kind. */
  readonly value: string;
  readonly reason: RecipientFault;
  /** In plain words, with what to do about it. */
  readonly explanation: string;
}

export interface RecipientOptions {
  /** ISO 3166 alpha-2; blank or absent: a number without `+` or `00` is international. */
  readonly defaultCountry?: string | undefined;
}

export interface ParsedRecipients {
  /** Digits without a plus, each number once, in the order of first appearance. */
  readonly accepted: string[];
  readonly rejected: RejectedRecipient[];
  /** How many entries repeated a number that was accepted before. */
  readonly duplicates: number;
  /** What looks odd but is sent all the same; a few sentences at most, however long the list. */
  readonly warnings: string[];
  /** True when no recipient was given at all: nothing, blanks, or a list without entries. */
  readonly empty: boolean;
}

/** Entries one list may have. Beyond it the list is a mistake, and taking it would cost gigabytes. */
export const MOST_ENTRIES = 5_000_000;

const LONGEST_SHOWN = 64;
/** More digits than a number has with every prefix a country puts in front. */
const LONGEST_DIALLED = LIMITS.msisdnDigitsMax + 5;
const PLUS = 0x2b;

/** Takes entries one by one; the two functions below feed it. */
export class RecipientParser {
  readonly #country: CountryCode | null;
  readonly #countryFault: string | null;
  readonly #seen = new IntegerSet();
  readonly #openIsInternational: boolean;
  #accepted: string[] = [];
  #rejected: RejectedRecipient[] = [];
  #entries = 0;
  #duplicates = 0;
  #short = 0;
  #shortExample = "";
  #long = 0;
  #longExample = "";

  constructor(options: RecipientOptions = {}) {
    const checked = checkDefaultCountry(options.defaultCountry);
    this.#country = checked.ok ? (checked.country as CountryCode | null) : null;
    this.#countryFault = checked.ok ? null : checked.explanation;
    this.#openIsInternational = checked.ok && checked.country === null;
  }

  /** False once the list is too long to go on. */
  get accepting(): boolean {
    return this.#entries <= MOST_ENTRIES;
  }

  /** How many entries so far repeated a number. */
  get duplicates(): number {
    return this.#duplicates;
  }

  /**
   * Adds one entry. Blank text counts for nothing; text is one number here, already separated. `position`, counted
   * from 1, is only for telling the user which entry of a list it was.
   */
  add(entry: unknown, position?: number): void {
    if (typeof entry === "string") {
      this.#addText(entry);
    } else if (typeof entry === "number" || typeof entry === "bigint") {
      this.#addNumber(entry);
    } else if (entry === OVERLONG) {
      this.#entries = MOST_ENTRIES;
      this.#count();
    } else if (this.#count()) {
      this.#rejected.push(rejectOther(entry, position));
    }
  }

  /** What has come together so far. The lists are handed over, not copied: call it once, at the end. */
  result(): ParsedRecipients {
    if (!this.accepting) {
      return { accepted: [], rejected: [TOO_MANY], duplicates: 0, warnings: [], empty: false };
    }
    const warnings: string[] = [];
    if (this.#short > 0) {
      warnings.push(unusual(this.#short, "short", this.#shortExample));
    }
    if (this.#long > 0) {
      warnings.push(unusual(this.#long, "long", this.#longExample));
    }
    return {
      accepted: this.#accepted,
      rejected: this.#rejected,
      duplicates: this.#duplicates,
      warnings,
      empty: this.#entries === 0,
    };
  }

  #count(): boolean {
    this.#entries++;
    if (this.accepting) {
      return true;
    }
    this.#seen.clear();
    this.#accepted = [];
    this.#rejected = [];
    return false;
  }

  #addNumber(entry: number | bigint): void {
    if (typeof entry === "bigint" && (entry > Number.MAX_SAFE_INTEGER || entry < 0)) {
      // Never written out: with enough digits that would take seconds.
      this.#reject("bigint", entry < 0 ? "not-a-number" : "too-long", entry < 0 ? NOT_WHOLE : TOO_LONG);
    } else if (entry < 0 || !Number.isInteger(Number(entry))) {
      this.#reject(String(entry), "not-a-number", NOT_WHOLE);
    } else if (entry > Number.MAX_SAFE_INTEGER) {
      this.#reject(String(entry), "digits-lost", DIGITS_LOST);
    } else {
      this.#addText(String(entry));
    }
  }

  #addText(text: string): void {
    const plus = text.charCodeAt(0) === PLUS;
    if (plus || this.#openIsInternational) {
      const value = plainValue(text, plus ? 1 : 0);
      if (value !== 0) {
        this.#accept(plus ? text.slice(1) : text, value);
        return;
      }
    }
    const spelling = readSpelling(text);
    if (spelling.kind === "blank") {
      return;
    }
    if (spelling.kind === "fault") {
      this.#reject(text, spelling.reason, spelling.explanation);
    } else if (spelling.kind === "international" || this.#openIsInternational) {
      const fault = findDigitsFault(spelling.digits);
      if (fault === null) {
        this.#accept(spelling.digits, Number(spelling.digits));
      } else if (fault.reason === "leading-zero" && spelling.kind === "open") {
        this.#reject(text, fault.reason, LEADING_ZERO_OPEN);
      } else {
        this.#reject(text, fault.reason, fault.explanation);
      }
    } else if (this.#country !== null) {
      this.#addOpen(spelling.digits, text, this.#country);
    } else {
      this.#reject(
        text,
        "unknown-country",
        `A number without + can only be read with a valid default country. ${this.#countryFault}`,
      );
    }
  }

  #addOpen(digits: string, text: string, country: CountryCode): void {
    const national = readNational(digits, country);
    const international = isValidInternational(digits) ? digits : null;
    if (national !== null && international !== null && national !== international) {
      this.#reject(
        text,
        "ambiguous",
        `This can be +${national} (a number of ${country}) or +${international} (with its country code). ` +
          "Write the one you mean with its plus sign.",
      );
      return;
    }
    const reading = national ?? international;
    if (reading === null && digits.length > LONGEST_DIALLED) {
      this.#reject(text, "too-long", TOO_LONG);
    } else if (reading === null) {
      this.#reject(
        text,
        "invalid-for-country",
        `This is neither a valid number of ${country}, the default country, nor a valid international one. ` +
          "Correct it, or write it with + and its country code.",
      );
    } else {
      this.#accept(reading, Number(reading));
    }
  }

  #accept(digits: string, value: number): void {
    if (!this.#count()) {
      return;
    }
    if (!this.#seen.add(value)) {
      this.#duplicates++;
      return;
    }
    this.#accepted.push(digits);
    if (digits.length < SHORTEST_USUAL) {
      this.#short++;
      this.#shortExample ||= digits;
    } else if (digits.length > LONGEST_USUAL) {
      this.#long++;
      this.#longExample ||= digits;
    }
  }

  #reject(value: string, reason: RecipientFault, explanation: string): void {
    if (this.#count()) {
      this.#rejected.push({ value: shorten(value), reason, explanation });
    }
  }
}

/** Reads the recipients of a message in one go. For lists that may be long, see {@link parseRecipientsInSlices}. */
export function parseRecipients(value: unknown, options: RecipientOptions = {}): ParsedRecipients {
  const parser = new RecipientParser(options);
  const entries = new EntryReader(value);
  for (let entry = entries.next(); entry !== END && parser.accepting; entry = entries.next()) {
    parser.add(entry, entries.position);
  }
  return parser.result();
}

export interface SliceOptions extends RecipientOptions {
  /** How long to work before yielding. */
  readonly sliceMilliseconds?: number | undefined;
}

/**
 * The same as {@link parseRecipients}, but hands the thread back every few milliseconds. `yieldNow` must settle in a
 * later turn of the event loop (in Node.js, a promise of `setImmediate`); where it rejects, the reading ends with that.
 * A list must not be changed before the promise settles.
 */
export async function parseRecipientsInSlices(
  value: unknown,
  options: SliceOptions,
  yieldNow: () => PromiseLike<unknown>,
): Promise<ParsedRecipients> {
  const parser = new RecipientParser(options);
  const entries = new EntryReader(value);
  const slice = options.sliceMilliseconds ?? 8;
  let start = performance.now();
  while (addSome(entries, parser)) {
    if (performance.now() - start >= slice) {
      await yieldNow();
      start = performance.now();
    }
  }
  return parser.result();
}

/** Few enough that even numbers which need a numbering plan stay within a millisecond or two. */
const ENTRIES_PER_CLOCK = 32;

/** False when the list is at its end. */
function addSome(entries: EntryReader, parser: RecipientParser): boolean {
  for (let count = 0; count < ENTRIES_PER_CLOCK; count++) {
    const entry = entries.next();
    if (entry === END || !parser.accepting) {
      return false;
    }
    parser.add(entry, entries.position);
  }
  return true;
}

/** Cuts a list into batches of at most `size`, in order. */
export function splitBatches<T>(recipients: readonly T[], size: number): T[][] {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new RangeError(`A batch must have a size of at least 1, not ${size}.`);
  }
  const batches: T[][] = [];
  for (let from = 0; from < recipients.length; from += size) {
    batches.push(recipients.slice(from, from + size));
  }
  return batches;
}

/** Comes after the last entry. */
const END = Symbol("end");
/** Stands for a list that is not worth starting. */
const OVERLONG = Symbol("overlong list");
/** Stands for an entry whose getter throws. */
const UNREADABLE = Symbol("unreadable entry");

/** Characters looked at in one go; where they hold no separator, an empty text is handed out meanwhile. */
const WINDOW = 16_384;

/**
 * Hands out the entries of a value one by one, texts already cut at their separators. No step takes long, whatever
 * the value is, so that the one who asks keeps control of the time. (A generator would do, at twice the time.)
 */
class EntryReader {
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

/**
 * The value of a number that is nothing but international digits, behind a plus or not, or 0 for any other text.
 * Fifteen digits fit exactly into a JavaScript number.
 */
function plainValue(text: string, start: number): number {
  const count = text.length - start;
  if (count < LIMITS.msisdnDigitsMin || count > LIMITS.msisdnDigitsMax || text.charCodeAt(start) === 0x30) {
    return 0;
  }
  let value = 0;
  for (let index = start; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) {
      return 0;
    }
    value = value * 10 + digit;
  }
  return value;
}

const SHARDS = 256;
const NO_SIZES = new Uint32Array(0);

/**
 * A set of positive integers. A `Set` of a million strings takes more than twice the time and five times the memory,
 * and stops the thread for long when it grows; this one grows in 256 small steps.
 */
class IntegerSet {
  /** Most messages go to one number: the tables are made for the second. 0 while there is none. */
  #first = 0;
  #tables: (Float64Array | undefined)[] | null = null;
  #sizes = NO_SIZES;

  /** False where the value was there already. */
  add(value: number): boolean {
    if (this.#first === 0) {
      this.#first = value;
      return true;
    }
    if (this.#tables === null) {
      if (value === this.#first) {
        return false;
      }
      this.#tables = new Array(SHARDS);
      this.#sizes = new Uint32Array(SHARDS);
      this.#insert(this.#tables, this.#first);
    }
    return this.#insert(this.#tables, value);
  }

  #insert(tables: (Float64Array | undefined)[], value: number): boolean {
    const hash = hashOf(value);
    const shard = hash & (SHARDS - 1);
    let table = tables[shard];
    const size = this.#sizes[shard] as number;
    if (table === undefined) {
      table = tables[shard] = new Float64Array(8);
    } else if (size * 2 >= table.length) {
      const larger = new Float64Array(table.length * 2);
      for (const known of table) {
        if (known !== 0) {
          larger[slotOf(larger, known, hashOf(known))] = known;
        }
      }
      table = tables[shard] = larger;
    }
    const slot = slotOf(table, value, hash);
    if (table[slot] === value) {
      return false;
    }
    table[slot] = value;
    this.#sizes[shard] = size + 1;
    return true;
  }

  clear(): void {
    this.#first = 0;
    this.#tables = null;
    this.#sizes = NO_SIZES;
  }
}

/** The slot that holds the value, or the free one where it belongs; there is always one free. */
function slotOf(table: Float64Array, value: number, hash: number): number {
  const mask = table.length - 1;
  let slot = (hash >>> 8) & mask;
  while (table[slot] !== 0 && table[slot] !== value) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

function hashOf(value: number): number {
  const high = Math.floor(value / 0x1_0000_0000);
  const low = value - high * 0x1_0000_0000;
  let hash = Math.imul(low | 0, 0x9e3779b1) ^ Math.imul(high + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** The length of a list, or null for what is none. A revoked proxy makes even these questions throw. */
function lengthOfList(value: unknown): number | null {
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

/** The digits that a number of the country has internationally, or null where it is no valid number there. */
function readNational(digits: string, country: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
  // The calling code differs where the digits began with the country's own prefix for calls abroad.
  if (!parsed?.isValid() || parsed.countryCallingCode !== getCountryCallingCode(country)) {
    return null;
  }
  const international = parsed.number.slice(1);
  return INTERNATIONAL_DIGITS.test(international) ? international : null;
}

/** Whether the digits, exactly as they stand, are a valid number with its country code. */
function isValidInternational(digits: string): boolean {
  if (!INTERNATIONAL_DIGITS.test(digits)) {
    return false;
  }
  const parsed = parsePhoneNumberFromString(`+${digits}`, { extract: false });
  return parsed?.number === `+${digits}` && parsed.isValid();
}

const LEADING_ZERO_OPEN =
  "A number that starts with 0 is national, and no default country is set. Write it with + and its country code, or set a default country on the account.";
const NOT_WHOLE = "A number that stands for a phone is whole and not negative.";
const DIGITS_LOST =
  "JavaScript numbers of this size no longer hold all their digits. Pass the phone number as text.";
const TOO_MANY: RejectedRecipient = Object.freeze({
  value: "",
  reason: "too-many",
  explanation: `The list has more than ${MOST_ENTRIES} entries and none was taken. Split it into several messages.`,
});

/** Describes an entry that is neither text nor number without calling anything on it: it may be hostile. */
function rejectOther(entry: unknown, position: number | undefined): RejectedRecipient {
  const place = position === undefined ? "" : ` (entry ${position})`;
  if (entry === undefined || entry === null) {
    return {
      value: `${entry}${place}`,
      reason: "missing",
      explanation: "This entry of the list holds nothing. Leave it out or give it a phone number.",
    };
  }
  const kind = lengthOfList(entry) !== null ? "list" : entry === UNREADABLE ? "unreadable" : typeof entry;
  return {
    value: `${kind}${place}`,
    reason: "wrong-type",
    explanation:
      "A recipient is a text or a number, and recipients are a list of these or a text with separators.",
  };
}

function unusual(count: number, size: "short" | "long", example: string): string {
  const limit = size === "short" ? `fewer than ${SHORTEST_USUAL}` : `more than ${LONGEST_USUAL}`;
  return count === 1
    ? `One number is unusually ${size} (${limit} digits): ${example}.`
    : `${count} numbers are unusually ${size} (${limit} digits), the first is ${example}.`;
}

function shorten(text: string): string {
  const trimmed = text.slice(0, 4096).trim();
  if (trimmed.length <= LONGEST_SHOWN) {
    return trimmed;
  }
  // Never half a surrogate pair at the cut.
  const end = /[\ud800-\udbff]/.test(trimmed.charAt(LONGEST_SHOWN - 1)) ? LONGEST_SHOWN - 1 : LONGEST_SHOWN;
  return `${trimmed.slice(0, end)}…`;
}
