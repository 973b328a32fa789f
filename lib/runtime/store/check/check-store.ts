import { type CheckResult, checkResult } from "../../../gateway/connection-test/check-result";
import { SetupError } from "../../../shared/messaging-error";
import { sanitiseText } from "../../../shared/sanitise-text";
import { StoreError } from "../../../store/engine/store-error";
import { checkDatabase } from "./check-database";
import { checkFolder } from "./check-folder";
import type { FoundStore } from "./found-store";
import {
  type DatabaseAccess,
  readStoreSettings,
  type StoreConfig,
  type StoreSettings,
} from "../store-settings";

/** Characters of a path or of the system's message. */
const LONGEST = 500;

/** Checks an existing store, or whether a missing one could be created; creates none, because settings may be a draft. */
export async function checkStore(
  config: StoreConfig,
  userDir: string | undefined,
  access?: DatabaseAccess,
): Promise<CheckResult> {
  try {
    const settings = readStoreSettings(config, userDir, access);
    const found = await check(settings);
    if (found === null) {
      return checkResult("storage", "skipped", "MEMORY");
    }
    const { code, place, detail } = found;
    return line("ok", code, place, detail);
  } catch (error) {
    if (error instanceof SetupError) {
      return line("failed", error.code, "", error.message);
    }
    if (error instanceof StoreError) {
      return line("failed", error.code, error.place, error.detail);
    }
    throw error;
  }
}

async function check({ database, folder }: StoreSettings): Promise<FoundStore | null> {
  if (database !== undefined) {
    return checkDatabase(database);
  }
  return folder === undefined ? null : checkFolder(folder);
}

const line = (state: "ok" | "failed", code: string, place: string, detail: string): CheckResult =>
  checkResult("storage", state, code, sanitiseText(place, LONGEST), sanitiseText(detail, LONGEST));
