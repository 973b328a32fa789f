import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createDecipheriv, createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../support/locales/locale-files";

const FOLDER = join(ROOT, "docs/several-node-reds");
const SECRET = "a secret";

describe("settings of the Node-REDs in compose.yaml", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "messaging-compose-"));
    cpSync(join(FOLDER, "settings.js"), join(folder, "settings.js"));
    cpSync(join(FOLDER, "flows.json"), join(folder, "flows", "flows.json"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = (): unknown => {
    const program = `JSON.stringify(require(${JSON.stringify(join(folder, "settings.js"))}))`;
    const env = {
      FLOWS: join(folder, "flows", "flows.json"),
      MESSAGING_STORE_URL: "postgresql://user:password@host/database",
      NODE_RED_CREDENTIAL_SECRET: SECRET,
    };
    return JSON.parse(execFileSync(process.execPath, ["--print", program], { env, encoding: "utf8" }));
  };

  it("write the credentials of the account once, encrypted as Node-RED reads them", () => {
    const flows: { id: string; type: string }[] = JSON.parse(
      readFileSync(join(FOLDER, "flows.json"), "utf8"),
    );
    const { id = "" } = flows.find(({ type }) => type === "messaging-account") ?? {};
    const { credentialSecret } = start() as { credentialSecret: string };
    assert.equal(credentialSecret, SECRET);
    const path = join(folder, "flows_cred.json");
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const written = readFileSync(path, "utf8");
    const { $: encrypted } = JSON.parse(written) as { $: string };
    const key = createHash("sha256").update(SECRET).digest();
    const decipher = createDecipheriv("aes-256-ctr", key, Buffer.from(encrypted.slice(0, 32), "hex"));
    const plain = decipher.update(encrypted.slice(32), "base64", "utf8") + decipher.final("utf8");
    assert.deepEqual(JSON.parse(plain), { [id]: { storeUrl: "${MESSAGING_STORE_URL}" } });
    start();
    assert.equal(readFileSync(path, "utf8"), written, "what was there is overwritten");
  });
});
