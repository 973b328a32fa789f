import { CATALOGUES, type Language, type Path, type TextKey } from "./catalogues";

/** Values by placeholder name. */
export type Values = Readonly<Record<string, string | number>>;

type Texts = ReadonlyMap<string, string>;

const DEFAULT: Language = "en-US";

let findLanguage = (): string => DEFAULT;
let chosen: Language | null = null;

function flatten(value: object, prefix: string, into: Map<string, string>): Map<string, string> {
  for (const [name, inner] of Object.entries(value) as [string, string | object][]) {
    const key = `${prefix}${name}`;
    if (typeof inner === "string") {
      into.set(key, inner);
    } else {
      flatten(inner, `${key}.`, into);
    }
  }
  return into;
}

/** Returns the texts of a language, made when they are first needed. */
function textsFrom(catalogues: Readonly<Record<Language, object>>): (language: Language) => Texts {
  const flattened = new Map<Language, Texts>();
  return (language) => {
    const texts = flattened.get(language) ?? flatten(catalogues[language], "", new Map());
    flattened.set(language, texts);
    return texts;
  };
}

const isLanguage = (name: string): name is Language => Object.hasOwn(CATALOGUES, name);

export function currentLanguage(): Language {
  if (chosen === null) {
    const name = findLanguage();
    if (!isLanguage(name)) {
      return DEFAULT;
    }
    chosen = name;
  }
  return chosen;
}

/** Node-RED has no language until its catalogues load, so `find` runs until it returns a known one. */
export function setLanguage(find: () => string): void {
  findLanguage = find;
  chosen = null;
}

const sayBy =
  (textsOf: (language: Language) => Texts) =>
  (key: string, values?: Values): string => {
    const text = textsOf(currentLanguage()).get(key) ?? key;
    return values === undefined
      ? text
      : text.replace(/__(\w+?)__/g, (place, name: string) => String(values[name] ?? place));
  };

const coreTexts = textsFrom(CATALOGUES);

/** Returns the key if its text is missing, which must not stop a message. */
export const say: (key: TextKey, values?: Values) => string = sayBy(coreTexts);

/** Returns `say` for the texts of a feature beside those of the core. */
export const sayFrom = <English extends object>(
  english: English,
  german: English,
): ((key: TextKey | Path<English>, values?: Values) => string) =>
  sayBy(textsFrom({ "en-US": { ...CATALOGUES["en-US"], ...english }, de: { ...CATALOGUES.de, ...german } }));

/** Falls back from `de-CH` to `de`, and to English. */
function nearest(name: string): Language {
  const [family] = name.split("-");
  const found = Object.keys(CATALOGUES).find((each) => each.split("-")[0] === family);
  return isLanguage(name) ? name : found !== undefined && isLanguage(found) ? found : DEFAULT;
}

/** `make` must be sync, because other code uses Node-RED's language. */
export function inLanguage<Made>(name: string, make: () => Made): Made {
  const before = chosen;
  chosen = nearest(name);
  try {
    return make();
  } finally {
    chosen = before;
  }
}

/** Translates a stored sentence and keeps its detail in brackets. */
export function retold(sentence: string, meaning: () => string): string {
  for (const name of Object.keys(CATALOGUES)) {
    const made = inLanguage(name, meaning);
    const detail = sentence.slice(made.length);
    if (sentence.startsWith(made) && (detail === "" || (detail.startsWith(" (") && detail.endsWith(")")))) {
      return meaning() + detail;
    }
  }
  return sentence;
}

/** For keys that are derived from a table. */
export const hasText = (key: string): key is TextKey => coreTexts(DEFAULT).has(key);
