import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { Account } from "../../../../lib/runtime/account/account";
import type { AccountConfig, AccountCredentials } from "../../../../lib/runtime/account/account-settings";
import { folderSecret } from "../../../../lib/runtime/account/key-file";
import { accountWith } from "./account-under-test";

const DATABASE = { keepMessages: "postgresql" };
const URL_ONE = { storeUrl: "postgresql://one:secret-of-database@127.0.0.1:1/one" };
const URL_TWO = { storeUrl: "postgresql://two:other@127.0.0.1:1/two" };
const SERVICE = { service: "service", ...DATABASE };
const PASSWORD = { username: "anna", password: "secret-of-anna" };

describe("key of an account", () => {
  let userDir: string;
  const said: unknown[] = [];

  beforeEach(() => {
    userDir = mkdtempSync(join(tmpdir(), "account-key-"));
    said.length = 0;
  });
  afterEach(() => rmSync(userDir, { recursive: true }));

  const accountOf = (
    config: Partial<AccountConfig>,
    credentials: AccountCredentials = {},
    id = "account",
  ): Account =>
    accountWith({
      id,
      config,
      credentials,
      userDir,
      warn: (text) => said.push(text),
      tell: (notice) => said.push(notice),
    });
  const keyOf = async (...parts: Parameters<typeof accountOf>): Promise<string> =>
    (await accountOf(...parts).key("texts")).toString("hex");

  it("has 32 bytes and is the same for all Node-REDs whose account has the same secrets", async () => {
    const key = await accountOf(SERVICE, { ...PASSWORD, ...URL_ONE }).key("texts");
    assert.equal(key.length, 32);
    assert.equal(await keyOf(SERVICE, { ...PASSWORD, ...URL_TWO }), key.toString("hex"));
    // The store is where the key is needed, and no part of it.
    assert.equal(await keyOf({ service: "service", keepMessages: "memory" }, PASSWORD), key.toString("hex"));
    assert.deepEqual(readdirSync(userDir), []);
  });

  it("is another one for another account, purpose or secret", async () => {
    const token = { legacyAuth: "token-header" };
    const client = { clientId: "client", clientSecret: "of-client" };
    const keys = [
      await keyOf(SERVICE, { ...PASSWORD, ...URL_ONE }),
      await keyOf(SERVICE, { ...PASSWORD, ...URL_ONE }, "another"),
      (await accountOf(SERVICE, { ...PASSWORD, ...URL_ONE }).key("codes")).toString("hex"),
      await keyOf(SERVICE, { ...PASSWORD, password: "changed", ...URL_ONE }),
      await keyOf({ ...SERVICE, ...token }, { ...PASSWORD, accessToken: "of-token", ...URL_ONE }),
      await keyOf(SERVICE, { ...PASSWORD, ...client, ...URL_ONE }),
      await keyOf(SERVICE, { ...client, ...URL_ONE }),
      // The same text as another secret.
      await keyOf(SERVICE, { clientId: "client", clientSecret: PASSWORD.password, ...URL_ONE }),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });

  it("does not come from a secret that the account does not sign in with", async () => {
    const unused = { accessToken: "${GONE}" };
    const key = await keyOf(SERVICE, { ...PASSWORD, ...URL_ONE });
    assert.equal(await keyOf(SERVICE, { ...PASSWORD, ...unused, ...URL_ONE }), key);
  });

  it("is refused while a secret is a variable that does not exist", async () => {
    for (const purpose of ["texts", "codes"] as const) {
      const account = accountOf(SERVICE, { username: "anna", password: "${GONE}", ...URL_ONE });
      await assert.rejects(account.key(purpose), { code: "UNRESOLVED_VARIABLE", message: /GONE/ });
    }
  });

  it("comes without a secret from a file beside the messages, and stays over restarts", async () => {
    const config = { keepMessages: "computer" };
    const key = await keyOf(config);
    const file = join(userDir, "messaging", "key");
    const secret = readFileSync(file);
    assert.equal(secret.length, 32);
    assert.equal(await keyOf(config), key);
    assert.deepEqual(readFileSync(file), secret);
    assert.notEqual(await keyOf(config, {}, "another"), key);
    rmSync(file);
    assert.notEqual(await keyOf(config), key);
    const elsewhere = { ...config, storeFolder: "elsewhere" };
    assert.notEqual(await keyOf(elsewhere), await keyOf(config));
    assert.ok(statSync(join(userDir, "elsewhere", "key")).isFile());
  });

  it("comes from a file that nobody else may read", async function () {
    if (process.platform === "win32") {
      this.skip();
    }
    await keyOf({ keepMessages: "computer" });
    const folder = join(userDir, "messaging");
    assert.equal(statSync(join(folder, "key")).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(folder), ["key"]);
  });

  it("is refused where its file has lost a part", async () => {
    const folder = join(userDir, "messaging");
    mkdirSync(folder);
    writeFileSync(join(folder, "key"), "short");
    await assert.rejects(keyOf({ keepMessages: "computer" }), {
      code: "STORE_DAMAGED",
      message: /messaging.key/,
    });
    assert.equal(readFileSync(join(folder, "key"), "utf8"), "short");
  });

  it("is refused where its file cannot be made, and made when it can", async () => {
    writeFileSync(join(userDir, "messaging"), "a file in the place of the folder");
    await assert.rejects(keyOf({ keepMessages: "computer" }), { code: "STORE_NO_FOLDER" });
    rmSync(join(userDir, "messaging"));
    assert.equal((await keyOf({ keepMessages: "computer" })).length, 64);
  });

  it("is one of the process in memory", async () => {
    const key = await keyOf({ keepMessages: "memory" });
    assert.equal(await keyOf({ keepMessages: "memory" }), key);
    assert.notEqual(await keyOf({ keepMessages: "memory" }, {}, "another"), key);
    assert.deepEqual(readdirSync(userDir), []);
  });

  it("comes with a simulator in PostgreSQL from the id of the account, and of the service from a secret only", async () => {
    const key = await keyOf(DATABASE, URL_ONE);
    assert.equal(await keyOf(DATABASE, URL_TWO), key);
    assert.notEqual(await keyOf(DATABASE, URL_ONE, "another"), key);
    await assert.rejects(keyOf({ ...SERVICE, legacyAuth: "none" }, URL_ONE), { code: "BAD_SETTING" });
  });

  it("is in no error, log or notice, and secrets are not either", async () => {
    const folder = join(userDir, "messaging");
    mkdirSync(folder);
    const secret = "half-a-secret-of-the-file";
    writeFileSync(join(folder, "key"), secret);
    const errors = await Promise.all(
      [
        accountOf({ keepMessages: "computer" }),
        accountOf(SERVICE, { username: "${GONE}", password: "secret-of-anna", ...URL_ONE }),
        accountOf({ ...SERVICE, legacyAuth: "none" }, { ...PASSWORD, ...URL_ONE }),
      ].map((account) =>
        account.key("texts").then(
          () => assert.fail("there is a key"),
          (error: unknown) => error,
        ),
      ),
    );
    const account = accountOf({ keepMessages: "memory" });
    const key = await account.key("codes");
    const text = inspect([errors, said, account], { depth: 8, showHidden: true });
    assert.match(text, /STORE_DAMAGED/);
    assert.doesNotMatch(text, /half-a-secret|secret-of-anna|secret-of-database/);
    assert.ok(!text.includes(key.toString("hex")) && !text.includes(key.toString("base64")));
    assert.deepEqual(said, []);
  });

  it("is the same for all who make its file at once, in one process or several", async () => {
    const folder = join(userDir, "messaging");
    const file = join(process.cwd(), "lib/runtime/account/key-file.ts");
    const script = `
      const { folderSecret } = require(${JSON.stringify(file)});
      process.stdin.once("data", async () => {
        process.stdout.write((await folderSecret(${JSON.stringify(folder)})).toString("hex"));
        process.stdin.destroy();
      });
      process.stdout.write("ready ");`;
    const makers = Array.from({ length: 3 }, () =>
      spawn(process.execPath, [...process.execArgv, "-e", script], {
        stdio: ["pipe", "pipe", "inherit"],
      }),
    );
    const texts = makers.map(() => "");
    await Promise.all(
      makers.map((maker, at) =>
        once(
          maker.stdout.on("data", (data: Buffer) => {
            texts[at] += data.toString();
          }),
          "data",
        ),
      ),
    );
    for (const maker of makers) {
      maker.stdin.write("go\n");
    }
    const own = Promise.all([folderSecret(folder), folderSecret(folder)]);
    await Promise.all(makers.map((maker) => once(maker, "close")));
    const [first, second] = await own;
    assert.deepEqual(first, second);
    assert.deepEqual(
      texts,
      makers.map(() => `ready ${first.toString("hex")}`),
    );
    assert.deepEqual(readdirSync(folder), ["key"]);
  });
});
