import type { NodeAPI } from "node-red";

/** Looks up a text of the runtime in Node-RED's language. All nodes use the catalogue of the account node. */
export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

const CATALOGUE = "@messaging-service/node-red-messaging/messaging-account:runtime.";

export function runtimeTexts(RED: NodeAPI): Texts {
  return (key, values = {}) => RED._(`${CATALOGUE}${key}`, values as Record<string, string>);
}
