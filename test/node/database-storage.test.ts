// Slow: the store opens again a second after the server refused it.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import helper from "node-red-node-test-helper";
import { Account } from "../../lib/runtime/account/account";
import { STAND_IN } from "../../lib/shared/stand-in";
import { SetupError } from "../../lib/shared/messaging-error";
import { useOwnPostgresql } from "../support/store/use-postgresql";
import { waitFor } from "../support/wait-for";
import { type Answered, ask } from "./dialog-tests/ask";
import { ACCOUNT, accountAt, type Config, resultOf, startFlow, type TestFlow, untilBadge } from "./flow";
import { useSimulator } from "./use-simulator";

const RIGHT = "right-password";
const WRONG = "wr0ng/Passw0rd+";

describe("storage of an account in PostgreSQL", () => {
  const simulator = useSimulator();
  const server = useOwnPostgresql();
  let url: string;
  beforeEach(async () => {
    url = await server().newDatabase();
  });

  const start = (storeUrl = url, config: Config = {}, sender: Config = {}): Promise<TestFlow> => {
    const { account, credentials } = accountAt(simulator);
    return startFlow({
      sender,
      account: { ...account, keepMessages: "postgresql", ...config },
      credentials: { ...credentials, storeUrl },
    });
  };
  const storeOf = ({ node }: TestFlow) => Account.of(node(ACCOUNT)).store();
  const place = (schema = "messaging"): string => {
    const { host, pathname } = new URL(url);
    return `${host}${pathname} (${schema})`;
  };
  const withPassword = (password: string): string => {
    const other = new URL(url);
    other.password = encodeURIComponent(password);
    return other.href;
  };
  const rows = (table: string, schema = "messaging") =>
    server().query(`SELECT * FROM ${schema}.${table}`, url);
  /** Everything that left the flow, and the log. */
  const seen = ({ all, caught, completed, statuses }: TestFlow): string => {
    const lines: unknown[] = (helper.log() as { args: unknown[] }).args;
    const messages = [all, caught, completed, statuses].map((log) => log.messages);
    return inspect([lines, messages], { depth: 20, maxStringLength: null, maxArrayLength: null });
  };
  const noSecret = (text: string): void => {
    for (const secret of [RIGHT, WRONG, encodeURIComponent(WRONG), "postgresql://tester", url]) {
      assert.equal(text.includes(secret), false, `${secret} was found`);
    }
  };

  it("sends, and has the message in its schema", async () => {
    const flow = await start(url, { storeSchema: "shop" });
    flow.send({ to: "+41790000001", payload: "Hello" });
    const [msg] = await flow.ports[0]!.until(1);
    assert.equal(resultOf(msg).outcome, "sent");
    await flow.completed.until(1);
    assert.equal((await storeOf(flow))?.store.engine.place, place("shop"));
    await waitFor("the result to be kept as emitted", async () => {
      const [row] = await rows("messages", "shop");
      return row?.outcome === "sent" && (await rows("outbox", "shop")).length === 0;
    });
    assert.deepEqual(
      (await rows("messages", "shop")).map(({ recipient }) => recipient),
      ["41790000001"],
    );
    noSecret(seen(flow));
  });

  it("sends nothing with a wrong password, says so, and goes on when it is right", async () => {
    const flow = await start(withPassword(WRONG));
    flow.send({ to: "+41790000001", payload: "Hello" });
    const { outcome, statusName, statusMessage, source } = resultOf((await flow.ports[2]!.until(1))[0]);
    assert.deepEqual([outcome, statusName, source], ["retry-later", "STORE_UNAVAILABLE", "local"]);
    assert.ok(statusMessage.includes(place()), statusMessage);
    await untilBadge(flow, /store refuses the user/);
    assert.deepEqual(simulator.main.messages, []);
    noSecret(seen(flow));
    await server().query(`ALTER ROLE tester PASSWORD '${WRONG}'`, url);
    try {
      await waitFor("a message to be sent", async () => {
        const before = flow.all.messages.length;
        flow.send({ to: "+41790000002", payload: "Hello" });
        const msg = (await flow.all.until(before + 1))[before];
        return resultOf(msg).outcome === "sent";
      });
    } finally {
      await server().query(`ALTER ROLE tester PASSWORD '${RIGHT}'`, withPassword(WRONG));
    }
    noSecret(seen(flow));
  });

  it("sends nothing with settings that cannot work, and shows no part of the URL", async () => {
    for (const [storeUrl, config, code] of [
      ["", {}, "BAD_SETTING"],
      ["${NO_SUCH_URL}", {}, "UNRESOLVED_VARIABLE"],
      [`mysql://user:${RIGHT}@host/messages`, {}, "BAD_SETTING"],
      [undefined, { storeSchema: "pg_own" }, "BAD_SETTING"],
      [undefined, { storeTls: "gone" }, "BAD_TLS"],
    ] as const) {
      const flow = await start(storeUrl, config);
      await assert.rejects(storeOf(flow), (error) => error instanceof SetupError && error.code === code);
      flow.send({ to: "+41790000001", payload: "Hello" });
      await flow.caught.until(1);
      assert.deepEqual(flow.all.messages, []);
      assert.deepEqual(simulator.main.messages, []);
      noSecret(seen(flow));
      await flow.stop();
    }
  });

  describe("in the connection test of the dialog", () => {
    const storage = async (
      storeUrl: string,
      config: Config = {},
      id = ACCOUNT,
    ): Promise<Answered & { readonly line?: { state: string; code: string; about: string } }> => {
      const entered = { service: "simulator", legacyAuth: "basic", keepMessages: "postgresql", ...config };
      const answered = await ask("test", { config: entered, credentials: { storeUrl } }, id);
      assert.equal(answered.status, 200, answered.text);
      noSecret(answered.text);
      return { ...answered, line: answered.body.lines?.at(-1) };
    };

    it("is tested with the stored URL, which is not revealed, and nothing is made", async () => {
      // An account that a node uses opens its database by itself, perhaps before the test.
      await start(url, {}, { account: "" });
      const { line } = await storage(STAND_IN);
      assert.deepEqual([line?.state, line?.code, line?.about], ["ok", "NEW_SCHEMA", place()]);
      assert.deepEqual(
        await server().query("SELECT 1 FROM pg_namespace WHERE nspname = 'messaging'", url),
        [],
      );
    });

    it("is tested with a URL as it is entered, deployed or not", async () => {
      await start("postgresql://user:password@127.0.0.1:1/elsewhere");
      for (const id of [ACCOUNT, "new-account"]) {
        assert.equal((await storage(url, {}, id)).line?.code, "NEW_SCHEMA");
        assert.equal((await storage(withPassword(WRONG), {}, id)).line?.code, "STORE_PASSWORD");
      }
      assert.equal((await storage("")).line?.code, "BAD_SETTING");
    });

    it("asks for the URL again where the TLS configuration is another one, or nothing is deployed", async () => {
      await start();
      const retype = { error: "retype", fields: ["storeUrl"] };
      assert.deepEqual((await storage(STAND_IN, { storeTls: "lax" })).body, retype);
      assert.deepEqual((await storage(STAND_IN, {}, "new-account")).body, retype);
      assert.deepEqual((await storage("${TEST_STORE_URL}", {}, "new-account")).body, retype);
    });
  });
});
