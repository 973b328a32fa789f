import { RecipientGuards } from "./recipient-guards";
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
