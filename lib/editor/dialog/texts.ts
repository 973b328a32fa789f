const MODULE = "@messaging-service/node-red-messaging";

export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** Texts of one node from its catalogue. Keys include the catalogue, so that they resolve before a node exists. */
export function nodeTexts(type: string): Texts {
  return (key, values = {}) => RED._(`${MODULE}/${type}:${type}.${key}`, values);
}

/** Texts that all dialogs share, from the catalogue of the account node. */
export const sharedTexts: Texts = (key, values = {}) =>
  RED._(`${MODULE}/messaging-account:editor.${key}`, values);
