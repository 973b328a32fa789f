import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Catalogue = { [key: string]: string | Catalogue };

const FILE = join(__dirname, "../../../nodes/config/locales/en-US/messaging-account.json");
const catalogue = JSON.parse(readFileSync(FILE, "utf8")) as Catalogue;

/** Texts of the runtime as Node-RED would look them up; a key that is missing fails the test. */
export function runtimeText(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  let found: string | Catalogue | undefined = catalogue.runtime;
  for (const part of key.split(".")) {
    found = (found as Catalogue)[part];
  }
  assert.equal(typeof found, "string", `${key} has no text`);
  return String(found).replace(/__(\w+)__/g, (_whole, name: string) => String(values[name]));
}
