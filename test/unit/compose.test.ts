import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createDecipheriv, createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { codeOf, page } from "../support/locales/guides";
import { ROOT, sourceText } from "../support/locales/locale-files";

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly restart: string;
  readonly hostname?: string;
  readonly depends_on?: unknown;
  readonly environment: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}
interface Account {
  readonly id: string;
  readonly type: string;
  readonly account?: string;
  readonly keepMessages?: string;
  readonly storeSchema?: string;
}

const FOLDER = "docs/several-node-reds";
const GUIDE = "docs/several-node-reds.md";
const textOf = (name: string): string => sourceText(`${FOLDER}/${name}`) ?? assert.fail(`${name} is missing`);

describe("compose.yaml", () => {
  const text = sourceText("compose.yaml") ?? "";
  const { services, volumes } = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as Compose;
  const { database, proxy, ...nodeReds } = services;
  const flows = JSON.parse(textOf("flows.json")) as readonly Account[];
  const accounts = flows.filter(({ type }) => type === "messaging-account");

  it("has a database, two Node-REDs that differ in their names only, and a proxy", () => {
    assert.deepEqual(Object.keys(nodeReds), ["node-red-1", "node-red-2"]);
    const [one, two] = Object.entries(nodeReds).map(([name, service]) => {
      assert.equal(service.hostname, name);
      return JSON.parse(JSON.stringify(service).replaceAll(name, "x")) as Service;
    });
    assert.deepEqual(one, two);
    assert.ok(database && proxy);
    for (const [name, service] of Object.entries(services)) {
      assert.equal(service.restart, "unless-stopped", name);
      assert.ok(service.healthcheck.test.length > 1, `${name} has no health check`);
    }
  });

  it("mounts only files that are there, and volumes that it declares", () => {
    const used = Object.values(services).flatMap((service) => service.volumes.map((each) => each.split(":")));
    for (const [source = ""] of used.filter(([from = ""]) => from.startsWith("."))) {
      assert.ok(existsSync(join(ROOT, source)), source);
    }
    const named = new Set(used.map(([from = ""]) => from).filter((from) => !from.startsWith(".")));
    assert.deepEqual([...named].sort(), Object.keys(volumes).sort());
    // PostgreSQL 18 has its data elsewhere.
    assert.match(database?.image ?? "", /^postgres:17/);
    assert.ok(database?.volumes.includes("database:/var/lib/postgresql/data"));
  });

  it("builds an image from files that are there and that the build gets", () => {
    const { build } = nodeReds["node-red-1"] ?? {};
    const dockerfile = sourceText(build?.dockerfile ?? "") ?? "";
    assert.match(dockerfile, /^FROM nodered\/node-red:4\.1$/m);
    const ignored = textOf("Dockerfile.dockerignore").split("\n").filter(Boolean);
    for (const [, list = ""] of dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )?(.+)$/gm)) {
      for (const source of list.split(" ").slice(0, -1)) {
        assert.ok(existsSync(join(ROOT, source)) && !ignored.includes(source), source);
      }
    }
    assert.ok(
      ignored.includes(".env") && ignored.includes("node_modules"),
      "secrets and packages of this computer get in",
    );
  });

  it("has every secret from variables that env.example names, and none of its own", () => {
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name));
    // Of the account, not of this file.
    asked.delete("MESSAGING_STORE_URL");
    const offered = [...textOf("env.example").matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
    assert.deepEqual([...asked].sort(), offered.sort());
    const secrets = ["CREDENTIAL_SECRET", "DATABASE_ADMIN_PASSWORD", "DATABASE_PASSWORD"];
    for (const name of secrets) {
      assert.match(textOf("env.example"), new RegExp(`^${name}=$`, "m"), `${name} is not blank at first`);
      assert.match(text, new RegExp(`\\$\\{${name}:\\?`), `${name} may be missing`);
      assert.ok(page(GUIDE).includes(name), `the guide does not name ${name}`);
    }
    assert.match(sourceText(".gitignore") ?? "", /^\.env$/m);
  });

  it("publishes webhooks to everybody, and editors to this computer", () => {
    const caddy = textOf("Caddyfile");
    const ports = proxy?.ports ?? [];
    const editors = ports.filter((port) => port.startsWith("127.0.0.1:"));
    assert.deepEqual(
      ports.filter((port) => !editors.includes(port)),
      ["80:80", "443:443"],
    );
    assert.deepEqual(
      [...caddy.matchAll(/^http:\/\/:(\d+) \{\n\treverse_proxy (\S+):1880\n\}/gm)].map(([, port, name]) => [
        port,
        name,
      ]),
      [
        ["1881", "node-red-1"],
        ["1882", "node-red-2"],
      ],
    );
    assert.deepEqual(editors, ["127.0.0.1:1881:1881", "127.0.0.1:1882:1882"]);
    assert.match(caddy, /handle \/messaging\/\* \{\n\t\treverse_proxy node-red-1:1880 node-red-2:1880 \{/);
    assert.ok(caddy.includes("{$SITE_ADDRESS}") && proxy?.environment.SITE_ADDRESS !== undefined);
    assert.ok(Object.values(nodeReds).every((service) => service.ports === undefined));
    for (const url of ["http://127.0.0.1:1881", "http://127.0.0.1:1882"]) {
      assert.ok(page(GUIDE).includes(url), `the guide does not name ${url}`);
    }
  });

  it("leaves more time to stop than requests under way get", () => {
    for (const { stop_grace_period: period } of Object.values(nodeReds)) {
      assert.ok(Number.parseInt(period ?? "0", 10) >= 20);
    }
  });

  it("gives the account of its flow the database that it makes", () => {
    assert.equal(accounts.length, 1);
    const [account] = accounts;
    assert.deepEqual([account?.keepMessages, account?.storeSchema], ["postgresql", "messaging"]);
    assert.ok(flows.some(({ type, account: used }) => type === "sms-send" && used === account?.id));
    const url = nodeReds["node-red-1"]?.environment.MESSAGING_STORE_URL ?? "";
    const [, user, host, name] =
      /^postgresql:\/\/(\w+):\$\{DATABASE_PASSWORD:\?[^}]+\}@(\w+):5432\/(\w+)$/.exec(url) ?? [];
    assert.ok(host !== undefined && services[host] === database);
    const script = textOf("create-database.sh");
    assert.match(script, new RegExp(`^CREATE ROLE ${user} LOGIN `, "m"));
    assert.match(script, new RegExp(`^CREATE DATABASE ${name} OWNER ${user} `, "m"));
    assert.ok(
      script.includes("$MESSAGING_PASSWORD") && database?.environment.MESSAGING_PASSWORD !== undefined,
    );
    // The guide to storage has the same statements.
    const [statements = ""] = codeOf(page("docs/storage.md"), "sql");
    const made = (sql: string): readonly string[] =>
      sql
        .split("\n")
        .filter((line) => /^(?:CREATE|REVOKE)/.test(line))
        .map((line) => line.replace(/PASSWORD '[^']+'|PASSWORD :'\w+'/, ""));
    assert.deepEqual(made(script), made(statements));
  });

  describe("the settings of its Node-REDs", () => {
    const secret = "a secret";
    const start = (folder: string): unknown =>
      JSON.parse(
        execFileSync(
          process.execPath,
          ["--print", `JSON.stringify(require(${JSON.stringify(join(folder, "settings.js"))}))`],
          {
            env: {
              FLOWS: join(folder, "flows", "flows.json"),
              MESSAGING_STORE_URL: "postgresql://somebody:password@host/database",
              NODE_RED_CREDENTIAL_SECRET: secret,
            },
            encoding: "utf8",
          },
        ),
      );

    it("write the credentials of the account once, encrypted as Node-RED reads them", () => {
      const folder = mkdtempSync(join(tmpdir(), "messaging-compose-"));
      try {
        cpSync(join(ROOT, FOLDER, "settings.js"), join(folder, "settings.js"));
        cpSync(join(ROOT, FOLDER, "flows.json"), join(folder, "flows", "flows.json"));
        const { credentialSecret } = start(folder) as { credentialSecret: string };
        assert.equal(credentialSecret, secret);
        const path = join(folder, "flows_cred.json");
        assert.equal(statSync(path).mode & 0o777, 0o600);
        const written = readFileSync(path, "utf8");
        const { $: encrypted } = JSON.parse(written) as { $: string };
        const key = createHash("sha256").update(secret).digest();
        const decipher = createDecipheriv("aes-256-ctr", key, Buffer.from(encrypted.slice(0, 32), "hex"));
        const plain = decipher.update(encrypted.slice(32), "base64", "utf8") + decipher.final("utf8");
        assert.deepEqual(JSON.parse(plain), {
          [accounts[0]?.id ?? ""]: { storeUrl: "${MESSAGING_STORE_URL}" },
        });
        start(folder);
        assert.equal(readFileSync(path, "utf8"), written, "what was there is overwritten");
        assert.deepEqual(readdirSync(join(folder, "flows")), ["flows.json"]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
});
