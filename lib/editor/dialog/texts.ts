import { formatNumber } from "./locale";

/** Name of the package, as Node-RED knows it. */
export const MODULE = "@messaging-service/node-red-messaging";

export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** Values of a text, with numbers as the editor's language writes them; what is no count, such as a code, is passed as a string. */
const written = (values: Readonly<Record<string, string | number>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "number" ? formatNumber(value) : value,
    ]),
  );

/** Texts of one node from its catalogue. Keys include the catalogue, so that they resolve before a node exists. */
export function nodeTexts(type: string): Texts {
  return (key, values = {}) => RED._(`${MODULE}/${type}:${type}.${key}`, written(values));
}

/** Texts that all dialogs share, from the catalogue of the account node. */
export const sharedTexts: Texts = (key, values = {}) =>
  RED._(`${MODULE}/messaging-account:editor.${key}`, written(values));

/** The text of a key that may have none, as one with a code of the runtime in it; null where there is none. */
export function knownText(texts: Texts, key: string, values?: Parameters<Texts>[1]): string | null {
  const text = texts(key, values);
  return text.endsWith(key) ? null : text;
}
