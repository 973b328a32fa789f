import { numberFacts } from "../../shared/recipients/number-facts";
import { readAccountZone, type ZoneConfig } from "./account-zone";
import { type LimitConfig, type LimitSettings, readLimitSettings } from "./limit-settings";
import type { RecipientGuard } from "./recipient-guard";
import type { SendingHours } from "./sending-hours";
import { readSendingHours, type SendingHoursConfig } from "./sending-hours-settings";
import { WhereToGuard } from "./where-to-guard";
import { readWhereToSettings, type WhereToConfig } from "./where-to-settings";

export interface Protection {
  /** Null if every number is allowed. */
  readonly guard: RecipientGuard | null;
  readonly limits: LimitSettings | null;
  /** Null if messages are sent at any hour. */
  readonly hours: SendingHours | null;
  readonly zone: string;
}

/** @returns null if nothing is checked @throws SetupError if a setting is wrong */
export function openGuard(config: WhereToConfig): RecipientGuard | null {
  const settings = readWhereToSettings(config);
  return settings === null ? null : new WhereToGuard(settings);
}

/** @returns null if messages are sent at any hour @throws SetupError if a setting is wrong */
export function openSendingHours(config: SendingHoursConfig): SendingHours | null {
  return config.sendingHours === true
    ? readSendingHours(config, (recipient) => numberFacts(recipient).country)
    : null;
}

/** @throws SetupError if a setting is wrong */
export const openProtection = (
  config: WhereToConfig & LimitConfig & SendingHoursConfig & ZoneConfig,
): Protection => ({
  guard: openGuard(config),
  hours: openSendingHours(config),
  limits: readLimitSettings(config),
  zone: readAccountZone(config),
});
