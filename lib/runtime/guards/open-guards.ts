import { RecipientGuards } from "./recipient-guards";
import type { SendingHours } from "./sending-hours";
import { readSendingHours, type SendingHoursConfig } from "./sending-hours-settings";
import { readWhereToSettings, type WhereToConfig } from "./where-to-settings";

/**
 * The guards of an account. What they need of the disk is loaded only where there is one.
 * @returns null where nothing is checked
 * @throws SetupError (as a rejection) where a setting is wrong
 */
export async function openGuards(config: WhereToConfig): Promise<RecipientGuards | null> {
  const settings = readWhereToSettings(config);
  if (settings === null) {
    return null;
  }
  const { WhereToGuard } = await import("./where-to-guard.js");
  return new RecipientGuards([new WhereToGuard(settings)]);
}

/**
 * The sending hours of an account. The numbering plans are loaded only where there are any.
 * @returns null where messages leave at any hour
 * @throws SetupError (as a rejection) where a setting is wrong
 */
export async function openSendingHours(config: SendingHoursConfig): Promise<SendingHours | null> {
  if (config.sendingHours !== true) {
    return null;
  }
  const { numberFacts } = await import("../../shared/recipients/number-facts.js");
  return readSendingHours(config, (recipient) => numberFacts(recipient).country);
}
