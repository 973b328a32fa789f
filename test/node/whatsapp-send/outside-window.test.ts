import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import type { NodeMessage } from "node-red";
import { Account } from "../../../lib/runtime/account/account";
import type { SendResult } from "../../../lib/runtime/channels/send-result";
import { AccountMemory } from "../../../lib/runtime/memory/account-memory";
import { StoreError } from "../../../lib/store/engine/store-error";
import { Contacts } from "../../../lib/store/events/contacts";
import { newEvent } from "../../unit/store/suite/store-under-test";
import { useFolder } from "../../unit/store/use-folder";
import { waitFor } from "../../support/wait-for";
import { ACCOUNT, type Config, PortLog, resultOf, SENDER, type TestFlow } from "../flow";
import { inStore, killed, startStored } from "../store/stored-flow";
import { useSimulator } from "../use-simulator";

const HOUR = 3_600_000;
/** To these numbers the simulator takes a text at any time. */
const [IN, OUT, NEVER, IN_TOO] = ["99955500001", "99955500002", "99955500003", "99955500004"] as const;

const TEXT: Config = {
  type: "whatsapp-send",
  kind: "text",
  clientMessageId: "id",
  clientMessageIdSource: "msg",
};
const TEMPLATE: Config = {
  ...TEXT,
  outsideWindow: "template",
  templateName: "template",
  templateNameSource: "msg",
  templateLocale: "en_US",
  templateLocaleSource: "str",
};
const REJECT: Config = { ...TEXT, outsideWindow: "reject" };

/** Writes while its account has messages in memory. */
const NEVER_YET = "99955500005";

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
  const { flows } = runtime.getFlows();
  const started = new Promise((resolve) => events.once("flows:started", resolve));
  const changed = flows.map((node) => (node.id === SENDER ? { ...node, ...change } : { ...node }));
  await runtime.setFlows(structuredClone(changed), undefined, "nodes");
  await started;
}

/** What a result says: operation, status and recipients. */
const brief = (msg: NodeMessage): string => {
  const { operation, statusName, recipients } = resultOf(msg);
  return `${operation} ${statusName} ${recipients}`;
};
const partOf = (msg: NodeMessage) => (msg as { parts?: { index: number; count: number } }).parts;
const inOrder = (messages: readonly NodeMessage[]): NodeMessage[] =>
  messages.toSorted((a, b) => (partOf(a)?.index ?? 0) - (partOf(b)?.index ?? 0));

describe("whatsapp-send: outside the 24-hour window", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (sender: Config, account: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), { sender, account });
  const sent = (): string[] =>
    simulator.main.requests
      .filter(({ path }) => path !== "/oauth/token")
      .map(({ path, fields }) => `${path.split("_").at(-1)} ${String(fields.recipient).slice(1)}`);

  /** Lets numbers have written, so many hours ago each. */
  async function wrote(
    flow: TestFlow,
    hours: Readonly<Record<string, number>>,
    application = simulator.credentials.applicationId.toLowerCase(),
  ): Promise<void> {
    const opened = await Account.of(flow.account).store();
    const events = Object.entries(hours).map(([number, ago]) =>
      newEvent({
        kind: "inbound",
        number,
        at: Date.now() - ago * HOUR,
        reply: { channel: "whatsapp", application, body: "{}" },
      }),
    );
    await opened?.store.deliveries.note(opened.account, events);
  }
  const wroteInMemory = (number: string): void =>
    AccountMemory.of(ACCOUNT).contacts.note("whatsapp", simulator.credentials.applicationId, number);
  const result = async (flow: TestFlow, msg: Record<string, unknown>): Promise<SendResult> => {
    const { length } = flow.all.messages;
    flow.send({ payload: "Hello", template: "welcome", id: "", ...msg });
    return resultOf((await flow.all.until(length + 1))[length]);
  };

  it("sends the text all the same where nothing else is set", async () => {
    const flow = await start(TEXT);
    const { operation, outcome } = await result(flow, { to: OUT });
    assert.deepEqual([operation, outcome], ["whatsapp-text", "sent"]);
  });

  it("sends the template to those who wrote 24 hours ago or never, and the text to others", async () => {
    const flow = await start(TEMPLATE);
    await wrote(flow, { [IN]: 23.99, [OUT]: 24.01 });
    const operations: unknown[] = [];
    for (const to of [IN, OUT, NEVER]) {
      const { operation, outcome } = await result(flow, { to });
      operations.push([operation, outcome]);
    }
    assert.deepEqual(operations, [
      ["whatsapp-text", "sent"],
      ["whatsapp-template", "sent"],
      ["whatsapp-template", "sent"],
    ]);
    assert.equal(partOf(flow.all.messages[1]!), undefined);
    assert.deepEqual(
      simulator.main.messages.map(({ content }) => content !== "Hello"),
      [false, true, true],
    );
  });

  it("rejects those outside with what is known of them, and sends them nothing", async () => {
    const flow = await start(REJECT);
    await wrote(flow, { [IN]: 1, [OUT]: 24.5 });
    const found = await result(flow, { to: OUT });
    const { outcome, statusName, statusCode, source, attempts, clientMessageId, recipients } = found;
    assert.deepEqual(
      { outcome, statusName, statusCode, source, attempts, clientMessageId, recipients },
      {
        outcome: "rejected",
        statusName: "SESSION_EXPIRED",
        statusCode: null,
        source: "local",
        attempts: 0,
        clientMessageId: null,
        recipients: [OUT],
      },
    );
    assert.match(found.statusMessage, /\(\+9995…002: last wrote .*\)$/);
    assert.match(found.advice, /template/);
    assert.match((await result(flow, { to: NEVER })).statusMessage, /no message known\)$/);
    assert.equal(flow.ports[1]!.messages.length, 2);
    assert.equal((await result(flow, { to: IN })).outcome, "sent");
    assert.deepEqual(sent(), [`text ${IN}`]);
  });

  it("counts only messages to the application that the message is sent from", async () => {
    const flow = await start({ ...REJECT, applicationId: "app", applicationIdSource: "msg" });
    const own = simulator.credentials.applicationId;
    const other = "6D1B5C8E-0B7E-4D0F-9A51-5D1C1B7A0F11";
    simulator.main.addApplication(other);
    await wrote(flow, { [IN]: 1 });
    await wrote(flow, { [OUT]: 1 }, other.toLowerCase());
    const names: string[] = [];
    for (const [to, app] of [
      [IN, own],
      [IN, other],
      [OUT, other],
      [OUT, own],
    ] as const) {
      names.push((await result(flow, { to, app })).statusName);
    }
    assert.deepEqual(names, ["OK", "SESSION_EXPIRED", "OK", "SESSION_EXPIRED"]);
  });

  it("divides a list: each leaves once, in order, and each result says as what", async () => {
    const flow = await start(TEMPLATE, { connections: 1 });
    await wrote(flow, { [IN]: 1, [IN_TOO]: 2 });
    flow.send({ to: [OUT, IN, NEVER, IN_TOO, "12"], payload: "Hello", template: "welcome", id: "order" });
    const messages = inOrder(await flow.all.until(5));
    assert.deepEqual(messages.map(brief), [
      `whatsapp-template OK ${OUT}`,
      `whatsapp-text OK ${IN}`,
      `whatsapp-template OK ${NEVER}`,
      `whatsapp-text OK ${IN_TOO}`,
      "whatsapp-text RECIPIENTS_INVALID 12",
    ]);
    assert.deepEqual(
      messages.map((msg) => [partOf(msg)?.index, partOf(msg)?.count, resultOf(msg).clientMessageId]),
      [0, 1, 2, 3, 4].map((at) => [at, 5, at === 4 ? null : `order-${at + 1}`]),
    );
    assert.deepEqual(
      sent().sort(),
      [`template ${NEVER}`, `template ${OUT}`, `text ${IN}`, `text ${IN_TOO}`].sort(),
    );
    await flow.completed.until(1);
  });

  it("splits those of a list off that are rejected", async () => {
    const flow = await start(REJECT);
    await wrote(flow, { [IN]: 1 });
    flow.send({ to: [OUT, IN, NEVER], payload: "Hello", id: "" });
    const messages = inOrder(await flow.all.until(2));
    assert.deepEqual(messages.map(brief), [
      `whatsapp-text OK ${IN}`,
      `whatsapp-text SESSION_EXPIRED ${OUT},${NEVER}`,
    ]);
    assert.deepEqual(
      messages.map((msg) => partOf(msg)?.count),
      [2, 2],
    );
  });

  it("goes on after a restart with each as what it was taken as", async () => {
    const slow = { requestsPerSecond: 1, connections: 1 };
    const first = await start(TEMPLATE, slow);
    await wrote(first, { [IN]: 1 });
    first.send({ to: [IN, OUT, NEVER], payload: "Hello", template: "welcome", id: "order" });
    await first.all.until(1);
    const left = "SELECT id FROM requests WHERE state = 'emitted'";
    await waitFor("the mark of the first", async () => (await inStore(folder(), left)).length === 1);
    await first.stop();
    await killed(folder());
    const again = await start(TEMPLATE);
    const messages = inOrder(await again.all.until(2));
    assert.deepEqual(messages.map(brief), [`whatsapp-template OK ${OUT}`, `whatsapp-template OK ${NEVER}`]);
    assert.deepEqual(sent(), [`text ${IN}`, `template ${OUT}`, `template ${NEVER}`]);
  });

  it("lets a wrong template reject only those who would get it", async () => {
    const flow = await start({
      ...TEMPLATE,
      templateLocale: "locale",
      templateLocaleSource: "msg",
      localizableParams: "values",
      localizableParamsSource: "msg",
    });
    await wrote(flow, { [IN]: 1 });
    const wrong = [
      { template: "welcome", values: [] },
      { template: "", locale: "de", values: [] },
      { template: "order_ready", locale: "de", values: ["x".repeat(1_025)] },
    ];
    for (const [at, fields] of wrong.entries()) {
      flow.send({ to: [OUT, IN, NEVER], payload: "Hello", id: "", ...fields });
      const messages = inOrder((await flow.all.until(2 * at + 2)).slice(2 * at));
      const [inside, outside] = messages.map(resultOf);
      assert.deepEqual([inside?.outcome, inside?.recipients], ["sent", [IN]]);
      assert.deepEqual(
        [outside?.outcome, outside?.source, outside?.recipients, outside?.attempts],
        ["rejected", "local", [OUT, NEVER], 0],
      );
      assert.match(
        String(outside?.parameter),
        [/^templateLocale/, /^templateName/, /^localizableParams/][at]!,
      );
    }
    assert.deepEqual(sent(), [`text ${IN}`, `text ${IN}`, `text ${IN}`]);
  });

  it("sends nothing at all where the text is wrong for somebody inside, whoever comes first", async () => {
    const flow = await start(TEMPLATE);
    await wrote(flow, { [IN]: 1 });
    for (const to of [
      [IN, OUT],
      [OUT, IN],
    ]) {
      const { parameter, outcome } = await result(flow, { to, payload: "x".repeat(4_097) });
      assert.deepEqual([outcome, parameter], ["rejected", "content"]);
    }
    assert.deepEqual(sent(), []);
    // Outside, nobody gets the text.
    assert.equal((await result(flow, { to: OUT, payload: "x".repeat(4_097) })).outcome, "sent");
  });

  it("knows a once key again, whichever of the two it was sent as, and people who opted out", async () => {
    const once = { onceKey: "key", onceKeySource: "msg", onceWithin: "48h" };
    const flow = await start({ ...TEMPLATE, ...once });
    await wrote(flow, { [IN]: 1 });
    assert.equal((await result(flow, { to: IN, key: "a" })).operation, "whatsapp-text");
    assert.equal((await result(flow, { to: OUT, key: "a" })).operation, "whatsapp-template");
    await inStore(folder(), `UPDATE contacts SET at = at - ${30 * HOUR} WHERE number = '${IN}'`);
    await wrote(flow, { [OUT]: 1 });
    assert.equal((await result(flow, { to: IN, key: "a" })).statusName, "ALREADY_SENT");
    assert.equal((await result(flow, { to: OUT, key: "a" })).statusName, "ALREADY_SENT");
    assert.equal((await result(flow, { to: OUT, key: "a", payload: "Other" })).statusName, "KEY_REUSED");
    await (await Account.of(flow.account).optOuts()).add([NEVER], "all", "flow");
    assert.equal((await result(flow, { to: NEVER, key: "b" })).statusName, "OPTED_OUT");
    assert.equal(sent().length, 2);
  });

  it("tells those outside who opted out, or have the message, as such and not as outside", async () => {
    const flow = await start({ ...REJECT, onceKey: "key", onceKeySource: "msg", onceWithin: "48h" });
    await wrote(flow, { [IN]: 1 });
    await result(flow, { to: IN, key: "a" });
    await inStore(folder(), `UPDATE contacts SET at = at - ${30 * HOUR}`);
    assert.equal((await result(flow, { to: IN, key: "a" })).statusName, "ALREADY_SENT");
    await (await Account.of(flow.account).optOuts()).add([NEVER], "all", "flow");
    assert.equal((await result(flow, { to: NEVER, key: "b" })).statusName, "OPTED_OUT");
    assert.equal((await result(flow, { to: OUT, key: "b" })).statusName, "SESSION_EXPIRED");
  });

  it("counts a template as a message of the account's limits", async () => {
    const flow = await start(TEMPLATE, { limitDay: "2", limitAction: "refuse" });
    await wrote(flow, { [IN]: 1 });
    flow.send({ to: [IN, OUT, NEVER], payload: "Hello", template: "welcome", id: "" });
    const names = (await flow.all.until(3)).map((msg) => resultOf(msg).statusName).sort();
    assert.deepEqual(names, ["LIMIT_REACHED", "OK", "OK"]);
  });

  it("takes nobody of an account in memory for inside before a message came", async () => {
    const flow = await start(REJECT, { keepMessages: "memory" });
    assert.equal((await result(flow, { to: NEVER })).statusName, "SESSION_EXPIRED");
    wroteInMemory(NEVER_YET);
    assert.equal((await result(flow, { to: NEVER_YET })).statusName, "OK");
    assert.deepEqual(sent(), [`text ${NEVER_YET}`]);
  });

  it("sends from memory as from a store", async () => {
    const flow = await start(TEMPLATE, { keepMessages: "memory", connections: 1 });
    wroteInMemory(IN);
    flow.send({ to: [OUT, IN, NEVER, "12"], payload: "Hello", template: "welcome", id: "order" });
    const messages = inOrder(await flow.all.until(4));
    assert.deepEqual(messages.map(brief), [
      `whatsapp-template OK ${OUT}`,
      `whatsapp-text OK ${IN}`,
      `whatsapp-template OK ${NEVER}`,
      "whatsapp-text RECIPIENTS_INVALID 12",
    ]);
    assert.deepEqual(
      messages.map((msg) => [partOf(msg)?.index, partOf(msg)?.count, resultOf(msg).clientMessageId]),
      [0, 1, 2, 3].map((at) => [at, 4, at === 3 ? null : `order-${at + 1}`]),
    );
    assert.deepEqual(sent(), [`template ${OUT}`, `text ${IN}`, `template ${NEVER}`]);
  });

  it("gives what has not left at a deploy to the new node, and each leaves once", async () => {
    const held = { connections: 1, requestsPerSecond: 1 };
    const flow = await start(TEMPLATE, { keepMessages: "memory", ...held });
    wroteInMemory(IN);
    flow.send({ to: [IN, OUT, NEVER], payload: "Hello", template: "welcome", id: "order" });
    await flow.all.until(1);
    await deploySender({ name: "changed" });
    const results = new PortLog();
    for (const port of [0, 1, 2, 3]) {
      flow.node(`port${port}`).on("input", (msg: NodeMessage) => results.take(msg));
    }
    const messages = await results.until(2);
    assert.deepEqual(messages.map(brief).sort(), [
      `whatsapp-template OK ${OUT}`,
      `whatsapp-template OK ${NEVER}`,
    ]);
    assert.deepEqual(sent().sort(), [`template ${OUT}`, `template ${NEVER}`, `text ${IN}`].sort());
  });

  it("sends nothing where the store does not say who wrote, and says that it may be tried again", async () => {
    const flow = await start(REJECT);
    const { lastInbound } = Contacts.prototype;
    Contacts.prototype.lastInbound = () =>
      Promise.reject(new StoreError("STORE_SLOW", "messages.db", "", false));
    try {
      flow.send({ to: [IN, OUT], payload: "Hello", id: "" });
      const [msg] = await flow.ports[2]!.until(1);
      assert.equal(brief(msg!), `whatsapp-text STORE_UNAVAILABLE ${IN},${OUT}`);
    } finally {
      Contacts.prototype.lastInbound = lastInbound;
    }
    assert.deepEqual(sent(), []);
  });

  it("is told by the badge where the setting is none", async () => {
    const flow = await start({ ...TEXT, outsideWindow: "ignore" });
    flow.send({ to: IN, payload: "Hello", id: "" });
    const [caught] = await flow.caught.until(1);
    assert.match(
      String((caught as { error?: { message: string } }).error?.message),
      /24-hour window .*'ignore'/,
    );
    assert.equal(Account.of(flow.node(ACCOUNT)).sending.waiting, 0);
  });
});
