import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import helper from "node-red-node-test-helper";
import type { NodeAPI, NodeMessage } from "node-red";
import { activityOf } from "../../../lib/runtime/activity/activity-of";
import { Account } from "../../../lib/runtime/account/account";
import { Outbox } from "../../../lib/runtime/store/outbox/outbox";
import registerVerifyCode from "../../../nodes/verify-code/verify-code";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, resultOf, SENDER, type TestFlow } from "../flow";
import { inStore, startStored } from "../store/stored-flow";
import { useSimulator } from "../use-simulator";

const TO = "+41790000001";
const CALLER = "192.0.2.77";
const logged = (): readonly unknown[] => (helper.log() as unknown as { args: unknown[] }).args;
const MORE = "a text that is not secret";

describe("a one-time code that is made, sent and checked, with an account that keeps texts", () => {
  const simulator = useSimulator();
  const folder = useFolder();

  let RED: NodeAPI | null = null;

  /** Makes a code and sends it by SMS; `n-check` checks. */
  const start = (): Promise<TestFlow> =>
    startStored(simulator, folder(), {
      account: { keepTexts: true },
      sender: {
        type: "verify-code",
        kind: "make",
        characters: "letters",
        length: "12",
        template: "Your code is {{code}}.",
        callerSource: "str",
        caller: CALLER,
        wires: [["n-sms"], ["port1"], [], []],
      },
      register: [
        registerVerifyCode,
        (api) => {
          RED = api;
        },
      ],
      more: [
        {
          id: "n-sms",
          z: "tab",
          type: "sms-send",
          account: ACCOUNT,
          wires: [["port0"], ["port0"], ["port0"], ["port0"]],
        },
        {
          id: "n-check",
          z: "tab",
          type: "verify-code",
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

  it("stands in no table, file, log line, badge, activity or result", async () => {
    let flow = await start();
    const shown: unknown[] = [];
    const watch = (running: TestFlow): void => {
      for (const id of [SENDER, "n-sms", "n-check"]) {
        const node = running.node(id);
        const show = node.status.bind(node);
        node.status = (status) => {
          shown.push(status);
          show(status);
        };
      }
    };
    watch(flow);
    const { store, account } = (await Account.of(flow.account).store()) ?? assert.fail();
    await store.queue.pause(account);

    flow.send({ to: TO, payload: MORE });
    flow.node("n-sms").receive({ to: "+41790000002", payload: MORE } as unknown as NodeMessage);
    await waitFor("both to wait", async () => {
      const counts = await store.backlog.counts(account);
      return counts.ready + counts.waiting === 2;
    });
    const whileWaiting = await kept();
    const lines = [inspect(logged(), { depth: 8 })];
    await flow.stop();
    Outbox.of(ACCOUNT).messages.clear();

    flow = await start();
    watch(flow);
    const opened = (await Account.of(flow.account).store()) ?? assert.fail();
    await opened.store.queue.resume(account);
    const sent = await flow.ports[0]!.until(2);
    const made = sent.find((msg) => resultOf(msg).recipients[0] === TO.slice(1)) as NodeMessage & {
      payload: string;
      code: unknown;
    };
    const [, code] = /^Your code is ([A-Z]{12})\.$/.exec(made.payload) ?? assert.fail(made.payload);
    assert.ok(code !== undefined);
    assert.ok(
      simulator.main.messages.some(({ content }) => String(content).includes(code)),
      "the code has reached the person",
    );
    const afterSending = await kept();
    for (const payload of [`X${code}`, code, code]) {
      flow.node("n-check").receive({ to: TO, payload } as unknown as NodeMessage);
    }
    const checked = (await flow.ports[3]!.until(3)) as unknown as { code: { state: string } }[];
    assert.deepEqual(checked.map(({ code: { state } }) => state).sort(), ["none", "right", "wrong"]);
    flow.node("n-check").receive({ to: [TO, TO, "x"], payload: code } as unknown as NodeMessage);
    const [caught] = await flow.caught.until(1);
    const after = await kept();

    // What is searched would find the code where it is, and has what it ought to have.
    assert.ok(inspect(made).includes(code));
    for (const found of [whileWaiting, afterSending, after]) {
      assert.ok(found.includes(MORE), "texts that are not secret are kept");
    }
    lines.push(inspect(logged(), { depth: 8 }));
    const activity = activityOf(RED ?? assert.fail()).watch();
    // Badges are shown at a limited rate, the latest one some time later.
    await waitFor("the badges", () => shown.length > 2);
    assert.ok(logged().length > 0 && activity.entries.length > 0);
    const places = {
      "while it waits": whileWaiting,
      "when it has left": afterSending,
      "when it was checked": after,
      log: lines.join(),
      badges: inspect(shown),
      activity: JSON.stringify(activity),
      error: String((caught as unknown as { error: { message: string } }).error.message),
      results: JSON.stringify([made.code, checked.map((msg) => msg.code)]),
    };
    for (const [place, text] of Object.entries(places)) {
      assert.ok(!text.toUpperCase().includes(code), `the code stands in: ${place}`);
      assert.ok(!text.includes(CALLER), `the caller stands in: ${place}`);
    }
  });
});
