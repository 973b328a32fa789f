import { readAccountZone, type ZoneConfig } from "./account-zone";
import { type LimitConfig, type LimitSettings, readLimitSettings } from "./limit-settings";
import { openGuards, openSendingHours } from "./open-guards";
import type { RecipientGuard } from "./recipient-guard";
import type { SendingHours } from "./sending-hours";
import type { SendingHoursConfig } from "./sending-hours-settings";
import type { WhereToConfig } from "./where-to-settings";

/** What an account checks before its messages leave. */
export interface Protection {
  /** Decides to whom messages are sent; null where that is to everybody. */
  readonly guard: RecipientGuard | null;
  /** How many messages leave; null where that is any number. */
  readonly limits: LimitSettings | null;
  /** When messages leave; null where that is at any hour. */
  readonly hours: SendingHours | null;
  /** IANA name of the account's time zone. */
  readonly zone: string;
}

/** @throws SetupError (as a rejection) where a setting is wrong */
export async function openProtection(
  config: WhereToConfig & LimitConfig & SendingHoursConfig & ZoneConfig,
): Promise<Protection> {
  const [guard, hours] = await Promise.all([openGuards(config), openSendingHours(config)]);
  return { guard, hours, limits: readLimitSettings(config), zone: readAccountZone(config) };
}
