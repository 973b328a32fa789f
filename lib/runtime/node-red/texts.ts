import type { NodeAPI } from "node-red";

/** Texts of the runtime in the user's language; they stand in the account node's catalogue, once for all nodes. */
export type Texts = (key: string, values?: Readonly<Record<string, string | number>>) => string;

const CATALOGUE = "@messaging-service/node-red-messaging/messaging-account:runtime.";

export function runtimeTexts(RED: NodeAPI): Texts {
  return (key, values = {}) => RED._(`${CATALOGUE}${key}`, values as Record<string, string>);
}
