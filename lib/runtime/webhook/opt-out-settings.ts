import { SetupError } from "../../shared/messaging-error";
import { OptOutWords } from "../../shared/opt-outs/opt-out-words";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readText } from "../node-red/read-settings";

export interface OptOutConfig {
  readonly optOutWords: boolean;
  /** Separated by commas, semicolons or line breaks. */
  readonly stopWords: string;
  readonly startWords: string;
  readonly optOutScope: string;
}

export interface OptOutSettings {
  readonly words: OptOutWords;
  readonly scope: "all" | "advertisement";
}

/** Returns null if no word opts out. @throws SetupError UNRESOLVED_VARIABLE, BAD_SETTING */
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
