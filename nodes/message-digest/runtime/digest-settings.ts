import {
  DIGEST_FIRSTS,
  DIGEST_MOST,
  DIGEST_TEXTS,
  DIGEST_TIMES,
  type DIGEST_DEFAULTS,
  type DigestText,
} from "../shared/digest-fields";
import { SetupError } from "../../../lib/shared/messaging-error";
import { PersonalText, PersonalTextError } from "../../../lib/shared/personal-text/personal-text";
import { readDuration } from "../../../lib/shared/schedule/read-duration";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../texts";
import type { FieldConfig } from "../../../lib/runtime/fields/compile-field";
import { readChoice, readText } from "../../../lib/runtime/node-red/read-settings";

/** The configuration of a message-digest node as Node-RED stores it. */
export type DigestConfig = FieldConfig & {
  readonly account: string;
} & Readonly<Record<keyof typeof DIGEST_DEFAULTS, unknown>>;

/** What a message-digest node is set to; times in ms. */
export interface DigestSettings {
  /** For which the first message waits; 0: it leaves at once. */
  readonly wait: number;
  readonly every: number;
  readonly quiet: number;
  /** Messages that a digest lists. */
  readonly most: number;
  readonly texts: Readonly<Record<DigestText, PersonalText>>;
}

const wrong = (text: string): SetupError => new SetupError("BAD_SETTING", text);

function timeOf(config: DigestConfig, name: "wait" | "every" | "quiet"): number {
  const text = readText(say(`digest.setting.${name}`), String(config[name] ?? ""));
  const ms = readDuration(text);
  if (ms === null || ms < DIGEST_TIMES.least || ms > DIGEST_TIMES.most) {
    throw wrong(say("digest.time", { setting: say(`digest.setting.${name}`), value: quoteValue(text) }));
  }
  return ms;
}

function mostOf(config: DigestConfig): number {
  const value = readText(say("digest.setting.most"), String(config.most ?? ""));
  const most = /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
  if (!(most >= DIGEST_MOST.least && most <= DIGEST_MOST.most)) {
    throw wrong(say("digest.most", { ...DIGEST_MOST, value: quoteValue(value) }));
  }
  return most;
}

function textOf(config: DigestConfig, name: DigestText): PersonalText {
  const setting = say(`digest.setting.${name}`);
  const template = readText(setting, String(config[name] ?? ""));
  // That it is over may be said by the output alone.
  if (template.trim() === "" && name !== "over") {
    throw wrong(say("digest.no-text", { setting }));
  }
  try {
    return new PersonalText(template);
  } catch (error) {
    const { reason } = error as PersonalTextError;
    throw error instanceof PersonalTextError ? wrong(say(`digest.braces.${reason}`, { setting })) : error;
  }
}

/** @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE */
export function readDigestSettings(config: DigestConfig): DigestSettings {
  const first = readChoice(DIGEST_FIRSTS, config.first, () =>
    say("digest.first", { value: quoteValue(config.first), words: DIGEST_FIRSTS.join(", ") }),
  );
  const [one, several, over] = DIGEST_TEXTS.map((name) => textOf(config, name)) as [
    PersonalText,
    PersonalText,
    PersonalText,
  ];
  return {
    wait: first === "now" ? 0 : timeOf(config, "wait"),
    every: timeOf(config, "every"),
    quiet: timeOf(config, "quiet"),
    most: mostOf(config),
    texts: { one, several, over },
  };
}
