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

/** Returns the texts of a catalogue, which exist before a node does. @param set of nodes, or plugin, with the catalogue */
export const catalogueTexts =
  (set: string, prefix = set): Texts =>
  (key, values = {}) =>
    RED._(`${MODULE}/${set}:${prefix}.${key}`, written(values));

/** Returns the name of a node's folder, icon and texts: its type without the prefix of all types. */
export const nodeName = (type: string): string => type.replace("messaging-", "");

export const nodeTexts = (type: string): Texts => catalogueTexts(type, nodeName(type));

/** Texts that all dialogs share. */
export const sharedTexts = catalogueTexts("messaging-account", "editor");

/** Returns null if the key, such as one with a code of the runtime, has no text. */
export function knownText(texts: Texts, key: string, values?: Parameters<Texts>[1]): string | null {
  const text = texts(key, values);
  return text.endsWith(key) ? null : text;
}
