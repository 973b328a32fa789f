/** Kinds of numbers, as numbering plans tell them. */
export type NumberType =
  | "FIXED_LINE"
  | "FIXED_LINE_OR_MOBILE"
  | "MOBILE"
  | "PREMIUM_RATE"
  | "TOLL_FREE"
  | "SHARED_COST"
  | "VOIP"
  | "PERSONAL_NUMBER"
  | "PAGER"
  | "UAN"
  | "VOICEMAIL";

/** What libphonenumber-js knows of a plan; its own types leave most of it out. */
export interface PlanSource {
  leadingDigits(): string | undefined;
  nationalNumberPattern(): string;
  nationalPrefixForParsing(): string | undefined;
  type(
    name: string,
  ): { pattern(): string | undefined; possibleLengths(): readonly number[] | undefined } | undefined;
}

/** In the order in which libphonenumber asks for them. */
const OTHER_TYPES: readonly NumberType[] = [
  "MOBILE",
  "PREMIUM_RATE",
  "TOLL_FREE",
  "SHARED_COST",
  "VOIP",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
];

interface TypePattern {
  readonly type: NumberType;
  readonly pattern: RegExp;
  /** Bit n is set where a number of n digits can be of the type. */
  readonly lengths: number;
}

const ALL_LENGTHS = -1;
const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const bits = (lengths: readonly number[] | undefined): number =>
  lengths === undefined ? ALL_LENGTHS : lengths.reduce((sum, length) => sum | (1 << length), 0);

const isOf = ({ pattern, lengths }: TypePattern, national: string): boolean =>
  (lengths & (1 << national.length)) !== 0 && pattern.test(national);

/**
 * The numbering plan of one country, its patterns compiled. The library compiles them anew for each number, which takes
 * thirty times as long. A test compares the answers with the library's.
 */
export class NumberingPlan {
  /** ISO 3166; null for a plan of no country, such as that of +800. */
  readonly country: string | null;
  readonly #leading: RegExp | null;
  readonly #all: RegExp;
  readonly #trunk: RegExp | null;
  readonly #fixed: TypePattern | null;
  readonly #others: readonly TypePattern[];
  /** Whether the plan has the same numbers for mobiles as for fixed lines. */
  readonly #mobileAsFixed: boolean;

  constructor(country: string | null, source: PlanSource) {
    const typePattern = (type: NumberType): TypePattern | null => {
      const found = source.type(type);
      const pattern = found?.pattern();
      return pattern ? { type, pattern: whole(pattern), lengths: bits(found?.possibleLengths()) } : null;
    };
    const leading = source.leadingDigits();
    const trunk = source.nationalPrefixForParsing();
    this.country = country;
    this.#leading = leading ? new RegExp(`^(?:${leading})`) : null;
    this.#all = whole(source.nationalNumberPattern());
    this.#trunk = trunk ? new RegExp(`^(?:${trunk})`) : null;
    this.#fixed = typePattern("FIXED_LINE");
    this.#others = OTHER_TYPES.map(typePattern).filter((each) => each !== null);
    this.#mobileAsFixed = !source.type("MOBILE")?.pattern();
  }

  /** Whether the number is the country's rather than one of another country with the same calling code. */
  leads(national: string): boolean {
    return this.#leading === null ? this.typeOf(national) !== null : this.#leading.test(national);
  }

  /** Whether the number begins with what is dialled before national numbers only, such as a zero. */
  hasTrunkPrefix(national: string): boolean {
    return this.#trunk?.test(national) ?? false;
  }

  /** @returns null where the plan does not tell, or has no such number */
  typeOf(national: string): NumberType | null {
    if (!this.#all.test(national)) {
      return null;
    }
    const others = this.#others;
    if (this.#fixed !== null && isOf(this.#fixed, national)) {
      const mobile = others[0]?.type === "MOBILE" ? others[0] : null;
      const isMobile = this.#mobileAsFixed || (mobile !== null && isOf(mobile, national));
      return isMobile ? "FIXED_LINE_OR_MOBILE" : "FIXED_LINE";
    }
    for (const other of others) {
      if (isOf(other, national)) {
        return other.type;
      }
    }
    return null;
  }
}
