import { formatNumber } from "./locale";

export const MODULE = "@messaging-service/node-red-messaging";

export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** Formats numbers in the editor's language. Codes are passed as strings. */
const written = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" ? formatNumber(value) : value,
    ]),
  );

/** Keys contain the catalogue, so that they resolve before a node exists. */
export function nodeTexts(type: string): Texts {
  return (key, values = {}) => RED._(`${MODULE}/${type}:${type}.${key}`, written(values));
}

export const sharedTexts: Texts = (key, values = {}) =>
  RED._(`${MODULE}/messaging-account:editor.${key}`, written(values));

/** Returns null if the key, such as one with a code of the runtime, has no text. */
export function knownText(texts: Texts, key: string, values?: Parameters<Texts>[1]): string | null {
  const text = texts(key, values);
  return text.endsWith(key) ? null : text;
}
