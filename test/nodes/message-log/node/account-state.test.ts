import { NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import { SIMULATOR } from "../../../../lib/store/schema/scope";
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import registerLog from "../../../../nodes/message-log/message-log";
import type { AccountState } from "../../../../nodes/message-log/runtime/account-state";
import { say } from "../../../../lib/texts/say";
import { answered, schedule, takeJob } from "../../../unit/store/suite/store-under-test";
import { useFolder } from "../../../unit/store/use-folder";
import { fillStore } from "../../../support/fill-store";
import { parseOpenMetrics } from "../../../support/open-metrics";
import { waitFor } from "../../../support/wait-for";
import { badgeOf } from "../../../node/answering-node";
import { type Config, startFlow, stopFlow, stopServer, type TestFlow } from "../../../node/flow";

const HOUR = 3_600_000;
const NUMBER = "41790000001";

type Asked = NodeMessage & {
  readonly payload: AccountState & string;
  readonly headers?: Readonly<Record<string, string>>;
};

describe("message-log, the state of an account", () => {
  const folder = useFolder();
  /** What came last of an account outlives its flow. */
  let accounts = 0;
  const id = (): string => `account-${accounts}`;
  beforeEach(() => void accounts++);
  afterEach(stopFlow);
  after(stopServer);

  /** A flow with an SMS node, and a message-log with the same account. */
  const start = (account: Config = {}, log: Config = {}) =>
    startFlow({
      sender: { type: "messaging-message-log", kind: "state", account: id(), ...log },
      more: [
        {
          ...{ id: id(), type: "messaging-account", service: "simulator", keepMessages: "computer" },
          ...{ storeFolder: folder(), ...account },
        },
        {
          ...{ id: "n-sms", z: "tab", type: "messaging-sms-send", account: id(), outputs: 4 },
          wires: [["sent"], ["sent"], ["sent"], ["sent"]],
        },
        { id: "sent", z: "tab", type: "helper" },
      ],
      register: [registerLog],
    });

  /** Asks once more. @returns the message */
  async function ask(flow: TestFlow): Promise<Asked> {
    const before = flow.all.messages.length;
    flow.send({});
    await Promise.race([flow.all.until(before + 1), flow.caught.until(1)]);
    assert.deepEqual(flow.caught.messages, []);
    assert.equal(flow.ports[0]?.messages.length, before + 1, "it leaves by the first output");
    return flow.all.messages[before] as Asked;
  }
  const stateOf = async (flow: TestFlow): Promise<AccountState> => (await ask(flow)).payload;

  async function sendOne(flow: TestFlow, to = NUMBER): Promise<void> {
    const left = new Promise<NodeMessage>((resolve) => flow.node("sent").once("input", resolve));
    flow.node("n-sms").receive({ to, payload: "secret text" } as never);
    await left;
  }

  it("of an account that has done nothing is healthy, and has its store and no times", async () => {
    const { at, store, ...state } = await stateOf(await start());
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < HOUR);
    assert.equal(store?.place, join(folder(), "messages.db"));
    assert.ok((store?.bytes ?? 0) > 0 && (store?.freeBytes ?? 0) > 0);
    assert.ok(Date.parse(store?.lastCommit ?? "") > 0);
    assert.deepEqual(state, {
      healthy: true,
      reasons: [],
      stopped: false,
      refused: [],
      waiting: 0,
      nextDue: null,
      oldestWaiting: null,
      sending: 0,
      heldBack: { scheduled: 0, rules: 0, retry: 0, paused: 0, withoutNode: 0 },
      rate: { perSecond: null, pausedUntil: null },
      limits: { hour: null, day: null },
      lastAccepted: null,
      lastFailure: null,
      unknownOfHour: 0,
    });
  });

  it("has what came last of messages that this Node-RED sent, and what is left of limits", async () => {
    const flow = await start({ limitHour: 6, limitDay: "9", requestsPerSecond: 20 });
    await sendOne(flow);
    const first = await stateOf(flow);
    assert.ok(Math.abs(Date.parse(first.lastAccepted ?? "") - Date.now()) < HOUR);
    assert.equal(first.lastFailure, null);
    assert.deepEqual([first.limits.hour?.used, first.limits.hour?.left], [1, 5]);
    assert.deepEqual([first.limits.day?.limit, first.limits.day?.left], [9, 8]);
    assert.ok(Date.parse(first.limits.hour?.ends ?? "") > Date.now());
    assert.equal(first.rate.perSecond, 20);

    // The account may not send SMS.
    await sendOne(flow, "999004035");
    const refused = await stateOf(flow);
    assert.equal(refused.healthy, false);
    const { at, ...failure } = refused.lastFailure ?? { at: "" };
    assert.ok(Date.parse(at) > 0);
    assert.deepEqual(failure, {
      outcome: "denied",
      statusCode: 4035,
      statusName: "SMS_DISABLED",
      reason: say("outcomes.legacy.4035.meaning"),
      advice: say("outcomes.legacy.4035.advice"),
    });
    assert.equal(refused.reasons.length, 1);
    assert.match(refused.reasons[0] ?? "", /^The last message failed at .+, for a reason that the next one/);
    assert.equal(await badgeOf(flow, 2), "red: not healthy");

    // One to a wrong number says nothing about the next one.
    await sendOne(flow);
    await sendOne(flow, "999004002");
    const again = await stateOf(flow);
    assert.deepEqual([again.healthy, again.lastFailure?.outcome], [true, "rejected"]);
    // One without a clear answer is chance; three in a row are not.
    for (let unknown = 1; unknown <= 3; unknown++) {
      await sendOne(flow, "999005000");
      const doubtful = await stateOf(flow);
      assert.deepEqual([doubtful.healthy, doubtful.unknownOfHour], [unknown < 3, unknown]);
    }
    // The last ones of the hour.
    await sendOne(flow);
    const { healthy, reasons, limits } = await stateOf(flow);
    assert.equal(limits.hour?.left, 0);
    assert.deepEqual([healthy, reasons.length], [false, 1]);
    assert.match(reasons[0] ?? "", /^The limit of the account for an hour, 6 messages, is reached\./);
    assert.doesNotMatch(JSON.stringify(await stateOf(flow)), /secret|41790000001|99900/);
  });

  it("has what waits and why, and since when the oldest one waits, after a restart", async () => {
    const began = Date.now() - 2 * HOUR;
    await fillStore(folder(), async ({ store, clock, me, instances }) => {
      clock.time = began;
      const of = { account: id(), destination: SIMULATOR, node: "n-sms", resultOwner: me };
      const [later = 0] = await takeJob(store, 1, of);
      await schedule(store.engine, later, Date.now() + HOUR);
      const [refused = 0] = await takeJob(store, 1, of);
      await takeJob(store, 1, of);
      await takeJob(store, 1, { ...of, node: "gone" });
      await store.claims.claim(id(), me, 1, "", { ...NO_GUARD, destination: SIMULATOR });
      await store.settlements.settle(me, [
        answered(refused, {
          ...{ outcome: "rejected", emitted: true },
          answer: JSON.stringify({ statusCode: 4031, source: "service" }),
        }),
      ]);
      await instances.leave();
    });
    const flow = await start({ stopSending: true });
    let state = await stateOf(flow);
    await waitFor(
      () => `the queue of ${JSON.stringify(state)}`,
      async () => {
        state = await stateOf(flow);
        return state.heldBack?.withoutNode === 1;
      },
    );
    assert.deepEqual([state.waiting, state.heldBack?.scheduled], [2, 1]);
    assert.equal(state.oldestWaiting, new Date(began).toISOString());
    assert.ok(Date.parse(state.nextDue ?? "") > Date.now());
    assert.deepEqual(
      [state.lastFailure?.statusCode, state.lastFailure?.at],
      [4031, new Date(began).toISOString()],
    );
    assert.deepEqual([state.healthy, state.stopped], [false, true]);
    assert.deepEqual(state.reasons, [
      say("record.health.stoppedBySettings"),
      say("record.health.withoutNode", { n: "1" }),
    ]);
  });

  it("knows after a restart, behind a long queue, that a failure was followed by a message that was accepted", async () => {
    const MINUTE = 60_000;
    const failedAt = Date.now() - 10 * MINUTE;
    for (const isFollowed of [false, true]) {
      accounts++;
      await fillStore(folder(), async ({ store, clock, me, instances }) => {
        const of = { account: id(), destination: SIMULATOR, node: "n-sms", resultOwner: me };
        for (const [at, outcome] of [
          [failedAt, "denied"],
          [failedAt + MINUTE, isFollowed ? "sent" : "rejected"],
        ] as const) {
          clock.time = at;
          const [request = 0] = await takeJob(store, 1, of);
          await store.claims.claim(id(), me, 1, "", { ...NO_GUARD, destination: SIMULATOR });
          await store.settlements.settle(me, [answered(request, { outcome, emitted: true })]);
        }
        await takeJob(store, 2_100, of);
        await instances.leave();
      });
      const flow = await start({ stopSending: true });
      const { lastAccepted, reasons } = await stateOf(flow);
      assert.equal(lastAccepted, isFollowed ? new Date(failedAt + MINUTE).toISOString() : null);
      assert.equal(reasons.length, isFollowed ? 1 : 2, reasons.join("\n"));
      await stopFlow();
    }
  });

  it("says what is wrong with settings and store, and is no error", async () => {
    writeFileSync(join(folder(), "file"), "");
    for (const [account, reason] of [
      [{ storeFolder: join(folder(), "file") }, "record.health.store"],
      [{ connections: "many" }, "record.health.settings"],
      [{ keepMessages: "memory", stopSending: true }, "record.health.stoppedBySettings"],
    ] as const) {
      const flow = await start(account);
      const { healthy, reasons } = await stateOf(flow);
      assert.equal(healthy, false);
      const text = reasons.join(" ");
      assert.ok(text.startsWith(say(reason, { problem: "" })), text);
      await stopFlow();
    }
    rmSync(join(folder(), "file"));
  });

  it("leaves as OpenMetrics text that a scraper reads, without numbers, texts and sentences", async () => {
    const flow = await start({ limitHour: 5 }, { openMetrics: true, resultProperty: "payload" });
    await sendOne(flow);
    await sendOne(flow, "999004035");
    const { payload, headers } = await ask(flow);
    assert.deepEqual(headers, {
      "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8",
    });
    const families = parseOpenMetrics(payload);
    const metric = (name: string, labels = "") => families.get(`messaging_${name}`)?.samples.get(labels);
    assert.equal(metric("healthy"), 0);
    assert.equal(metric("waiting_requests"), 0);
    assert.equal(metric("held_back_requests", 'reason="without_node"'), 0);
    assert.equal(metric("limit_left_messages", 'period="hour"'), 4, "what the service refused is not billed");
    assert.equal(metric("limit_left_messages", 'period="day"'), undefined);
    assert.ok(Math.abs((metric("last_accepted_timestamp_seconds") ?? 0) - Date.now() / 1000) < 3_600);
    assert.ok((metric("store_size_bytes") ?? 0) > 0);
    assert.ok(!families.has("messaging_next_due_timestamp_seconds"), "what is not known is left out");
    assert.doesNotMatch(payload, /secret|4179|99900|INVALID|The last message/);
  });
});
