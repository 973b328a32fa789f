/** Uses numbering plans only with a default country or a national zero. */
import type { CountryCode } from "libphonenumber-js/max";
import { MAX_ENTRIES, TOO_LONG_LIST, readEntries } from "./entry-reader";
import { LIMITS } from "../fields/limits";
import { codeBeforeZero, isValidInternational, readNational, withoutTrunkZero } from "./national-number";
import { toPerson } from "./person";
import type { RecipientText } from "./recipient-text";
import {
  checkDefaultCountry,
  findDigitsFault,
  MAX_USUAL,
  readSpelling,
  MIN_USUAL,
  type Spelling,
  TOO_LONG,
} from "./phone-number";
import {
  DIGITS_LOST,
  LEADING_ZERO_OPEN,
  NOT_WHOLE,
  type RecipientFault,
  type RejectedRecipient,
  rejectOther,
  shorten,
  TOO_MANY,
} from "./rejected-recipient";

type ReadSpelling = Extract<Spelling, { readonly tail: string }>;

export interface RecipientOptions {
  /** ISO 3166. Blank: numbers without `+` or `00` are international. */
  readonly defaultCountry?: string | undefined;
}

export interface ParsedRecipients {
  /** Digits without plus, in order, without duplicates. */
  readonly accepted: string[];
  readonly rejected: RejectedRecipient[];
  readonly duplicates: number;
  readonly warnings: RecipientText[];
  /** True for nothing, blanks or an empty list. */
  readonly empty: boolean;
}

const MAX_DIALLED = LIMITS.msisdnDigitsMax + 5;
/** A longer ending is a group of the number, unless the number is complete without it. */
const MAX_TAIL = 2;
/** Spreadsheets write 41791234567 as 4.17912E+10, and csv nodes read that as 41791200000. */
const MIN_ROUNDED = 10_000_000;
const ROUNDED_TO = 10_000;
const UNKNOWN_COUNTRY: RecipientText = { key: "unknown-country" };

export class RecipientParser {
  readonly #country: CountryCode | null;
  /** Shared by all numbers that need the wrong default country. */
  readonly #unknownCountry: RecipientText;
  readonly #invalidForCountry: RecipientText;
  readonly #seen = new Set<string>();
  readonly #openIsInternational: boolean;
  readonly #accepted: string[] = [];
  readonly #rejected: RejectedRecipient[] = [];
  #entries = 0;
  #position: number | null = null;
  #duplicates = 0;
  #short = 0;
  #shortExample = "";
  #rounded = 0;
  #roundedExample = "";
  #long = 0;
  #longExample = "";

  constructor(options: RecipientOptions = {}) {
    const checked = checkDefaultCountry(options.defaultCountry);
    this.#country = checked.ok ? (checked.country as CountryCode | null) : null;
    this.#unknownCountry = checked.ok ? UNKNOWN_COUNTRY : { ...UNKNOWN_COUNTRY, next: checked.explanation };
    this.#invalidForCountry = { key: "invalid-for-country", values: { country: this.#country ?? "" } };
    this.#openIsInternational = checked.ok && checked.country === null;
  }

  get accepting(): boolean {
    return this.#entries <= MAX_ENTRIES;
  }

  get duplicates(): number {
    return this.#duplicates;
  }

  /** Ignores blank text. `position` counts from 1 and only serves error texts. */
  add(entry: unknown, position?: number): void {
    this.#position = position ?? null;
    if (typeof entry === "string") {
      this.#addText(entry);
    } else if (typeof entry === "number" || typeof entry === "bigint") {
      this.#addNumber(entry);
    } else if (entry === TOO_LONG_LIST) {
      this.#entries = MAX_ENTRIES + 1;
    } else {
      this.#entries++;
      this.#rejected.push(rejectOther(entry, this.#position, this.#row));
    }
  }

  result(): ParsedRecipients {
    if (!this.accepting) {
      return { accepted: [], rejected: [TOO_MANY], duplicates: 0, warnings: [], empty: false };
    }
    const warnings: RecipientText[] = [];
    if (this.#short > 0) {
      warnings.push(unusual(this.#short, "short", this.#shortExample));
    }
    if (this.#long > 0) {
      warnings.push(unusual(this.#long, "long", this.#longExample));
    }
    if (this.#rounded > 0) {
      const values = { count: this.#rounded, example: this.#roundedExample };
      warnings.push({ key: `rounded.${this.#rounded === 1 ? "one" : "many"}`, values });
    }
    return {
      accepted: this.#accepted,
      rejected: this.#rejected,
      duplicates: this.#duplicates,
      warnings,
      empty: this.#entries === 0,
    };
  }

  get #row(): number {
    return this.#position ?? this.#entries;
  }

  #addNumber(entry: number | bigint): void {
    if (typeof entry === "bigint" && (entry > Number.MAX_SAFE_INTEGER || entry < 0)) {
      // A huge `bigint` takes seconds to format.
      this.#reject("bigint", entry < 0 ? "not-a-number" : "too-long", entry < 0 ? NOT_WHOLE : TOO_LONG);
    } else if (entry < 0 || !Number.isInteger(Number(entry))) {
      this.#reject(String(entry), "not-a-number", NOT_WHOLE);
    } else if (entry > Number.MAX_SAFE_INTEGER) {
      this.#reject(String(entry), "digits-lost", DIGITS_LOST);
    } else {
      if (Number(entry) >= MIN_ROUNDED && Number(entry) % ROUNDED_TO === 0) {
        this.#rounded++;
        this.#roundedExample ||= String(entry);
      }
      this.#addText(String(entry));
    }
  }

  #addText(text: string): void {
    const spelling = readSpelling(text);
    if (spelling.form === "blank") {
      return;
    }
    if (spelling.form === "fault") {
      this.#reject(text, spelling.reason, spelling.explanation);
    } else if (this.#hasTwo(spelling)) {
      const { digits, tail } = spelling;
      this.#reject(text, "ambiguous", {
        key: "ambiguous.two-numbers",
        values: { before: digits.slice(0, -tail.length), tail },
      });
    } else if (spelling.form === "international" || this.#openIsInternational) {
      const fault = findDigitsFault(spelling.digits);
      if (fault === null) {
        this.#addInternational(spelling.digits, text);
      } else if (fault.reason === "leading-zero" && spelling.form === "open") {
        this.#reject(text, fault.reason, LEADING_ZERO_OPEN);
      } else {
        this.#reject(text, fault.reason, fault.explanation);
      }
    } else if (this.#country !== null) {
      this.#addOpen(spelling.digits, text, this.#country);
    } else {
      this.#reject(text, "unknown-country", this.#unknownCountry);
    }
  }

  /** Whether a complete number is followed by another ending or an extension, as in `0171 1234567/8`. */
  #hasTwo({ form, digits, tail }: ReadSpelling): boolean {
    if (tail === "") {
      return false;
    }
    const isNumber = (each: string): boolean =>
      (form === "open" && this.#country !== null && readNational(each, this.#country) !== null) ||
      isValidInternational(withoutTrunkZero(each) ?? "");
    return isNumber(digits.slice(0, -tail.length)) && (tail.length <= MAX_TAIL || !isNumber(digits));
  }

  #addInternational(digits: string, text: string): void {
    const reading = withoutTrunkZero(digits);
    if (reading === null) {
      const code = codeBeforeZero(digits) ?? "";
      this.#reject(text, "trunk-zero", { key: "trunk-zero", values: { code } });
    } else {
      this.#accept(reading);
    }
  }

  #addOpen(digits: string, text: string, country: CountryCode): void {
    const national = readNational(digits, country);
    const international = isValidInternational(digits) ? digits : null;
    if (national !== null && international !== null && national !== international) {
      this.#reject(text, "ambiguous", {
        key: "ambiguous.two-readings",
        values: { national, country, international },
      });
      return;
    }
    const reading = national ?? international;
    if (reading === null && digits.length > MAX_DIALLED) {
      this.#reject(text, "too-long", TOO_LONG);
    } else if (reading === null) {
      this.#reject(text, "invalid-for-country", this.#invalidForCountry);
    } else {
      this.#accept(reading);
    }
  }

  #accept(digits: string): void {
    this.#entries++;
    const person = toPerson(digits);
    if (this.#seen.has(person)) {
      this.#duplicates++;
      return;
    }
    this.#seen.add(person);
    this.#accepted.push(digits);
    if (digits.length < MIN_USUAL) {
      this.#short++;
      this.#shortExample ||= digits;
    } else if (digits.length > MAX_USUAL) {
      this.#long++;
      this.#longExample ||= digits;
    }
  }

  #reject(value: string, reason: RecipientFault, explanation: RecipientText): void {
    this.#entries++;
    this.#rejected.push({ value: shorten(value), position: null, row: this.#row, reason, explanation });
  }
}

export function parseRecipients(value: unknown, options: RecipientOptions = {}): ParsedRecipients {
  const parser = new RecipientParser(options);
  for (const entry of readEntries(value)) {
    if (!parser.accepting) {
      break;
    }
    parser.add(entry.value, entry.position);
  }
  return parser.result();
}

function unusual(count: number, size: "short" | "long", example: string): RecipientText {
  const limit = size === "short" ? MIN_USUAL : MAX_USUAL;
  return { key: `unusual.${size}.${count === 1 ? "one" : "many"}`, values: { count, limit, example } };
}
