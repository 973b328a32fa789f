import type { NodeAPI } from "node-red";
import { setLanguage } from "../../texts/say";

/** A text of the account node's catalogue that names the language of the catalogue. */
const LANGUAGE = "@messaging-service/node-red-messaging/messaging-account:messaging-account.language";

/** The language comes from the `lang` setting of Node-RED or from its environment. */
export function followLanguage(RED: NodeAPI): void {
  setLanguage(() => RED._(LANGUAGE));
}
