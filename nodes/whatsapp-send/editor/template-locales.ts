/** As the service writes them. Others can be typed. */
const CODES = (
  "af ar az bg bn ca cs da de el en en_GB en_US es es_AR es_ES es_MX et fa fi fil fr ga gu ha he hi hr hu id it ja ka kk kn ko " +
  "ky_KG lo lt lv mk ml mr ms nb nl pa pl pt_BR pt_PT ro ru rw_RW sk sl sq sr sv sw ta te th tr uk ur uz vi zh_CN zh_HK zh_TW zu"
).split(" ");

const FORM = /^[a-z]{2,3}(_[A-Z]{2})?$/;

export interface Completion {
  readonly value: string;
  readonly label: string;
}

/** @param beginning in lower case */
const hasWord = (name: string, beginning: string): boolean => {
  const lower = name.toLowerCase();
  return lower.startsWith(beginning) || lower.split(/[\s(]+/).some((word) => word.startsWith(beginning));
};

interface Locale {
  readonly code: string;
  readonly name: string;
}

export class TemplateLocales {
  readonly #names: Intl.DisplayNames;
  #all: readonly Locale[] | null = null;

  /** @param language of the names, such as `de` */
  constructor(language: string) {
    this.#names = new Intl.DisplayNames([language, "en"], { type: "language", languageDisplay: "standard" });
  }

  labelOf(code: string): string {
    const name = this.#getName(code);
    return name === code ? code : `${name} · ${code}`;
  }

  /** Converts a name or another spelling; returns other text unchanged. */
  codeOf(typed: string): string {
    const text = typed.trim();
    const same = text.toLowerCase().replace("-", "_");
    return (
      this.#locales().find(({ code, name }) => code.toLowerCase() === same || name.toLowerCase() === same)
        ?.code ?? text
    );
  }

  /** Tab chooses the first completion. @param untyped its label while the text is blank @param preferred codes to list first */
  search(typed: string, untyped: string, preferred: readonly string[] = []): readonly Completion[] {
    const text = typed.trim().toLowerCase().replace("-", "_");
    const codes = [...new Set([...preferred, ...this.#locales().map(({ code }) => code)])];
    const found = codes.filter(
      (code) => code.toLowerCase().startsWith(text) || hasWord(this.#getName(code), text),
    );
    const exact = this.codeOf(typed);
    const others = found.filter((code) => code !== exact);
    const first = found.includes(exact) || FORM.test(exact) ? [exact] : [];
    const offered = [...first, ...others].map((code) => ({ value: code, label: this.labelOf(code) }));
    return text === "" ? [{ value: "", label: untyped }, ...offered] : offered;
  }

  #getName(code: string): string {
    const tag = code.replace("_", "-");
    try {
      const name = this.#names.of(tag) ?? tag;
      return name === tag ? code : name;
    } catch {
      // The code is invalid.
      return code;
    }
  }

  #locales(): readonly Locale[] {
    this.#all ??= CODES.map((code) => ({ code, name: this.#getName(code) })).sort((one, other) =>
      one.name.localeCompare(other.name),
    );
    return this.#all;
  }
}
