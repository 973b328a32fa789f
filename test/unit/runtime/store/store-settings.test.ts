import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { readStoreSettings, type StoreConfig } from "../../../../lib/runtime/store/store-settings";
import { ACCOUNT_DEFAULTS } from "../../../../lib/shared/fields/account-defaults";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { setLanguage } from "../../../../lib/texts/say";

const USER_DIR = resolve("/data");
const DAY = 24 * 60 * 60 * 1000;
const read = (config: StoreConfig) => readStoreSettings({ keepMessages: "computer", ...config }, USER_DIR);

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

describe("storage settings of an account", () => {
  afterEach(() => setLanguage(() => "en-US"));

  it("are none where it keeps messages in memory, or was saved before there was a choice", () => {
    assert.equal(readStoreSettings({}, USER_DIR), null);
    const wrong = { storeFolder: "~", keepDays: "0", snapshotLimit: "-1" };
    assert.equal(readStoreSettings(wrong, USER_DIR), null);
    assert.equal(readStoreSettings({ keepMessages: "memory", ...wrong }, USER_DIR), null);
  });

  it("of a new account are the defaults of the dialog", () => {
    assert.equal(ACCOUNT_DEFAULTS.keepMessages, "computer");
    const expected = {
      folder: join(USER_DIR, "messaging"),
      keepFor: 30 * DAY,
      keepTexts: false,
      snapshotLimit: 256 * 1024,
    };
    assert.deepEqual(readStoreSettings(ACCOUNT_DEFAULTS, USER_DIR), expected);
    assert.deepEqual(read({}), expected, "what is missing has its default");
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
    assert.equal(readStoreSettings({ keepMessages: "computer" }, undefined)?.folder, resolve("messaging"));
  });

  for (const [fault, config, english, german] of FAULTS) {
    it(`name ${fault} in Node-RED's language`, () => {
      for (const [language, text] of Object.entries({ "en-US": english, de: german })) {
        setLanguage(() => language);
        assert.throws(
          () => read(config),
          (error) => {
            assert.ok(error instanceof SetupError);
            assert.equal(error.message, text);
            return true;
          },
        );
      }
    });
  }
});
