import { SetupError } from "../../shared/messaging-error";
import { OptOutWords } from "../../shared/opt-outs/opt-out-words";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readText } from "../node-red/read-settings";

/** The part of a webhook-in node's configuration that is about opt-outs. */
export interface OptOutConfig {
  readonly optOutWords: boolean;
  /** With commas, semicolons or lines between them. */
  readonly stopWords: string;
  readonly startWords: string;
  readonly optOutScope: string;
}

/** Which words change the list of opt-outs, and how. */
export interface OptOutSettings {
  readonly words: OptOutWords;
  /** What a stop word stops. */
  readonly scope: "all" | "advertisement";
}

/**
 * Reads which words change the list of opt-outs.
 * @returns null where none does: switched off, or a webhook for status messages
 * @throws SetupError UNRESOLVED_VARIABLE, BAD_SETTING
 */
export function readOptOutSettings(config: OptOutConfig & { readonly kind: string }): OptOutSettings | null {
  if (config.optOutWords !== true || config.kind === "status") {
    return null;
  }
  const list = (name: "stopWords" | "startWords"): string =>
    readText(say(`webhook.setting.${name}`), config[name]);
  const read = OptOutWords.read(list("stopWords"), list("startWords"));
  if (!read.ok) {
    const value = "entry" in read ? quoteValue(read.entry) : "";
    const label = say(`webhook.setting.${read.list}`);
    throw new SetupError("BAD_SETTING", say(`webhook.bad.words.${read.fault}`, { label, value }));
  }
  return { words: read.words, scope: config.optOutScope === "advertisement" ? "advertisement" : "all" };
}
