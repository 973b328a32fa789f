import { isZone, systemZone } from "../../shared/schedule/zoned-time";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readText } from "../node-red/read-settings";

/** The time zone of an account; blank for that of Node-RED. */
export interface ZoneConfig {
  readonly timeZone: string;
}

/**
 * The time zone in which the hours and days of an account are counted.
 * @returns IANA name
 * @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE
 */
export function readAccountZone(config: ZoneConfig): string {
  const zone = readText(say("account.label.timeZone"), config.timeZone).trim();
  if (zone === "") {
    return systemZone();
  }
  if (!isZone(zone)) {
    throw new SetupError("BAD_SETTING", say("account.time-zone", { value: quoteValue(zone) }));
  }
  return zone;
}
