import { CATALOGUES, type Language, type TextKey } from "./catalogues";

/** What a text is filled with, by the name between double underscores. */
export type Values = Readonly<Record<string, string | number>>;

type Texts = ReadonlyMap<string, string>;

const DEFAULT: Language = "en-US";

const flattened = new Map<Language, Texts>();
let findLanguage = (): string => DEFAULT;
/** Texts of the language once it is known. */
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

function textsOf(language: Language): Texts {
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
      return textsOf(DEFAULT);
    }
    chosen = textsOf(name);
    language = name;
  }
  return chosen;
}

/**
 * Sets where the language of all texts comes from. It is asked until it names a language that has a catalogue, since
 * Node-RED does not know its language before its catalogues are loaded; meanwhile texts are English.
 */
export function setLanguage(find: () => string): void {
  findLanguage = find;
  chosen = null;
  language = DEFAULT;
}

/**
 * A text of the catalogues in Node-RED's language, its `__name__` places filled in. A key without a text gives the key:
 * a missing text must not stop a message.
 */
export function say(key: TextKey, values?: Values): string {
  const text = currentTexts().get(key) ?? key;
  return values === undefined
    ? text
    : text.replace(/__(\w+?)__/g, (place, name: string) => String(values[name] ?? place));
}

/** The catalogue that fits the name of a language best: `de` for `de-CH`, English for a language without one. */
function nearest(name: string): Language {
  const [family] = name.split("-");
  const found = Object.keys(CATALOGUES).find((each) => each.split("-")[0] === family);
  return isLanguage(name) ? name : found !== undefined && isLanguage(found) ? found : DEFAULT;
}

/** What is said in the language of who reads it. `make` may not wait for anything: others speak Node-RED's language meanwhile. */
export function inLanguage<Made>(name: string, make: () => Made): Made {
  const before = { chosen, language };
  language = nearest(name);
  chosen = textsOf(language);
  try {
    return make();
  } finally {
    ({ chosen, language } = before);
  }
}

/**
 * A sentence that was made earlier, in the language of now: its meaning anew, with the detail in brackets that it had. One that says
 * something else stays as it is.
 */
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

/** The language of all texts. */
export function currentLanguage(): Language {
  currentTexts();
  return language;
}

/** Whether the catalogues have a text of this key; for keys that are put together from a table. */
export const hasText = (key: string): key is TextKey => textsOf(DEFAULT).has(key);
