import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import helper from "node-red-node-test-helper";
import type { NodeMessage } from "node-red";
import { Account } from "../../../../lib/runtime/account/account";
import registerVerifyCode from "../../../../nodes/verify-code/verify-code";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../../unit/store/use-folder";
import { ACCOUNT, resultOf, SENDER, type TestFlow } from "../../../node/flow";
import { inStore, startStored } from "../../../node/store/stored-flow";
import { useSimulator } from "../../../node/use-simulator";

const TO = "+41790000001";
const CALLER = "192.0.2.77";
const logged = (): readonly unknown[] => (helper.log() as unknown as { args: unknown[] }).args;
const MORE = "a text that is not secret";

describe("a one-time code that is made, sent and checked, with an account that keeps texts", () => {
  const simulator = useSimulator();
  const folder = useFolder();

  /** Makes a code and sends it by SMS; `n-check` checks. */
  const start = (): Promise<TestFlow> =>
    startStored(simulator, folder(), {
      account: { keepTexts: true },
      sender: {
        type: "messaging-verify-code",
        kind: "make",
        characters: "letters",
        length: "12",
        template: "Your code is {{code}}.",
        callerSource: "str",
        caller: CALLER,
        wires: [["n-sms"], ["port1"], [], []],
      },
      register: [registerVerifyCode],
      more: [
        {
          id: "n-sms",
          z: "tab",
          type: "messaging-sms-send",
          account: ACCOUNT,
          wires: [["port0"], ["port0"], ["port0"], ["port0"]],
        },
        {
          id: "n-check",
          z: "tab",
          type: "messaging-verify-code",
          kind: "check",
          account: ACCOUNT,
          wires: [["port3"], ["port3"], ["port3"]],
        },
      ],
      completing: ["n-sms", "n-check"],
    });

  /** Every value of every table, and the bytes of every file. */
  async function kept(): Promise<string> {
    const tables = await inStore(folder(), "SELECT name FROM sqlite_master WHERE type = 'table'");
    assert.ok(tables.some(({ name }) => name === "codes"));
    const rows = [];
    for (const { name } of tables) {
      rows.push(name, await inStore(folder(), `SELECT * FROM ${name}`));
    }
    const files = readdirSync(folder()).map((file) => readFileSync(join(folder(), file)).toString("latin1"));
    return `${JSON.stringify(rows)}${files.join("")}`;
  }

  it("stands in no table, file, log line, badge, error or result", async () => {
    const flow = await start();
    const shown: unknown[] = [];
    for (const id of [SENDER, "n-sms", "n-check"]) {
      const node = flow.node(id);
      const show = node.status.bind(node);
      node.status = (status) => {
        shown.push(status);
        show(status);
      };
    }
    const { store, account } = (await Account.of(flow.account).store()) ?? assert.fail();
    await store.queue.pause(account);
    flow.send({ to: TO, payload: MORE });
    flow.node("n-sms").receive({ to: "+41790000002", payload: MORE } as unknown as NodeMessage);
    await waitFor("both to wait", async () => {
      const counts = await store.backlog.counts(account);
      return counts.ready + counts.waiting === 2;
    });
    const whileWaiting = await kept();
    await store.queue.resume(account);
    const sent = await flow.ports[0]!.until(2);
    const made = sent.find((msg) => resultOf(msg).recipients[0] === TO.slice(1)) as NodeMessage & {
      code: unknown;
    };
    const [, code = ""] =
      /^Your code is ([A-Z]{12})\.$/.exec(String(made.payload)) ?? assert.fail(String(made.payload));
    assert.ok(
      simulator.main.messages.some(({ content }) => String(content).includes(code)),
      "the code has reached the person",
    );
    for (const [before, payload] of [`X${code}`, code, code].entries()) {
      flow.node("n-check").receive({ to: TO, payload } as unknown as NodeMessage);
      await flow.ports[3]!.until(before + 1);
    }
    const checked = (await flow.ports[3]!.until(3)) as unknown as { code: { state: string } }[];
    assert.deepEqual(
      checked.map(({ code: { state } }) => state),
      ["wrong", "right", "none"],
    );
    flow.node("n-check").receive({ to: [TO, TO, "x"], payload: code } as unknown as NodeMessage);
    const [caught] = await flow.caught.until(1);
    const after = await kept();
    for (const found of [whileWaiting, after]) {
      assert.ok(found.includes(MORE), "texts that are not secret are kept");
    }
    await waitFor("the badges", () => shown.length > 2);
    const places = {
      "while it waits": whileWaiting,
      "when it was checked": after,
      log: inspect(logged(), { depth: 8 }),
      badges: inspect(shown),
      error: String((caught as unknown as { error: { message: string } }).error.message),
      results: JSON.stringify([made.code, checked.map((msg) => msg.code)]),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(!text.toUpperCase().includes(code), `the code stands in: ${place}`);
      assert.ok(!text.includes(CALLER), `the caller stands in: ${place}`);
    }
  });
});
