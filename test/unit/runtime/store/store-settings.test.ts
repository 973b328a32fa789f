import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import {
  type DatabaseAccess,
  readStoreSettings,
  type StoreConfig,
} from "../../../../lib/runtime/store/store-settings";
import { accountConfig } from "../../../support/account-config";

const USER_DIR = resolve("/data");
const DAY = 24 * 60 * 60 * 1000;
const read = (given: Partial<StoreConfig>, access?: DatabaseAccess) =>
  readStoreSettings(accountConfig(given), USER_DIR, access);

const URL_OF_DATABASE = "postgresql://shop:s3cret@db.example.com:5432/messages";
const readFrom = (storeUrl: string, given: Partial<StoreConfig> = {}) =>
  read({ keepMessages: "postgresql", ...given }, { storeUrl, find: () => null });

const FAULTS: readonly (readonly [given: Partial<StoreConfig>, text: RegExp])[] = [
  [{ keepMessages: "postgres" as never }, /messages in 'postgres', which this version does not know/],
  [{ storeFolder: "${GONE}" }, /storage folder .* environment variable GONE, which does not exist/],
  [{ storeFolder: "${DATA}/messages" }, /a variable can only be the whole folder/],
  [{ storeFolder: " ~/messages" }, /'~\/messages', but only a shell replaces the ~/],
  [{ keepDays: "0" }, /whole number from 1 to 3650, but is '0'/],
  [{ snapshotLimit: 0.5 }, /whole number from 0 to 16384, but is '0\.5'/],
];
const DATABASE_FAULTS: readonly (readonly [url: string, given: Partial<StoreConfig>, text: RegExp])[] = [
  ["", {}, /database URL of the account is missing/],
  ["${GONE}", {}, /database URL .* environment variable GONE/],
  ["mysql://shop:s3cret@db.example.com/messages", {}, /does not start with postgresql:\/\//],
  ["postgresql://shop:s3cret/more@db.example.com/messages", {}, /percent-encoded/],
  [URL_OF_DATABASE, { storeSchema: "my-schema" }, /schema of the account is 'my-schema'/],
  [URL_OF_DATABASE, { storeTls: "gone" }, /TLS configuration of the account's database is missing/],
];

describe("storage settings of an account", () => {
  it("have one day and no folder in memory", () => {
    const unused = { storeFolder: "~", keepDays: "0", keepTexts: true };
    const expected = { keepFor: DAY, keepTexts: false, snapshotLimit: 256 * 1024 };
    assert.deepEqual(read({ keepMessages: "memory", ...unused }), expected);
  });

  it("of a new account are the defaults of the dialog", () => {
    const expected = {
      folder: join(USER_DIR, "messaging"),
      keepFor: 62 * DAY,
      keepTexts: false,
      snapshotLimit: 256 * 1024,
    };
    assert.deepEqual(read({}), expected);
    assert.deepEqual(
      read({ storeFolder: "  ", keepDays: "", snapshotLimit: "" }),
      expected,
      "what is blank too",
    );
  });

  it("take a relative folder as one in the user directory", () => {
    assert.equal(read({ storeFolder: "store/a" })?.folder, join(USER_DIR, "store", "a"));
    assert.equal(read({ storeFolder: " /mnt/store/ " })?.folder, resolve("/mnt/store"));
    assert.equal(readStoreSettings(accountConfig(), undefined)?.folder, resolve("messaging"));
  });

  it("of PostgreSQL are URL, schema and TLS, and need no folder", () => {
    const keeping = { keepFor: 62 * DAY, keepTexts: false, snapshotLimit: 256 * 1024 };
    const database = { url: URL_OF_DATABASE, schema: "messaging", tls: null };
    for (const storeSchema of ["", " ", "messaging"]) {
      const config = { storeFolder: "~", storeSchema };
      assert.deepEqual(readFrom(` ${URL_OF_DATABASE} `, config), { database, ...keeping });
    }
    const node = {
      addTLSOptions: (options: Record<string, unknown>) =>
        Object.assign(options, { ca: "a certificate", rejectUnauthorized: true }),
    };
    const found = read(
      { keepMessages: "postgresql", storeSchema: "Shop_2", storeTls: "own", keepDays: 1, keepTexts: true },
      { storeUrl: URL_OF_DATABASE, find: (id) => (id === "own" ? (node as never) : null) },
    );
    assert.deepEqual(found, {
      database: {
        url: URL_OF_DATABASE,
        schema: "Shop_2",
        tls: { ca: "a certificate", rejectUnauthorized: true },
      },
      keepFor: DAY,
      keepTexts: true,
      snapshotLimit: 256 * 1024,
    });
  });

  it("name what cannot be read, and no part of a URL", () => {
    for (const [given, text] of FAULTS) {
      assert.throws(() => read(given), { name: "SetupError", message: text });
    }
    for (const [url, given, text] of DATABASE_FAULTS) {
      assert.throws(
        () => readFrom(url, given),
        (error: Error) => text.test(error.message) && !/s3cret|db\.example/.test(error.message),
      );
    }
  });
});
