const MODULE = "@messaging-service/node-red-messaging";

export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** Texts of one node, from its own catalogue. Complete keys: they resolve before any node exists. */
export function nodeTexts(type: string): Texts {
  return (key, values = {}) => RED._(`${MODULE}/${type}:${type}.${key}`, values);
}

/** Texts that all dialogs share; they stand in the account node's catalogue. */
export const sharedTexts: Texts = (key, values = {}) =>
  RED._(`${MODULE}/messaging-account:editor.${key}`, values);
