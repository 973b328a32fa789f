import assert from "node:assert/strict";
import { readGatewaySettings } from "../../../../lib/runtime/account/account-settings";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { setLanguage } from "../../../../lib/texts/say";
import { accountConfig } from "../../../support/account-config";

const CASES = [
  [
    "a variable that does not exist",
    {},
    { username: "anna", password: "${GONE}" },
    "The password of the account is set to the environment variable GONE, which does not exist. Set GONE where Node-RED is started, or enter the value itself.",
    "Das Passwort des Kontos ist auf die Umgebungsvariable GONE gesetzt, die nicht existiert. Setzen Sie GONE dort, wo Node-RED gestartet wird, oder geben Sie den Wert selbst ein.",
  ],
  [
    "a number that is too small",
    { connections: "0" },
    {},
    "The number of connections of the account must be a whole number from 1 to 256, but is '0'.",
    "Die Anzahl der Verbindungen des Kontos muss eine ganze Zahl von 1 bis 256 sein, ist aber '0'.",
  ],
  [
    "a TLS configuration that is missing",
    { tls: "gone" },
    {},
    "The TLS configuration of the account is missing, disabled, or has an error. Open it and check its files.",
    "Die TLS-Konfiguration des Kontos fehlt, ist deaktiviert oder hat einen Fehler. Öffnen Sie sie und prüfen Sie ihre Dateien.",
  ],
] as const;

describe("settings of an account", () => {
  afterEach(() => setLanguage(() => "en-US"));

  for (const [fault, config, credentials, english, german] of CASES) {
    it(`name ${fault} in Node-RED's language`, () => {
      for (const [language, text] of Object.entries({ "en-US": english, de: german })) {
        setLanguage(() => language);
        assert.throws(
          () => readGatewaySettings(accountConfig(config), credentials, () => null),
          (error) => error instanceof SetupError && error.message === text,
        );
      }
    });
  }
});
