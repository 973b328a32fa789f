import { type CsvForm, type CsvRequest, wordKey } from "../../../shared/csv";
import { spacedNumber } from "../../../shared/recipients/spaced-number";
import { offsetAt } from "../../../shared/schedule/zoned-time";
import { inLanguage } from "../../../texts/say";

/** Makes spreadsheets read the file as UTF-8. Programs take it for a part of the first title. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Where a spreadsheet could take what follows for a formula: at the beginning of the text, and where a reader that splits at semicolons or
 * tabs begins a cell or a line within it, for to that reader quotes within a cell mean nothing.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[ \u00a0"']*[=+\-@＝＋－＠])/gu;

const MONTHS =
  "jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz?|mrz|apr(?:il)?|ma[iy]|jun[ei]?|jul[iy]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?";
/** Texts that a spreadsheet would change: numbers, which lose zeros and digits, dates, times and truth values. */
const MISTAKEN = [
  /^(?=.*\d)[\d \u00a0.,'’/:()%€$-]*(?:e[+-]?\d+)?(?: ?[ap]m?)?$/i,
  new RegExp(String.raw`^(?=.*\d)(?:\d{1,4}[ ./-]*)?(?:${MONTHS})\.?(?:[ .,/-]*\d{1,4}){0,2}$`, "i"),
  /^(?:true|false|wahr|falsch)$/i,
];
/** Characters of the longest text that is compared with them: a longer one stays a text in every spreadsheet. */
const LONGEST_MISTAKEN = 255;

const isMistaken = (text: string): boolean =>
  text.length <= LONGEST_MISTAKEN && MISTAKEN.some((each) => each.test(text));

interface FormFacts {
  readonly separator: string;
  readonly decimal: string;
  /** A date of the form yyyy-mm-dd as the spreadsheet reads it; null where times are ISO 8601 in UTC. */
  readonly date: ((date: string) => string) | null;
}

const FORMS: Readonly<Record<CsvForm, FormFacts>> = {
  semicolon: {
    separator: ";",
    decimal: ",",
    date: (date) => `${date.slice(8)}.${date.slice(5, 7)}.${date.slice(0, 4)}`,
  },
  comma: { separator: ",", decimal: ".", date: (date) => date },
  programs: { separator: ",", decimal: ".", date: null },
};

/** Times between which the offset of a zone does not change. */
const QUARTER = 15 * 60_000;
const MOST_OFFSETS = 1_000;
/** Times in years of four digits, of which spreadsheets know dates. */
const [FIRST_TIME, LAST_TIME] = [0, Date.UTC(9999, 11, 31)];

/** A cell by RFC 4180. What any reader splits at stands in quotes, for spreadsheets may split at several characters. */
const quoted = (text: string): string =>
  /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Writes cells and lines of a table in one form. No cell is a formula that somebody else has written. */
export class CsvTable {
  readonly #facts: FormFacts;
  readonly #offsets = new Map<number, number>();

  constructor(readonly request: CsvRequest) {
    this.#facts = FORMS[request.form];
  }

  /** Whether a person reads it, in place of a program. */
  get isForPeople(): boolean {
    return this.#facts.date !== null;
  }

  /** In front of what a spreadsheet would calculate stands an apostrophe; what it would change is a text to it. */
  text(value: string | null): string {
    if (value === null) {
      return "";
    }
    const text = value.replace(FORMULA, "'");
    return this.isForPeople && text === value && isMistaken(text) ? quoted(`="${text}"`) : quoted(text);
  }

  count(value: number | null): string {
    return value === null ? "" : quoted(String(value).replace(".", this.#facts.decimal));
  }

  /** @param number with a plus, which is no formula; anything else is written as a text */
  phone(number: string): string {
    if (!/^\+\d+$/.test(number)) {
      return this.text(number);
    }
    return this.isForPeople ? spacedNumber(number.slice(1)) : number;
  }

  /** @param at ISO 8601 in UTC */
  time(at: string | null): string {
    const time = at === null ? Number.NaN : Date.parse(at);
    const { date } = this.#facts;
    if (at === null || date === null || !(time >= FIRST_TIME && time < LAST_TIME)) {
      return at ?? "";
    }
    const local = new Date(time + this.#offset(time)).toISOString();
    return `${date(local.slice(0, 10))} ${local.slice(11, 19)}`;
  }

  /** A value of a list that the code knows. */
  word(column: string, value: string | boolean | null): string {
    if (value === null) {
      return "";
    }
    return this.text(this.wordOf(column, value) ?? String(value));
  }

  /** The word that people have for a value; null where there is none. */
  wordOf(column: string, value: string | boolean): string | null {
    const { words } = this.request;
    const key = wordKey(column, value);
    return this.isForPeople && Object.hasOwn(words, key) ? (words[key] ?? null) : null;
  }

  line(cells: readonly string[]): string {
    return `${cells.join(this.#facts.separator)}\r\n`;
  }

  /** @param columns names of the columns, in their order */
  head(columns: readonly string[]): string {
    return this.isForPeople
      ? BYTE_ORDER_MARK + this.line(this.request.header.map((title) => this.text(title)))
      : this.line(columns);
  }

  /** To ask for it takes longer than to write the rest of a line. */
  #offset(at: number): number {
    const quarter = Math.floor(at / QUARTER);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = offsetAt(at, this.request.zone);
      if (this.#offsets.size >= MOST_OFFSETS) {
        this.#offsets.clear();
      }
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }
}

/** Lines that are written at once: a few ms. */
const SLICE = 100;

/**
 * A list as CSV, a page at a time. Everything else goes on between two slices of a page.
 * @param columns names of the columns
 * @param rows what a page has a line for each of
 * @param cells of a row, in the order of the columns
 */
export async function* csvFile<Page, Row>(
  table: CsvTable,
  columns: readonly string[],
  pages: AsyncIterable<Page>,
  rows: (page: Page) => readonly Row[],
  cells: (row: Row, page: Page) => readonly string[],
): AsyncGenerator<string, void, undefined> {
  const { language } = table.request;
  yield table.head(columns);
  for await (const page of pages) {
    const all = rows(page);
    const write = (begin: number): string =>
      all
        .slice(begin, begin + SLICE)
        .map((row) => table.line(cells(row, page)))
        .join("");
    let text = "";
    for (let begin = 0; begin < all.length; begin += SLICE) {
      text += inLanguage(language, () => write(begin));
      await new Promise((resolve) => setImmediate(resolve));
    }
    yield text;
  }
}
