import { type CsvForm, type CsvRequest, wordKey } from "../../../shared/csv";
import { spacedNumber } from "../../../shared/recipients/spaced-number";
import { offsetAt } from "../../../shared/schedule/zoned-time";
import { inLanguage } from "../../../texts/say";

/** Makes spreadsheets read UTF-8. Programs take it for a part of the first title. */
const BYTE_ORDER_MARK = "\uFEFF";

/** Start of a formula: also after a separator, because readers that split at it ignore quotes within a cell. */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[ \u00a0"']*[=+\-@＝＋－＠])/gu;

const MONTHS =
  "jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch)?|märz?|mrz|apr(?:il)?|ma[iy]|jun[ei]?|jul[iy]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?";
/** Texts that a spreadsheet would change: numbers lose zeros and digits; dates, times, truth values. */
const MISTAKEN = [
  /^(?=.*\d)[\d \u00a0.,'’/:()%€$-]*(?:e[+-]?\d+)?(?: ?[ap]m?)?$/i,
  new RegExp(String.raw`^(?=.*\d)(?:\d{1,4}[ ./-]*)?(?:${MONTHS})\.?(?:[ .,/-]*\d{1,4}){0,2}$`, "i"),
  /^(?:true|false|wahr|falsch)$/i,
];
/** Spreadsheets keep longer texts unchanged. */
const LONGEST_MISTAKEN = 255;

const isMistaken = (text: string): boolean =>
  text.length <= LONGEST_MISTAKEN && MISTAKEN.some((each) => each.test(text));

interface FormFacts {
  readonly separator: string;
  readonly decimal: string;
  /** Converts yyyy-mm-dd for a spreadsheet; null for ISO 8601 in UTC. */
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

/** The offset of a zone does not change within this time. */
const QUARTER = 15 * 60_000;
const MOST_OFFSETS = 1_000;
/** Spreadsheets know dates with years of four digits. */
const [FIRST_TIME, LAST_TIME] = [0, Date.UTC(9999, 11, 31)];

/** Quotes by RFC 4180 and for readers with other separators. */
const quoted = (text: string): string =>
  /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Writes cells that a spreadsheet never reads as formulas. */
export class CsvTable {
  readonly #facts: FormFacts;
  readonly #offsets = new Map<number, number>();

  constructor(readonly request: CsvRequest) {
    this.#facts = FORMS[request.form];
  }

  get isForPeople(): boolean {
    return this.#facts.date !== null;
  }

  /** An apostrophe precedes formulas and texts that a spreadsheet would change. */
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

  /** A number with a plus is no formula; other values are written as texts. */
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

  word(column: string, value: string | boolean | null): string {
    if (value === null) {
      return "";
    }
    return this.text(this.wordOf(column, value) ?? String(value));
  }

  wordOf(column: string, value: string | boolean): string | null {
    const { words } = this.request;
    const key = wordKey(column, value);
    return this.isForPeople && Object.hasOwn(words, key) ? (words[key] ?? null) : null;
  }

  line(cells: readonly string[]): string {
    return `${cells.join(this.#facts.separator)}\r\n`;
  }

  head(columns: readonly string[]): string {
    return this.isForPeople
      ? BYTE_ORDER_MARK + this.line(this.request.header.map((title) => this.text(title)))
      : this.line(columns);
  }

  /** Computing an offset takes longer than writing the rest of a line. */
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

/** Lines between yields to the event loop; a few ms. */
const SLICE = 100;

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
