import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import type { NodeMessage } from "node-red";
import { Account } from "../../lib/runtime/account/account";
import { RequestCheck } from "../../lib/runtime/guards/memory-check";
import { AccountMemory } from "../../lib/runtime/memory/account-memory";
import { MemoryLimits } from "../../lib/runtime/memory/memory-limits";
import { MemoryOnceKeys } from "../../lib/runtime/memory/memory-once-keys";
import { hurry } from "../support/hurry";
import { waitFor } from "../support/wait-for";
import { ask } from "./dialog-tests/ask";
import { accountAt, ACCOUNT, type Config, resultOf, SENDER, startFlow, type TestFlow } from "./flow";
import { closedHours, described, optOut, OTHER_CHANNELS, reached, RULED, UNSET } from "./rules-flow";
import { SAMPLE_NUMBERS } from "./store/sample-numbers";
import { useSimulator } from "./use-simulator";

const [A, B, C, D] = ["41790000001", "41790000002", "41790000003", "41790000004"] as const;
const WITH_ID: Config = { ...RULED, clientMessageId: "id", clientMessageIdSource: "msg" };

interface Runtime {
  readonly _redNodes: {
    getFlows(): { flows: readonly Config[] };
    setFlows(nodes: readonly Config[], credentials: undefined, type: string): Promise<unknown>;
  };
  readonly _events: NodeJS.EventEmitter;
}
const { _redNodes: runtime, _events: events } = helper as unknown as Runtime;

/** Deploys the present flow with another send node. */
async function deploySender(change: Config): Promise<void> {
  const flows = runtime
    .getFlows()
    .flows.map((node) => (node.id === SENDER ? { ...node, ...change } : { ...node }));
  const started = new Promise((resolve) => events.once("flows:started", resolve));
  await runtime.setFlows(structuredClone(flows), undefined, "nodes");
  await started;
}

describe("guards of messages in memory", () => {
  const simulator = useSimulator();
  let restore = (): void => {};
  afterEach(async () => {
    restore();
    restore = () => {};
    const guards = AccountMemory.of(ACCOUNT);
    Object.assign(guards, { onceKeys: new MemoryOnceKeys(), limits: new MemoryLimits() });
    await guards.optOuts.remove((await guards.optOuts.page("", 1_000_000)).map(({ number }) => number));
  });
  const start = (account: Config = {}, sender: Config = {}): Promise<TestFlow> => {
    const real = accountAt(simulator);
    return startFlow({
      ...real,
      account: { ...real.account, keepMessages: "memory", ...account },
      sender: { ...WITH_ID, ...sender },
    });
  };
  const send = (flow: TestFlow, msg: Record<string, unknown>): void =>
    flow.send({ to: A, payload: "Hello", ...UNSET, id: "", ...msg });
  const sentTo = (): string[] => reached(simulator);
  const count = (messages: readonly NodeMessage[], name: string): number =>
    messages.filter((msg) => resultOf(msg).statusName === name).length;
  const waiting = (flow: TestFlow, requests: number) =>
    waitFor(`${requests} to wait`, () => Account.of(flow.node(ACCOUNT)).sending.waiting === requests);

  it("send one of twenty messages with the same once key, and say of the others when it left", async () => {
    const flow = await start();
    for (let n = 0; n < 20; n++) {
      send(flow, { onceKey: "invoice-7" });
    }
    const messages = await flow.all.until(20);
    assert.deepEqual([count(messages, "OK"), count(messages, "ALREADY_SENT")], [1, 19]);
    assert.equal(simulator.main.requestCount, 1);
    send(flow, { onceKey: "invoice-7", payload: "another text" });
    send(flow, { onceKey: "invoice-7", to: [A, B] });
    assert.deepEqual(described((await flow.all.until(23)).slice(20)), [
      `ALREADY_SENT ${A}`,
      `KEY_REUSED ${A}`,
      `OK ${B}`,
    ]);
    const held = resultOf(messages.find((msg) => resultOf(msg).statusName === "ALREADY_SENT"));
    assert.match(held.statusMessage, /\(\+4179…001: .*\d\d:\d\d/);
    assert.deepEqual([held.outcome, held.recipients, held.clientMessageId], ["rejected", [A], null]);
  });

  it("let exactly 100 of 1,000 messages leave where 100 may", async () => {
    const flow = await start({ limitDay: "100", limitAction: "refuse" });
    for (let n = 0; n < 1_000; n++) {
      send(flow, { to: String(41791000000 + n) });
    }
    const messages = await flow.all.until(1_000);
    assert.deepEqual([count(messages, "OK"), count(messages, "LIMIT_REACHED")], [100, 900]);
    assert.equal(sentTo().length, 100);
  });

  it("let 9,830 of 10,000 leave, and report 170 in three results", async () => {
    const { mobiles, abroad, wrong } = SAMPLE_NUMBERS;
    const flow = await start({ allowedCountries: "CH" });
    const people = mobiles(9_930);
    await optOut(flow, people.filter((_, n) => n % 99 === 0).slice(0, 100));
    send(flow, { to: [...people, ...abroad(50), ...wrong(20)], onceKey: "newsletter-11" });
    await flow.completed.until(1);
    const messages = flow.all.messages;
    const held = messages.filter((msg) => resultOf(msg).outcome === "rejected");
    assert.deepEqual(
      held.map((msg) => `${resultOf(msg).statusName} ${resultOf(msg).recipients.length}`).sort(),
      ["COUNTRY_NOT_ALLOWED 50", "OPTED_OUT 100", "RECIPIENTS_INVALID 20"],
    );
    assert.deepEqual([sentTo().length, new Set(sentTo()).size], [9_830, 9_830]);
    assert.equal((messages[0] as unknown as { parts: { count: number } }).parts.count, messages.length);
  });

  it("look again when a message leaves: who opted out meanwhile gets nothing, and is reported beside the others", async () => {
    const flow = await start();
    const account = Account.of(flow.node(ACCOUNT));
    await waitFor("the account", async () => (await ask("sending/stop", {})).status === 200);
    const parts = { id: "outer", index: 0, count: 1 };
    send(flow, { to: [A, B, C], parts });
    send(flow, { to: B });
    await waiting(flow, 2);
    await optOut(flow, [B]);
    await ask("sending/go-on", {});
    const messages = await flow.all.until(3);
    assert.deepEqual(described(messages), [`OK ${A},${C}`, `OPTED_OUT ${B}`, `OPTED_OUT ${B}`]);
    assert.deepEqual(sentTo(), [A, C]);
    const [main, late] = [`OK ${A},${C}`, "OPTED_OUT"].map((name) =>
      messages.find(
        (msg) =>
          Array.isArray((msg as unknown as { to: unknown }).to) &&
          `${resultOf(msg).statusName} ${resultOf(msg).recipients}`.startsWith(name),
      ),
    ) as unknown as Record<"to" | "parts" | "payload", unknown>[];
    assert.deepEqual([main?.to, main?.parts], [[A, C], parts]);
    assert.deepEqual([late?.to, late?.payload, "parts" in (late ?? {})], [[B], "Hello", false]);
    await flow.completed.until(2);
    assert.equal(account.sending.waiting, 0);
  });

  it("keep a message until its time, count it in the queue, and send it once", async () => {
    const flow = await start({ connections: 1, queueLimit: 1 });
    restore = hurry(3_600);
    send(flow, { notBefore: "2h" });
    send(flow, { notBefore: "2h", to: B });
    send(flow, { notBefore: "2h", to: C });
    const [refused] = await flow.ports[2]!.until(1);
    assert.deepEqual(described([refused!]), [`QUEUE_FULL ${C}`]);
    assert.deepEqual(sentTo(), []);
    await flow.ports[0]!.until(2);
    assert.deepEqual(sentTo(), [A, B]);
  });

  it("hand what waits to the node of a deploy: the time goes on, and the once key is held by nobody else", async () => {
    const flow = await start();
    /** Moments until which requests were told to wait, by their first recipient. */
    const untils = new Map<string, Set<number>>();
    const { hold } = RequestCheck.prototype;
    RequestCheck.prototype.hold = function held(recipients, now) {
      const parts = hold.call(this, recipients, now);
      for (const { until } of parts.filter(({ verdict }) => verdict === null)) {
        const [first = ""] = recipients;
        untils.set(first, (untils.get(first) ?? new Set()).add(until));
      }
      asked += parts.length;
      return parts;
    };
    let asked = 0;
    const unhurry = hurry(7_200);
    restore = () => {
      RequestCheck.prototype.hold = hold;
      unhurry();
    };
    send(flow, { onceKey: "sent" });
    await flow.ports[0]!.until(1);
    send(flow, { notBefore: "9h", onceKey: "a", id: "one" });
    send(flow, { notBefore: "9h", to: [B, C, "wrong"], id: "two" });
    await waiting(flow, 2);
    await flow.all.until(2);
    const before = asked;
    await deploySender({ name: "another name" });
    await waitFor("the successor to ask", () => asked === before + 2);
    await waiting(flow, 2);
    assert.deepEqual(sentTo(), [A]);
    const sender = helper.getNode(SENDER);
    const heard: NodeMessage[] = [];
    // The test helper's ports do not outlive a deploy.
    sender.send = ((messages: (NodeMessage | null)[]) => {
      heard.push(...messages.filter((each): each is NodeMessage => each !== null));
    }) as typeof sender.send;
    sender.receive({ to: A, payload: "Hello", ...UNSET, id: "", onceKey: "sent" } as unknown as NodeMessage);
    await waitFor("the key to be known", () => heard.length === 1);
    assert.deepEqual(described(heard), [`ALREADY_SENT ${A}`]);
    await waitFor("both", () => heard.length === 3);
    assert.deepEqual(
      [...untils.values()].map(({ size }) => size),
      [1, 1],
      "a duration that has begun goes on",
    );
    assert.deepEqual(described(heard.slice(1)), [`OK ${A}`, `OK ${B},${C}`]);
    assert.deepEqual(sentTo(), [A, A, B, C]);
    assert.deepEqual(
      heard
        .slice(1)
        .map((msg) => resultOf(msg).clientMessageId)
        .sort(),
      ["one", "two-1"],
    );
  });

  it("say how many waiting messages were not sent when the flows stop", async () => {
    const flow = await start();
    send(flow, { notBefore: "2h" });
    send(flow, { notBefore: "3h", to: [B, C] });
    await waiting(flow, 2);
    const lines: string[] = [];
    (flow.sender as unknown as { error: (text: unknown) => void }).error = (text) => lines.push(String(text));
    await flow.stop();
    assert.match(lines.join(), /^People not sent to: 3 \([^)]*\)\. The flows were stopped /);
    assert.equal(simulator.main.requestCount, 0);
  });

  it("do not hold back the test of a dialog until the hours or a next period, and tell it of a limit", async () => {
    const flow = await start({ limitHour: "1", ...closedHours(), sendingBy: "account" });
    const test = (to: string) =>
      ask("send-test", {
        type: "sms-send",
        node: SENDER,
        config: { messageContent: "Hello", messageContentSource: "str" },
        to: `+${to}`,
      });
    assert.equal((await test(A)).body.result?.statusName, "OK");
    assert.equal((await test(B)).body.result?.statusName, "LIMIT_REACHED");
    assert.equal(flow.all.messages.length, 0);
  });

  it("cancel what waits, by the id of a message or of a part, by a once key, or all", async () => {
    const flow = await start();
    const later = { notBefore: "2h" };
    send(flow, { ...later, id: "one" });
    send(flow, { ...later, id: "two", to: B });
    send(flow, { ...later, onceKey: "key", to: C });
    send(flow, { ...later, id: "list", to: [A, "wrong"] });
    flow.send({ cancel: ["one", "key", "list"] });
    assert.deepEqual(described(await flow.ports[2]!.until(3)), [
      `CANCELLED ${A}`,
      `CANCELLED ${A}`,
      `CANCELLED ${C}`,
    ]);
    await waiting(flow, 1);
    // The key is free again.
    send(flow, { onceKey: "key", to: C });
    await flow.ports[0]!.until(1);
    send(flow, { ...later, to: D });
    flow.send({ cancel: true });
    assert.deepEqual(described((await flow.ports[2]!.until(5)).slice(3)), [
      `CANCELLED ${B}`,
      `CANCELLED ${D}`,
    ]);
    await waiting(flow, 0);
    assert.deepEqual(sentTo(), [C]);
  });

  it("apply to WhatsApp and RCS messages as well", async () => {
    for (const sender of OTHER_CHANNELS) {
      const flow = await start({}, sender);
      await optOut(flow, [D]);
      send(flow, { onceKey: sender.type });
      assert.equal(resultOf((await flow.all.until(1))[0]).outcome, "sent");
      send(flow, { to: [A, B, D], onceKey: sender.type });
      assert.deepEqual(described((await flow.all.until(4)).slice(1)), [
        `ALREADY_SENT ${A}`,
        `OK ${B}`,
        `OPTED_OUT ${D}`,
      ]);
      await flow.stop();
    }
  });
});
