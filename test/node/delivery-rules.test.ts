import assert from "node:assert/strict";
import { waitFor } from "../support/wait-for";
import { useFolder } from "../unit/store/use-folder";
import { ask } from "./dialog-tests/ask";
import { type Config, resultOf, SENDER, type TestFlow, untilBadge } from "./flow";
import { allowed, closedHours, described, optOut, OTHER_CHANNELS, reached, RULED } from "./rules-flow";
import { inStore, killed, startStored } from "./store/stored-flow";
import { useSimulator } from "./use-simulator";

const HOUR = 3_600_000;
const [A, B, C, D] = ["41790000001", "41790000002", "41790000003", "41790000004"] as const;
const BRITISH = "447400123456";
const INDIAN = "919876543210";

describe("delivery rules of a message in a store", () => {
  const simulator = useSimulator();
  const folder = useFolder();
  const start = (account: Config = {}, sender: Config = {}): Promise<TestFlow> =>
    startStored(simulator, folder(), { account, sender: { ...RULED, ...sender } });
  const send = (flow: TestFlow, msg: Record<string, unknown>): void =>
    flow.send({ to: A, payload: "Hello", ...allowed(), ...msg });
  const sentTo = (): string[] => reached(simulator);
  const requests = (): ReturnType<typeof inStore> =>
    inStore(
      folder(),
      `SELECT o.state, o.due, o.scheduled, p.idempotency_key, p.category, p.cost, p.zone, m.client_id FROM messages m
        LEFT JOIN outbox o ON o.id = m.id LEFT JOIN policies p ON p.id = m.id ORDER BY m.id`,
    );
  const stored = (count: number): Promise<unknown> =>
    waitFor(`${count} requests in the store`, async () => (await requests()).length === count);

  it("keep a message until the time before which it may not leave", async () => {
    const flow = await start();
    const before = Date.now();
    send(flow, { notBefore: "2h" });
    await stored(1);
    const [row] = await requests();
    const due = Number(row?.due);
    assert.ok(due >= before + 2 * HOUR && due <= Date.now() + 2 * HOUR, String(due));
    assert.equal(row?.scheduled, row?.due);
    assert.equal(simulator.main.requestCount, 0);
    await untilBadge(flow, /^waits until .*\d\d:\d\d \S+$/);
    // A message that came later leaves before it.
    send(flow, { to: B });
    assert.equal(described(await flow.all.until(1))[0], `OK ${B}`);
  });

  it("do not send what is useless before it may leave, to one and to many", async () => {
    const flow = await start();
    send(flow, { notBefore: "2h", uselessAfter: "1h" });
    send(flow, { to: [A, B, "wrong"], uselessAfter: Date.now() - 1 });
    assert.deepEqual(described(await flow.ports[1]!.until(3)), [
      "RECIPIENTS_INVALID wrong",
      `TOO_LATE ${A}`,
      `TOO_LATE ${A},${B}`,
    ]);
    assert.equal(simulator.main.requestCount, 0);
  });

  it("refuse a wrong value with the name of the field in the dialog", async () => {
    const flow = await start();
    send(flow, { notBefore: "soon" });
    const { statusName, statusMessage, parameter } = resultOf((await flow.ports[1]!.until(1))[0]);
    assert.deepEqual([statusName, parameter], ["FIELD_INVALID", "notBefore"]);
    assert.match(statusMessage, /“Not before” must be a duration such as 2h, .* but is 'soon'/);
    send(flow, { onceKey: undefined });
    const missing = resultOf((await flow.ports[1]!.until(2))[1]);
    assert.deepEqual([missing.statusName, missing.parameter], ["FIELD_UNRESOLVED", "onceKey"]);
    assert.match(missing.statusMessage, /“Send-once key” is set to msg\.onceKey, which holds no value/);
    assert.equal(simulator.main.requestCount, 0);
  });

  it("send once for a key: the others of a list get it, and each reason is a result of its own", async () => {
    const flow = await start();
    send(flow, { to: [A, B], onceKey: "newsletter-7" });
    await flow.ports[0]!.until(1);
    await optOut(flow, [D]);
    send(flow, { to: [A, "wrong", B, C, D], onceKey: "newsletter-7" });
    const messages = (await flow.all.until(5)).slice(1);
    assert.deepEqual(described(messages), [
      `ALREADY_SENT ${A},${B}`,
      `OK ${C}`,
      `OPTED_OUT ${D}`,
      "RECIPIENTS_INVALID wrong",
    ]);
    const already = messages.find((msg) => resultOf(msg).statusName === "ALREADY_SENT");
    assert.match(resultOf(already).statusMessage, /\+4179…001: sent .*; \+4179…002: sent /);
    assert.equal(resultOf(already).clientMessageId, null);
    // The requests stand first, then what is held back, and the invalid entries last.
    const places = messages.map((msg) => [
      (msg as { parts?: { index: number } }).parts?.index,
      resultOf(msg).statusName,
    ]);
    assert.deepEqual(
      places.sort().map(([, name]) => name),
      ["OK", "OPTED_OUT", "ALREADY_SENT", "RECIPIENTS_INVALID"],
    );
    assert.deepEqual(sentTo(), [A, B, C]);
  });

  it("raise no error where nothing is connected to the output of what they skip, unless the account says so", async () => {
    for (const skippedErrors of [false, true]) {
      const flow = await startStored(simulator, folder(), {
        account: { skippedErrors },
        sender: RULED,
        wired: [0],
      });
      const onceKey = `invoice ${skippedErrors}`;
      send(flow, { onceKey });
      await flow.completed.until(1);
      send(flow, { onceKey });
      await (skippedErrors ? flow.caught.until(1) : flow.completed.until(2));
      send(flow, { to: "wrong" });
      const caught = await flow.caught.until(skippedErrors ? 2 : 1);
      assert.deepEqual(described(caught), [
        ...(skippedErrors ? [`ALREADY_SENT ${A}`] : []),
        "RECIPIENTS_INVALID wrong",
      ]);
      await flow.stop();
    }
  });

  it("keep a message until the sending hours, in one request for each time zone", async () => {
    const flow = await start({ ...closedHours(), sendingBy: "recipient" });
    send(flow, { to: [A, BRITISH, B, INDIAN] });
    await stored(3);
    const rows = await requests();
    assert.deepEqual(
      rows.map(({ zone, state }) => [zone, state]),
      [
        ["Europe/Zurich", "queued"],
        ["Europe/London", "queued"],
        ["Asia/Kolkata", "queued"],
      ],
    );
    const dues = rows.map(({ due }) => Number(due));
    assert.ok(dues.every((due) => due > Date.now() + HOUR));
    // Hours begin in India before they do in Switzerland, and there before they do in Britain.
    assert.ok(dues[2]! < dues[0]! && dues[0]! < dues[1]!);
    assert.equal(simulator.main.requestCount, 0);
  });

  it("refuse a message outside of the sending hours where the account says so", async () => {
    const flow = await start({ ...closedHours(), sendingBy: "account", sendingAction: "refuse" });
    send(flow, {});
    send(flow, { to: [B, C] });
    const messages = await flow.ports[2]!.until(2);
    assert.deepEqual(described(messages), [`OUTSIDE_HOURS ${A}`, `OUTSIDE_HOURS ${B},${C}`]);
    assert.equal(resultOf(messages[0]).outcome, "retry-later");
    assert.equal(simulator.main.requestCount, 0);
  });

  it("send at any hour what a node or a category exempts", async () => {
    const flow = await start(
      { ...closedHours(), sendingExempt: "informational" },
      { contentCategory: "informational", contentCategorySource: "choice" },
    );
    send(flow, { to: [A, B] });
    assert.deepEqual(described(await flow.all.until(1)), [`OK ${A},${B}`]);
    await flow.stop();
    const any = await start(closedHours(), { anyHour: true });
    send(any, { to: C });
    assert.deepEqual(described(await any.all.until(1)), [`OK ${C}`]);
  });

  it("let a test of the dialog be sent at any hour, and without a key", async () => {
    const flow = await start({ ...closedHours(), sendingAction: "refuse" });
    const config = {
      messageContent: "Hello",
      messageContentSource: "str",
      onceKey: "k",
      onceKeySource: "str",
    };
    for (const _ of ["first", "second"]) {
      const answered = await ask("send-test", {
        type: "messaging-sms-send",
        node: SENDER,
        config,
        to: `+${A}`,
      });
      assert.equal(answered.body.result?.statusName, "OK", answered.text);
    }
    assert.equal(flow.all.messages.length, 0);
  });

  it("keeps time limits over a restart: what is due is sent, what is too late is not", async () => {
    const first = await start();
    send(first, { notBefore: "2h", onceKey: "k" });
    send(first, { to: [B, C], notBefore: "2h", uselessAfter: "3h" });
    await stored(2);
    await first.stop();
    await killed(
      folder(),
      "UPDATE outbox SET due = 1, scheduled = 1",
      "UPDATE policies SET not_after = 2 WHERE idempotency_key <> 'k'",
    );
    const flow = await start();
    assert.deepEqual(described(await flow.all.until(2)), [`OK ${A}`, `TOO_LATE ${B},${C}`]);
    assert.deepEqual(sentTo(), [A]);
  });

  it("apply to WhatsApp and RCS messages as well", async () => {
    for (const sender of OTHER_CHANNELS) {
      const flow = await start({}, sender);
      send(flow, { onceKey: sender.type });
      assert.equal(resultOf((await flow.all.until(1))[0]).outcome, "sent");
      send(flow, { to: [A, B], onceKey: sender.type });
      assert.deepEqual(described((await flow.all.until(3)).slice(1)), [`ALREADY_SENT ${A}`, `OK ${B}`]);
      await flow.stop();
    }
  });

  describe("and msg.cancel", () => {
    const later = { notBefore: "2h" };

    it("cancel everything of the node that has not left: it leaves by its own output", async () => {
      const flow = await start();
      send(flow, { to: B });
      await flow.ports[0]!.until(1);
      send(flow, { ...later, clientMessageId: "a" });
      send(flow, { ...later, to: [C, D] });
      flow.send({ cancel: true, payload: "x", to: A });
      const messages = await flow.ports[2]!.until(2);
      assert.deepEqual(described(messages), [`CANCELLED ${A}`, `CANCELLED ${C},${D}`]);
      await flow.completed.until(4);
      assert.equal(flow.all.messages.length, 3);
      await waitFor("the badge", () =>
        flow.statuses.messages.some((msg) =>
          /^3 to try again: cancelled · 1 accepted$/.test(
            (msg as { status?: { text?: string } }).status?.text ?? "",
          ),
        ),
      );
      assert.deepEqual(sentTo(), [B]);
    });

    it("cancel what has an id or a once key, and leave the others", async () => {
      const id = { clientMessageId: "id", clientMessageIdSource: "msg" };
      const flow = await start({}, id);
      send(flow, { ...later, id: "order-1" });
      send(flow, { ...later, id: "order-2", to: B });
      send(flow, { ...later, id: "order-3", to: C, onceKey: "key-3" });
      send(flow, { ...later, id: "order-4", to: [A, "wrong"] });
      flow.send({ cancel: ["order-1", "key-3", "order-4"] });
      const messages = await flow.all.until(4);
      assert.deepEqual(described(messages), [
        `CANCELLED ${A}`,
        `CANCELLED ${A}`,
        `CANCELLED ${C}`,
        "RECIPIENTS_INVALID wrong",
      ]);
      const states = (await requests()).filter(({ state }) => state === "queued");
      assert.deepEqual(
        states.map((row) => row.client_id),
        ["order-2"],
      );
    });

    it("send nothing where msg.cancel cannot be read, and cancel nothing", async () => {
      const flow = await start();
      send(flow, later);
      send(flow, { cancel: { id: "x" } });
      const [caught] = await flow.caught.until(1);
      assert.match((caught as unknown as { error: Error }).error.message, /^msg\.cancel must be true, or /);
      flow.send({ cancel: [] });
      await flow.completed.until(1);
      assert.equal((await requests())[0]?.state, "queued");
      assert.equal(simulator.main.requestCount, 0);
    });
  });
});
