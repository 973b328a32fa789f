// Slow: it starts a PostgreSQL server of its own, which does not write to its disk.
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { CheckResult } from "../../../../../lib/gateway/connection-test/check-result";
import { checkStore } from "../../../../../lib/runtime/store/check/check-store";
import { sharePostgresql } from "../../../../../lib/store/engine/postgresql/shared-postgresql";
import { Store } from "../../../../../lib/store/store";
import { startPostgresql } from "../../../../support/store/postgresql-server";
import { usePostgresql } from "../../../../support/store/use-postgresql";
import { freePort } from "../../../../support/http/free-port";
import { accountConfig } from "../../../../support/account-config";

const PASSWORD = "never-Shown/1+";
const SCHEMA = "messaging";

describe("the check of a database", () => {
  const server = usePostgresql();
  let url: string;
  before(async () => {
    url = await server().newDatabase();
  });

  const check = (storeUrl = url, config = {}): Promise<CheckResult> =>
    checkStore(accountConfig({ keepMessages: "postgresql", ...config }), undefined, {
      storeUrl,
      find: () => null,
    });
  const place = (of = url, schema = SCHEMA): string => {
    const { host, pathname } = new URL(of);
    return `${host}${pathname} (${schema})`;
  };
  const query = (text: string) => server().query(text, url);
  const schemas = async (): Promise<unknown> =>
    (await query("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1")).map(
      ({ nspname }) => nspname,
    );

  /** As an account does when it starts. */
  async function make(schema = SCHEMA): Promise<void> {
    const { engine, release } = await sharePostgresql({ url, schema, tls: null });
    await new Store(engine, { keepTexts: false }).probe();
    await release();
  }

  /** The same database for a user without any rights of its own. */
  async function asUser(name: string, ...statements: readonly string[]): Promise<string> {
    await query(
      `DO $$ BEGIN CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
    for (const statement of statements) {
      await query(statement);
    }
    const other = new URL(url);
    other.username = name;
    other.password = encodeURIComponent(PASSWORD);
    return other.href;
  }

  const noSecret = (line: CheckResult): void =>
    assert.doesNotMatch(JSON.stringify(line), /right-password|wrong-password|never-Shown/);

  it("reports that the schema is missing, and creates none", async () => {
    const before = await schemas();
    const line = await check();
    assert.deepEqual([line.state, line.code, line.about], ["ok", "NEW_SCHEMA", place()]);
    assert.match(line.detail, /^PostgreSQL \d+[.\d]*, not encrypted; 0 bytes; answers in \d+ ms$/);
    assert.deepEqual(await schemas(), before);
    noSecret(line);
  });

  it("reports a user who may not use the schema, its tables, or make some in it", async () => {
    await make();
    const user = await asUser("reader");
    assert.match((await check(user)).detail, /USAGE ON SCHEMA/);
    await query("GRANT USAGE ON SCHEMA messaging TO reader");
    assert.equal((await check(user)).code, "STORE_NO_RIGHTS");
    await query("GRANT SELECT ON ALL TABLES IN SCHEMA messaging TO reader");
    const reading = await check(user);
    assert.deepEqual(
      [reading.code, /SELECT, INSERT, UPDATE, DELETE ON \w+/.test(reading.detail)],
      ["STORE_NO_RIGHTS", true],
    );
    await query("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA messaging TO reader");
    assert.equal((await check(user)).code, "OK");
    await query("CREATE SCHEMA bare; GRANT USAGE ON SCHEMA bare TO reader");
    assert.match((await check(user, { storeSchema: "bare" })).detail, /CREATE ON SCHEMA/);
  });

  it("reports tables of a newer version", async () => {
    await query(`INSERT INTO ${SCHEMA}.schema_migrations (version, hash, applied_at) VALUES (9999, '', 0)`);
    const { state, code, about, detail } = await check();
    assert.deepEqual([state, code, about], ["failed", "STORE_NEWER", place()]);
    assert.match(detail, /9999/);
  });

  it("reports a wrong password and an unknown user, and names neither", async () => {
    const wrong = new URL(url);
    wrong.password = "wrong-password";
    const refused = await check(wrong.href);
    assert.deepEqual([refused.state, refused.code, refused.about], ["failed", "STORE_PASSWORD", place()]);
    noSecret(refused);
    wrong.username = "nobody-of-that-name";
    const unknown = await check(wrong.href);
    assert.equal(unknown.code, "STORE_PASSWORD");
    assert.doesNotMatch(unknown.detail, /nobody-of-that-name/);
  });

  it("reports a database that does not exist", async () => {
    const { state, code, about } = await check(url.replace(/\w+$/, "no_such_database"));
    assert.deepEqual([state, code], ["failed", "STORE_NO_DATABASE"]);
    assert.match(about, /no_such_database/);
  });

  it("reports a server without TLS when TLS is required", async () => {
    const line = await check(`${url}?sslmode=require`);
    assert.deepEqual([line.state, line.code], ["failed", "STORE_TLS"]);
    noSecret(line);
  });

  it("reports a closed port, and a port of another service", async () => {
    const port = await freePort();
    const at = (of: number): string => `postgresql://user:never-Shown@127.0.0.1:${of}/messages`;
    const gone = await check(at(port));
    assert.deepEqual([gone.state, gone.code], ["failed", "STORE_UNREACHABLE"]);
    noSecret(gone);
    const sockets = new Set<Socket>();
    const other: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    try {
      const strange = await check(at((other.address() as AddressInfo).port));
      assert.deepEqual([strange.state, strange.code], ["failed", "STORE_NOT_POSTGRESQL"]);
      noSecret(strange);
    } finally {
      other.close();
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe("the check of a server that does not write to its disk", () => {
  it("reports it as unsafe", async function () {
    const unsafe = await startPostgresql({ fsync: "off" });
    if (unsafe === null) this.skip();
    try {
      const access = { storeUrl: unsafe.url, find: () => null };
      const { state, code, detail } = await checkStore(
        accountConfig({ keepMessages: "postgresql" }),
        undefined,
        access,
      );
      assert.deepEqual([state, code], ["failed", "STORE_UNSAFE"]);
      assert.match(detail, /fsync/);
    } finally {
      await unsafe.remove();
    }
  });
});
