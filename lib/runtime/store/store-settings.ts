import { join, resolve } from "node:path";
import { ACCOUNT_DEFAULTS, ACCOUNT_RANGES } from "../../shared/fields/account-defaults";
import { findFolderFault } from "../../shared/folder-fault";
import { SetupError } from "../../shared/messaging-error";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readNumber, readText } from "../node-red/read-settings";

/** What an account says about its store, as Node-RED keeps it; numbers may be texts. */
export interface StoreConfig {
  /** `computer` or `memory`. Accounts of before there was a store lack it, and keep nothing. */
  readonly keepMessages?: string;
  /** Blank: in the user directory. */
  readonly storeFolder?: string;
  /** Days. */
  readonly keepDays?: number | string;
  readonly keepTexts?: boolean;
  /** KiB. */
  readonly snapshotLimit?: number | string;
}

/** Where and how long an account keeps messages. */
export interface StoreSettings {
  /** Absolute path. */
  readonly folder: string;
  /** ms. */
  readonly keepFor: number;
  readonly keepTexts: boolean;
  /** Bytes of the largest message that is kept whole to be restored after a restart. */
  readonly snapshotLimit: number;
}

const FOLDER = "messaging";

/** The folder of accounts that name none. @param userDir as for `readStoreSettings` */
export const defaultFolder = (userDir: string | undefined): string => join(userDir ?? process.cwd(), FOLDER);

const DAY = 24 * 60 * 60 * 1000;

/**
 * Reads the storage settings of an account.
 * @param userDir Node-RED's user directory; where it is unknown, the working directory stands for it
 * @returns null for an account that keeps messages in memory only
 * @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE
 */
export function readStoreSettings(config: StoreConfig, userDir: string | undefined): StoreSettings | null {
  const { keepMessages = "memory", keepTexts } = config;
  if (keepMessages === "memory") {
    return null;
  }
  if (keepMessages !== "computer") {
    throw new SetupError("BAD_SETTING", say("account.storage.kind", { value: quoteValue(keepMessages) }));
  }
  const number = (name: "keepDays" | "snapshotLimit"): number =>
    readNumber(say(`account.label.${name}`), config[name], ACCOUNT_DEFAULTS[name], ACCOUNT_RANGES[name]);
  return {
    folder: readFolder(config.storeFolder, userDir),
    keepFor: number("keepDays") * DAY,
    keepTexts: keepTexts === true,
    snapshotLimit: number("snapshotLimit") * 1024,
  };
}

function readFolder(configured: string | undefined, userDir: string | undefined): string {
  const label = say("account.label.storeFolder");
  const chosen = readText(label, configured).trim();
  const fault = findFolderFault(chosen);
  if (fault !== null) {
    const value = quoteValue(chosen);
    throw new SetupError("BAD_SETTING", say(`account.storage.folder.${fault}`, { label, value }));
  }
  return chosen === "" ? defaultFolder(userDir) : resolve(userDir ?? process.cwd(), chosen);
}
