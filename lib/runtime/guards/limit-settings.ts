import { LIMIT_RANGE, type LIMIT_NAMES } from "../../shared/fields/account-defaults";
import { say } from "../../texts/say";
import { readNumber, readText } from "../node-red/read-settings";
import { readAccountZone, type ZoneConfig } from "./account-zone";

export interface LimitConfig extends ZoneConfig {
  readonly limitHour: number | string;
  readonly limitDay: number | string;
  readonly limitNumberHour: number | string;
  readonly limitNumberDay: number | string;
  /** `hold` or `refuse`. */
  readonly limitAction: string;
}

/** Limits of billed messages, which count each recipient, and each segment of an SMS; null without a limit. */
export interface LimitSettings {
  /** In an hour, and in a day of the zone. */
  readonly hour: number | null;
  readonly day: number | null;
  readonly numberHour: number | null;
  readonly numberDay: number | null;
  /** True if messages above a limit are rejected; else they wait for the next hour or day. */
  readonly refuses: boolean;
  readonly zone: string;
}

function readLimit(config: LimitConfig, name: (typeof LIMIT_NAMES)[number]): number | null {
  const label = say(`account.label.${name}`);
  const value = readText(label, String(config[name])).trim();
  return value === "" ? null : readNumber(label, value, LIMIT_RANGE.min, LIMIT_RANGE);
}

/**
 * @returns null without limits
 * @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE
 */
export function readLimitSettings(config: LimitConfig): LimitSettings | null {
  const limits = {
    hour: readLimit(config, "limitHour"),
    day: readLimit(config, "limitDay"),
    numberHour: readLimit(config, "limitNumberHour"),
    numberDay: readLimit(config, "limitNumberDay"),
  };
  if (Object.values(limits).every((limit) => limit === null)) {
    return null;
  }
  return { ...limits, refuses: config.limitAction === "refuse", zone: readAccountZone(config) };
}
