import { join, resolve } from "node:path";
import { ACCOUNT_DEFAULTS, ACCOUNT_RANGES } from "../../shared/fields/account-defaults";
import { STORE_FOLDER } from "../../shared/own-files";
import { findFolderFault } from "../../shared/storage/folder-fault";
import { SetupError } from "../../shared/messaging-error";
import { findSchemaFault, LONGEST_SCHEMA } from "../../shared/storage/store-schema";
import { findStoreUrlFault } from "../../shared/storage/store-url";
import type { PostgresqlSettings } from "../../store/engine/postgresql/postgresql-engine";
import { quoteValue } from "../../texts/quote-value";
import { say } from "../../texts/say";
import { readNumber, readText } from "../node-red/read-settings";
import { readTlsOptions, type ResolveNode } from "../node-red/tls-options";

/** Settings as Node-RED stores them; numbers may be texts. */
export interface StoreConfig {
  /** `computer`, `postgresql` or `memory`. */
  readonly keepMessages: string;
  /** Blank: in the user directory. */
  readonly storeFolder: string;
  readonly storeSchema: string;
  /** Id of a TLS configuration; blank for the options of the URL. */
  readonly storeTls: string;
  /** Days. */
  readonly keepDays: number | string;
  readonly keepTexts: boolean;
  /** KiB. */
  readonly snapshotLimit: number | string;
}

export interface DatabaseAccess {
  /** The credential of the account. A secret. */
  readonly storeUrl?: string | undefined;
  readonly find: ResolveNode;
}

interface Keeping {
  /** ms. */
  readonly keepFor: number;
  readonly keepTexts: boolean;
  /** Bytes. */
  readonly snapshotLimit: number;
}

interface FolderSettings extends Keeping {
  readonly folder: string;
  readonly database?: never;
}

interface DatabaseSettings extends Keeping {
  readonly folder?: never;
  /** The URL in it is a secret. */
  readonly database: PostgresqlSettings;
}

interface MemorySettings extends Keeping {
  readonly folder?: never;
  readonly database?: never;
}

export type StoreSettings = FolderSettings | DatabaseSettings | MemorySettings;

/** Omits the password: with another one it is the same database. */
function getDatabase({ database }: StoreSettings): string {
  const { host = "", pathname = "" } = database === undefined ? {} : new URL(database.url);
  return host + pathname;
}

export const isInMemory = ({ folder, database }: StoreSettings): boolean =>
  folder === undefined && database === undefined;

export const isSamePlace = (one: StoreSettings, other: StoreSettings): boolean =>
  one.folder === other.folder &&
  getDatabase(one) === getDatabase(other) &&
  one.database?.schema === other.database?.schema;

/** @param userDir as for `readStoreSettings` */
export const defaultFolder = (userDir: string | undefined): string =>
  join(userDir ?? process.cwd(), STORE_FOLDER);

/** @param chosen blank for the initial folder @param userDir as for `readStoreSettings` */
export const resolveFolder = (chosen: string, userDir: string | undefined): string =>
  chosen === "" ? defaultFolder(userDir) : resolve(userDir ?? process.cwd(), chosen);

const DAY = 24 * 60 * 60 * 1000;

/** For a webhook without an account. */
export const MEMORY_SETTINGS: StoreSettings = { keepFor: DAY, keepTexts: false, snapshotLimit: 0 };

/** @param userDir blank: the working directory @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE, BAD_TLS */
export function readStoreSettings(
  config: StoreConfig,
  userDir: string | undefined,
  access: DatabaseAccess = { find: () => null },
): StoreSettings {
  const { keepMessages: kind, keepTexts } = config;
  if (kind !== "computer" && kind !== "postgresql" && kind !== "memory") {
    throw new SetupError("BAD_SETTING", say("account.storage.kind", { value: quoteValue(kind) }));
  }
  const number = (name: "keepDays" | "snapshotLimit"): number =>
    readNumber(say(`account.label.${name}`), config[name], ACCOUNT_DEFAULTS[name], ACCOUNT_RANGES[name]);
  const keeping = (): Keeping => ({
    keepFor: number("keepDays") * DAY,
    keepTexts: keepTexts === true,
    snapshotLimit: number("snapshotLimit") * 1024,
  });
  if (kind === "memory") {
    return { ...MEMORY_SETTINGS, snapshotLimit: number("snapshotLimit") * 1024 };
  }
  return kind === "computer"
    ? { folder: readFolder(config.storeFolder, userDir), ...keeping() }
    : { database: readDatabase(config, access), ...keeping() };
}

/** @throws SetupError BAD_SETTING, UNRESOLVED_VARIABLE */
function checkedText<Fault>(
  name: "storeUrl" | "storeSchema" | "storeFolder",
  configured: string | undefined,
  findFault: (text: string) => Fault | null,
  describe: (fault: Fault, values: { readonly label: string; readonly value: string }) => string,
): string {
  const label = say(`account.label.${name}`);
  const text = readText(label, configured).trim();
  const fault = findFault(text);
  if (fault !== null) {
    throw new SetupError("BAD_SETTING", describe(fault, { label, value: quoteValue(text) }));
  }
  return text;
}

function readDatabase({ storeSchema, storeTls }: StoreConfig, access: DatabaseAccess): PostgresqlSettings {
  // Errors do not quote the URL, which contains a password.
  const url = checkedText("storeUrl", access.storeUrl, findStoreUrlFault, (fault, { label }) =>
    say(`account.storage.url.${fault}`, { label }),
  );
  const schema = checkedText("storeSchema", storeSchema, findSchemaFault, (fault, values) =>
    say(`account.storage.schema.${fault}`, { ...values, max: LONGEST_SCHEMA }),
  );
  return {
    url,
    schema: schema === "" ? ACCOUNT_DEFAULTS.storeSchema : schema,
    tls: readTlsOptions(storeTls, access.find, () => say("account.storage.tls")),
  };
}

const readFolder = (configured: string | undefined, userDir: string | undefined): string =>
  resolveFolder(
    checkedText("storeFolder", configured, findFolderFault, (fault, values) =>
      say(`account.storage.folder.${fault}`, values),
    ),
    userDir,
  );
