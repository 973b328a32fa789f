import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import {
  type DatabaseAccess,
  readStoreSettings,
  type StoreConfig,
} from "../../../../lib/runtime/store/store-settings";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { setLanguage } from "../../../../lib/texts/say";
import { accountConfig } from "../../../support/account-config";

const USER_DIR = resolve("/data");
const DAY = 24 * 60 * 60 * 1000;
const read = (given: Partial<StoreConfig>, access?: DatabaseAccess) =>
  readStoreSettings(accountConfig(given), USER_DIR, access);

const FAULTS = [
  [
    "a kind of a later version",
    { keepMessages: "postgres" },
    "The account is set to keep messages in 'postgres', which this version does not know. Open the account and choose where to keep messages.",
    "Das Konto soll Nachrichten in 'postgres' aufbewahren, was diese Version nicht kennt. Öffnen Sie das Konto und wählen Sie, wo Nachrichten aufbewahrt werden.",
  ],
  [
    "a variable that does not exist",
    { storeFolder: "${GONE}" },
    "The storage folder of the account is set to the environment variable GONE, which does not exist. Set GONE where Node-RED is started, or enter the value itself.",
    "Der Speicherordner des Kontos ist auf die Umgebungsvariable GONE gesetzt, die nicht existiert. Setzen Sie GONE dort, wo Node-RED gestartet wird, oder geben Sie den Wert selbst ein.",
  ],
  [
    "a variable in a path",
    { storeFolder: "${DATA}/messages" },
    "The storage folder of the account is '${DATA}/messages', but a variable can only be the whole folder, not a part of it. Put the whole path into the variable.",
    "Der Speicherordner des Kontos ist '${DATA}/messages', aber eine Variable kann nur der ganze Ordner sein, nicht ein Teil davon. Schreiben Sie den ganzen Pfad in die Variable.",
  ],
  [
    "a tilde",
    { storeFolder: " ~/messages" },
    "The storage folder of the account is '~/messages', but only a shell replaces the ~. Enter the complete path.",
    "Der Speicherordner des Kontos ist '~/messages', aber nur eine Shell ersetzt das ~. Geben Sie den vollständigen Pfad ein.",
  ],
  [
    "no day",
    { keepDays: "0" },
    "The number of days that the account keeps messages must be a whole number from 1 to 3650, but is '0'.",
    "Die Anzahl der Tage, die das Konto Nachrichten aufbewahrt, muss eine ganze Zahl von 1 bis 3650 sein, ist aber '0'.",
  ],
  [
    "a limit with a fraction",
    { snapshotLimit: 0.5 },
    "The limit of restored messages (KiB) of the account must be a whole number from 0 to 16384, but is '0.5'.",
    "Das Limit wiederhergestellter Nachrichten (KiB) des Kontos muss eine ganze Zahl von 0 bis 16384 sein, ist aber '0.5'.",
  ],
] as const;

const URL_OF_DATABASE = "postgresql://shop:s3cret@db.example.com:5432/messages";
const readFrom = (storeUrl: string | undefined, given: Partial<StoreConfig> = {}) =>
  read({ keepMessages: "postgresql", ...given }, { storeUrl, find: () => null });

const EXAMPLE = "Enter it like postgresql://user:password@host:5432/database.";
const DATABASE_FAULTS = [
  [
    "no URL",
    "",
    {},
    "The database URL of the account is missing. Open the account and enter it, for example postgresql://user:password@host:5432/database.",
    "Die Datenbank-URL des Kontos fehlt. Öffnen Sie das Konto und geben Sie sie ein, zum Beispiel postgresql://benutzer:passwort@host:5432/datenbank.",
  ],
  [
    "a URL of a variable that does not exist",
    "${GONE}",
    {},
    "The database URL of the account is set to the environment variable GONE, which does not exist. Set GONE where Node-RED is started, or enter the value itself.",
    "Die Datenbank-URL des Kontos ist auf die Umgebungsvariable GONE gesetzt, die nicht existiert. Setzen Sie GONE dort, wo Node-RED gestartet wird, oder geben Sie den Wert selbst ein.",
  ],
  [
    "a URL with another scheme",
    "mysql://shop:s3cret@db.example.com/messages",
    {},
    `The database URL of the account does not start with postgresql:// or postgres://. ${EXAMPLE}`,
    "Die Datenbank-URL des Kontos beginnt nicht mit postgresql:// oder postgres://. Geben Sie sie ein wie postgresql://benutzer:passwort@host:5432/datenbank.",
  ],
  [
    "a URL whose password has a slash",
    "postgresql://shop:s3cret/more@db.example.com/messages",
    {},
    "The database URL of the account has a character in its user name or password that means something else in a URL. Write it percent-encoded: / as %2F, ? as %3F, # as %23, @ as %40, % as %25.",
    "Die Datenbank-URL des Kontos enthält im Benutzernamen oder Passwort ein Zeichen, das in einer URL etwas anderes bedeutet. Schreiben Sie es prozentkodiert: / als %2F, ? als %3F, # als %23, @ als %40, % als %25.",
  ],
  [
    "a schema with a dash",
    URL_OF_DATABASE,
    { storeSchema: "my-schema" },
    "The database schema of the account is 'my-schema', but may have only the letters A to Z, digits and underscores.",
    "Das Datenbankschema des Kontos ist 'my-schema', darf aber nur die Buchstaben A bis Z, Ziffern und Unterstriche enthalten.",
  ],
  [
    "a TLS configuration that is gone",
    URL_OF_DATABASE,
    { storeTls: "gone" },
    "The TLS configuration of the account's database is missing, disabled, or has an error. Open it and check its files.",
    "Die TLS-Konfiguration für die Datenbank des Kontos fehlt, ist deaktiviert oder fehlerhaft. Öffnen Sie sie und prüfen Sie ihre Dateien.",
  ],
] as const;

describe("storage settings of an account", () => {
  afterEach(() => setLanguage(() => "en-US"));

  it("are none where it keeps messages in memory", () => {
    const wrong = { storeFolder: "~", keepDays: "0", snapshotLimit: "-1" };
    assert.equal(read({ keepMessages: "memory", ...wrong }), null);
  });

  it("of a new account are the defaults of the dialog", () => {
    const expected = {
      folder: join(USER_DIR, "messaging"),
      keepFor: 30 * DAY,
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

  it("take numbers that are texts, as dialogs save them", () => {
    const found = read({ keepDays: "7", snapshotLimit: "0", keepTexts: true });
    assert.deepEqual([found?.keepFor, found?.snapshotLimit, found?.keepTexts], [7 * DAY, 0, true]);
  });

  it("take a relative folder as one in the user directory", () => {
    assert.equal(read({ storeFolder: "store/a" })?.folder, join(USER_DIR, "store", "a"));
    assert.equal(read({ storeFolder: " /mnt/store/ " })?.folder, resolve("/mnt/store"));
    assert.equal(readStoreSettings(accountConfig(), undefined)?.folder, resolve("messaging"));
  });

  it("of PostgreSQL are URL, schema and TLS, and need no folder", () => {
    const keeping = { keepFor: 30 * DAY, keepTexts: false, snapshotLimit: 256 * 1024 };
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

  it("ignore what is wrong with a database that is not used", () => {
    const wrong = { storeSchema: "a-b", storeTls: "gone" };
    const access = { storeUrl: "mysql://", find: () => null };
    assert.equal(read({ keepMessages: "memory", ...wrong }, access), null);
    const { folder } = read(wrong, access) ?? {};
    assert.equal(folder, join(USER_DIR, "messaging"));
  });

  const ALL = [
    ...FAULTS.map(([fault, config, ...texts]) => ({ fault, texts, reads: () => read(config) })),
    ...DATABASE_FAULTS.map(([fault, url, config, ...texts]) => ({
      fault,
      texts,
      reads: () => readFrom(url, config),
    })),
  ];
  for (const { fault, texts, reads } of ALL) {
    it(`name ${fault} in Node-RED's language, and no part of a URL`, () => {
      for (const [at, language] of ["en-US", "de"].entries()) {
        setLanguage(() => language);
        assert.throws(reads, (error) => {
          assert.ok(error instanceof SetupError);
          assert.equal(error.message, texts[at]);
          return true;
        });
      }
      assert.doesNotMatch(texts.join(), /s3cret|db\.example/);
    });
  }
});
