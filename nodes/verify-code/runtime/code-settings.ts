import { CODE_CHARACTERS, type CODE_DEFAULTS, CODE_RANGES, hasCode } from "../shared/code-fields";
import { SetupError } from "../../../lib/shared/messaging-error";
import { readDuration } from "../../../lib/shared/schedule/read-duration";
import { quoteValue } from "../../../lib/texts/quote-value";
import { say } from "../texts";
import type { CodeRules } from "./code-service";

export type CodeConfig = Readonly<Record<keyof typeof CODE_DEFAULTS, unknown>>;

export interface MakeSettings extends CodeRules {
  readonly template: string;
}

const wrong = (text: string): SetupError => new SetupError("BAD_SETTING", text);

function numberOf(config: CodeConfig, name: "length" | "tries" | "perNumber" | "perCaller"): number {
  const value = config[name];
  const { least: min, most: max } = CODE_RANGES[name];
  const number = /^\s*\d+\s*$/.test(String(value)) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw wrong(say(`codes.${name}`, { min, max, value: quoteValue(value) }));
  }
  return number;
}

function validForOf(value: unknown): number {
  const { least, most } = CODE_RANGES.validFor;
  const validFor = readDuration(String(value));
  if (validFor === null || validFor < least || validFor > most) {
    throw wrong(say("codes.validFor", { value: quoteValue(value) }));
  }
  return validFor;
}

/** @throws SetupError BAD_SETTING */
export const readPerCaller = (config: CodeConfig): number => numberOf(config, "perCaller");

/** @throws SetupError BAD_SETTING, also for a template without a code */
export function readMakeSettings(config: CodeConfig): MakeSettings {
  const characters = CODE_CHARACTERS.find((each) => each === config.characters);
  if (characters === undefined) {
    const words = CODE_CHARACTERS.join(", ");
    throw wrong(say("codes.characters", { words, value: quoteValue(config.characters) }));
  }
  const { template } = config;
  if (typeof template !== "string" || !hasCode(template)) {
    throw wrong(say("codes.template"));
  }
  return {
    length: numberOf(config, "length"),
    characters,
    validFor: validForOf(config.validFor),
    tries: numberOf(config, "tries"),
    perNumber: numberOf(config, "perNumber"),
    perCaller: readPerCaller(config),
    template,
  };
}
