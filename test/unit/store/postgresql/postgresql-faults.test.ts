// Slow: it starts a server that is unsafe, and makes a database for many of its faults.
import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { call } from "../../../../lib/store/engine/query";
import type { StoreError, StoreFault } from "../../../../lib/store/engine/store-error";
import { statement } from "../../../../lib/store/schema/statement";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import { freePort } from "../../../support/http/free-port";
import { startPostgresql } from "../../../support/store/postgresql-server";
import { usePostgresql } from "../../../support/store/use-postgresql";
import { type FakeServer, fakeServer, serverOfVersion, serverWithTls } from "./fake-server";
import { add, fails, list, NEWER, RAISE, useEngines } from "../engine-statements";

const BAD_REQUEST = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
const MAKE_RAISE = statement("test_pg_make_raise")`
    CREATE OR REPLACE FUNCTION raise_code() RETURNS text LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = current_setting('test.code'); END $$`;

describe("faults of PostgreSQL", () => {
  const open = useEngines();

  describe("where no server can be used", () => {
    const servers: FakeServer[] = [];
    afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
    const fake = async (server: Promise<FakeServer>): Promise<FakeServer> => {
      servers.push(await server);
      return servers.at(-1)!;
    };
    let certificates: Certificates;
    before(() => {
      certificates = makeCertificates();
    });

    for (const [what, url] of [
      ["another protocol", "mysql://somebody:right-password@127.0.0.1/shop"],
      ["no user", "postgresql://127.0.0.1/shop"],
      ["no database", "postgresql://somebody:right-password@127.0.0.1"],
      ["no host", "postgresql:///shop"],
      ["a password that is not encoded", "postgresql://somebody:12/right-password@127.0.0.1/shop"],
      ["another one", "postgresql://somebody:12?right-password@127.0.0.1/shop"],
      ["and another one", "postgresql://somebody:1#right-password@127.0.0.1/shop"],
      ["half a character", "postgresql://somebody:right-password%E0%A4@127.0.0.1/shop"],
      ["an unknown sslmode", "postgresql://somebody:right-password@127.0.0.1/shop?sslmode=prefer"],
      ["an unknown parameter", "postgresql://somebody:right-password@127.0.0.1/shop?options=-c"],
    ] as const) {
      it(`are told of a URL with ${what}`, async () => {
        const engine = open({ url });
        await fails(list(engine), "STORE_BAD_URL");
        assert.doesNotMatch(engine.place, /password|somebody|12/);
      });
    }

    it("are told of a port where nobody listens, and of a host that does not exist", async () => {
      const url = `postgresql://somebody:right-password@127.0.0.1:${await freePort()}/shop`;
      await fails(list(open({ url })), "STORE_UNREACHABLE");
      const nowhere = "postgresql://somebody:right-password@nowhere.invalid/shop";
      await fails(list(open({ url: nowhere })), "STORE_UNREACHABLE");
    });

    for (const [what, answer, fault] of [
      ["closes the connection", (socket) => socket.destroy(), "STORE_UNREACHABLE"],
      ["accepts and says nothing", () => {}, "STORE_SLOW"],
      [
        "greets in another language",
        (socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n"),
        "STORE_NOT_POSTGRESQL",
      ],
      ["speaks HTTP", (socket) => socket.once("data", () => socket.end(BAD_REQUEST)), "STORE_NOT_POSTGRESQL"],
    ] as readonly [string, (socket: Socket) => void, StoreFault][]) {
      for (const mode of ["disable", "require"]) {
        it(`are told of a server that ${what} (sslmode ${mode})`, async () => {
          const server = await fake(fakeServer(answer));
          const settings = fault === "STORE_SLOW" ? { connectTimeout: 100 } : {};
          await fails(list(open({ url: `${server.url}?sslmode=${mode}`, ...settings })), fault);
        });
      }
    }

    it("are told of an old version", async () => {
      const { url } = await fake(serverOfVersion("120011", "12.11"));
      await assert.rejects(list(open({ url })), (error: StoreError) => {
        assert.equal(error.code, "STORE_TOO_OLD");
        assert.match(error.message, /12\.11/);
        return true;
      });
    });

    it("verifies the certificate", async () => {
      const { good, authority, otherHost, expired } = certificates;
      const { url } = await fake(serverWithTls(good));
      for (const mode of ["require", "verify-ca", "verify-full"]) {
        await fails(list(open({ url: `${url}?sslmode=${mode}` })), "STORE_TLS");
      }
      const tls = { ca: authority.cert };
      // The connection was made; what answers is too old.
      await fails(list(open({ url, tls })), "STORE_TOO_OLD");
      for (const identity of [otherHost, expired]) {
        const other = await fake(serverWithTls(identity));
        await fails(list(open({ url: other.url, tls })), "STORE_TLS");
      }
    });
  });

  describe("that a server reports", () => {
    const server = usePostgresql();

    it("are a wrong password, an unknown user and a database that is not there", async () => {
      const { url } = server();
      await fails(list(open({ url: url.replace("right-password", "wrong-password") })), "STORE_PASSWORD");
      await fails(list(open({ url: url.replace("tester", "somebody") })), "STORE_PASSWORD");
      await fails(list(open({ url: url.replace(/[^/]+$/, "shop") })), "STORE_NO_DATABASE");
      await fails(list(open({ url: `${url}?sslmode=require` })), "STORE_TLS");
    });

    it("are missing rights, and none are missing to the owner of the schema", async () => {
      const url = await server().newDatabase();
      await server().query(`CREATE ROLE "small one" LOGIN PASSWORD 'a/b:c@d#e%?&'`);
      const own = url.replace(
        "tester:right-password",
        `${encodeURIComponent("small one")}:${encodeURIComponent("a/b:c@d#e%?&")}`,
      );
      await fails(list(open({ url: own })), "STORE_NO_RIGHTS");
      await server().query(`CREATE SCHEMA messaging AUTHORIZATION "small one"`, url);
      assert.deepEqual(await list(open({ url: own })), []);
    });

    it("are a database that is read-only", async () => {
      const url = await server().newDatabase();
      await list(open({ url }));
      await server().query(
        `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
      );
      await fails(list(open({ url })), "STORE_READ_ONLY");
    });

    it("are a newer schema, which stays as it is", async () => {
      const url = await server().newDatabase();
      await open({ url }).run([call(NEWER)]);
      await fails(list(open({ url })), "STORE_NEWER");
    });

    it("are a database that cannot hold every character", async () => {
      const url = new URL(server().url);
      url.pathname = "/latin1";
      await server().query("CREATE DATABASE latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
      await fails(list(open({ url: url.href })), "STORE_NOT_UTF8");
      await server().query("DROP DATABASE latin1 WITH (FORCE)");
    });

    it("are an unsafe server; a session that would be unsafe is made safe", async () => {
      const url = await server().newDatabase();
      await server().query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
      const show = statement("test_pg_synchronous")`SHOW synchronous_commit`;
      assert.deepEqual((await open({ url }).run([call(show)]))[0], [{ synchronous_commit: "on" }]);
      const unsafe = (await startPostgresql({ fsync: "off" }))!;
      try {
        await fails(list(open({ url: unsafe.url })), "STORE_UNSAFE");
      } finally {
        await unsafe.remove();
      }
    });

    for (const [code, fault, uncertain] of [
      ["53100", "STORE_FULL", false],
      ["XX001", "STORE_DAMAGED", false],
      ["XX002", "STORE_DAMAGED", false],
      ["58030", "STORE_IO", false],
      ["25006", "STORE_READ_ONLY", false],
      ["42501", "STORE_NO_RIGHTS", false],
      ["57014", "STORE_SLOW", false],
      ["40P01", "STORE_SLOW", false],
      ["23505", "STORE_REFUSED", false],
    ] as const) {
      it(`are ${fault} for ${code}, and the next operation works`, async () => {
        const engine = open({ url: server().url });
        await engine.run([call(MAKE_RAISE)]);
        await fails(
          add(engine, code).then(() => engine.run([call(RAISE, code)])),
          fault,
          uncertain,
        );
        await fails(engine.run([call(RAISE, code), call(RAISE, code)]), fault, uncertain);
        assert.ok((await list(engine)).includes(code));
      });
    }

    it("have no values of the statement in them", async () => {
      const number = statement("test_pg_number")`SELECT CAST(?1 AS bigint)`;
      await assert.rejects(
        open({ url: server().url }).run([call(number, "+41790000001x")]),
        (error: StoreError) => {
          assert.equal(error.code, "STORE_REFUSED");
          assert.doesNotMatch(error.message, /4179/);
          return true;
        },
      );
    });
  });
});
