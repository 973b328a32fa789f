import { CATALOGUES, type Language, type TextKey } from "./catalogues";

/** Values by placeholder name. */
export type Values = Readonly<Record<string, string | number>>;

type Texts = ReadonlyMap<string, string>;

const DEFAULT: Language = "en-US";

const flattened = new Map<Language, Texts>();
let findLanguage = (): string => DEFAULT;
let chosen: Texts | null = null;
let language: Language = DEFAULT;

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

function getTexts(language: Language): Texts {
  let texts = flattened.get(language);
  if (texts === undefined) {
    texts = flatten(CATALOGUES[language], "", new Map());
    flattened.set(language, texts);
  }
  return texts;
}

const isLanguage = (name: string): name is Language => Object.hasOwn(CATALOGUES, name);

function currentTexts(): Texts {
  if (chosen === null) {
    const name = findLanguage();
    if (!isLanguage(name)) {
      return getTexts(DEFAULT);
    }
    chosen = getTexts(name);
    language = name;
  }
  return chosen;
}

/** Node-RED has no language until its catalogues load, so `find` runs until it returns a known one. */
export function setLanguage(find: () => string): void {
  findLanguage = find;
  chosen = null;
  language = DEFAULT;
}

/** Returns the key if its text is missing, which must not stop a message. */
export function say(key: TextKey, values?: Values): string {
  const text = currentTexts().get(key) ?? key;
  return values === undefined
    ? text
    : text.replace(/__(\w+?)__/g, (place, name: string) => String(values[name] ?? place));
}

/** Falls back from `de-CH` to `de`, and to English. */
function nearest(name: string): Language {
  const [family] = name.split("-");
  const found = Object.keys(CATALOGUES).find((each) => each.split("-")[0] === family);
  return isLanguage(name) ? name : found !== undefined && isLanguage(found) ? found : DEFAULT;
}

/** `make` must be sync, because other code uses Node-RED's language. */
export function inLanguage<Made>(name: string, make: () => Made): Made {
  const before = { chosen, language };
  language = nearest(name);
  chosen = getTexts(language);
  try {
    return make();
  } finally {
    ({ chosen, language } = before);
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

export function currentLanguage(): Language {
  currentTexts();
  return language;
}

/** For keys that are derived from a table. */
export const hasText = (key: string): key is TextKey => getTexts(DEFAULT).has(key);
