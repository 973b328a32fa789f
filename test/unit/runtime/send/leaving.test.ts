import assert from "node:assert/strict";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import type { QueueHandle } from "../../../../lib/gateway/queue/dispatcher";
import { MemoryCheck } from "../../../../lib/runtime/guards/memory-check";
import { AccountMemory } from "../../../../lib/runtime/memory/account-memory";
import type { LimitSettings } from "../../../../lib/runtime/guards/limit-settings";
import { SendingHours } from "../../../../lib/runtime/guards/sending-hours";
import type { Part } from "../../../../lib/runtime/send/parts/message-parts";
import { PartsRun } from "../../../../lib/runtime/send/parts/parts-run";
import type { SendJob } from "../../../../lib/runtime/send/jobs/send-job";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { type Reply, useGateway } from "../../../support/gateway/use-gateway";
import { answer, type FaultServer } from "../../../support/http/fault-server";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = "Europe/Zurich";
const [A, B, C] = ["41790000001", "41790000002", "41790000003"] as const;
const BRITISH = "447400123456";
const RULES: RequestRules = { ...NO_RULES, zone: "" };
const ONCE: RequestRules = { ...RULES, once: { key: "k", within: DAY, hash: "h" } };
const NO_LIMITS: LimitSettings = {
  hour: null,
  day: null,
  numberHour: null,
  numberDay: null,
  refuses: false,
  zone: ZONE,
};

const hoursOf = (refuses = false): SendingHours =>
  new SendingHours({
    days: [1, 2, 3, 4, 5, 6, 7],
    from: 8 * 60,
    to: 20 * 60,
    zone: ZONE,
    countryOf: (recipient) => (recipient.startsWith("44") ? "GB" : "CH"),
    refuses,
    exempt: new Set(),
  });

const part = (recipients: readonly string[], rules: RequestRules = RULES, index = 0): Part => ({
  recipients,
  index,
  fault: null,
  invalid: false,
  rules,
});

interface Delivered {
  readonly part: Part;
  readonly verdict: Verdict;
}

describe("requests that leave from memory", () => {
  const { serve, dispatch } = useGateway();

  interface SetUp {
    readonly limits?: Partial<LimitSettings>;
    readonly hours?: SendingHours;
    readonly start?: string;
    readonly reply?: Reply;
    readonly requestsPerSecond?: number;
    readonly connections?: number;
  }

  async function setUp({ limits, hours, start, reply, requestsPerSecond = 0, connections = 4 }: SetUp = {}) {
    const server: FaultServer = await serve(reply ?? null);
    const timing = new VirtualTiming(Date.parse(start ?? "2025-06-02T10:00:00Z"));
    const { dispatcher, queue } = dispatch(
      server.url,
      { connections, requestsPerSecond, queueLimit: 10_000 },
      timing,
    );
    const guards = new AccountMemory("a1");
    const spent: number[] = [];
    const memory = new MemoryCheck(guards, {
      limits: limits === undefined ? null : { ...NO_LIMITS, ...limits },
      hours: hours ?? null,
      zone: ZONE,
      onSpent: ({ hour }) => spent.push(hour),
    });
    const delivered: Delivered[] = [];
    let jobs = 0;
    const send = (parts: readonly Part[], handle: QueueHandle = queue) => {
      const id = `id${++jobs}`;
      const job = {
        access: { memory, queue: handle, concurrency: connections },
        clientMessageId: id,
        idOf: (each: Part) => each.late?.clientMessageId ?? `${id}-${each.index + 1}`,
        batch: ({ recipients }: Part) => ({
          operation: "sms-form",
          fields: { recipientAddressList: [...recipients], messageContent: "x" },
        }),
      } as unknown as SendJob;
      const run = new PartsRun(job, parts, {
        deliver: (_job, each, verdict) => {
          delivered.push({ part: each, verdict });
          return null;
        },
        onBytes: () => {},
      });
      run.submitFirst();
      return { run, ended: run.run(null), id };
    };
    const sentTo = (): string[] =>
      server.requests.flatMap(({ body }) =>
        [...body.toString().matchAll(/recipientAddressList=(?:%2B)?([\d%C,]+)/g)].flatMap(
          ([, list = ""]) => list.match(/\d{8,}/g) ?? [],
        ),
      );
    /** Results as they came: name of the status and numbers. */
    const results = (): string[] =>
      delivered.map(({ part: each, verdict }) => `${verdict.statusName} ${each.recipients}`);
    return { server, timing, dispatcher, queue, guards, send, sentTo, results, delivered, spent };
  }

  it("leave without those who opted out meanwhile; these are a late part without an id", async () => {
    const { guards, send, timing, sentTo, results, delivered } = await setUp({ requestsPerSecond: 1 });
    const first = send([part([A])]);
    const { ended } = send([part([A, B, C])]);
    await first.ended;
    await guards.optOuts.add([B], "all", "flow");
    await guards.optOuts.add([C], "advertisement", "flow");
    await timing.advance(1_000);
    await ended;
    assert.deepEqual(results().sort(), [`OK ${A}`, `OK ${A},${C}`, `OPTED_OUT ${B}`]);
    assert.deepEqual(sentTo(), [A, A, C]);
    const late = delivered.find(({ verdict }) => verdict.fault === "OPTED_OUT");
    assert.deepEqual([late?.part.late, late?.part.index], [{ clientMessageId: null }, 1]);
    assert.equal(delivered.find(({ part: each }) => each.recipients.length === 2)?.part.divided, true);
  });

  it("keep their key after sent and unknown, and free it after all that was not sent", async () => {
    for (const [reply, first, second] of [
      [answer(200, "statusCode=2000&transferId=t"), "OK", "ALREADY_SENT"],
      [answer(503, ""), "HTTP_503", "ALREADY_SENT"],
      [answer(200, "statusCode=4013"), "MSG_LIMIT_EXCEEDED", "MSG_LIMIT_EXCEEDED"],
      [answer(200, "statusCode=4002"), "INVALID_RECIPIENT", "INVALID_RECIPIENT"],
      [answer(401, ""), "HTTP_401", "HTTP_401"],
    ] as const) {
      const { send, results } = await setUp({ reply, limits: { day: 1, refuses: true } });
      await send([part([A], ONCE)]).ended;
      await send([part([A], ONCE)]).ended;
      assert.deepEqual(results(), [`${first} ${A}`, `${second} ${A}`]);
    }
  });

  it("neither collide with themselves nor count twice when the queue repeats them", async () => {
    let replies = 0;
    const { send, results, timing, guards } = await setUp({
      reply: (socket) =>
        socket.write(answer(200, ++replies < 3 ? "statusCode=5003" : "statusCode=2000&transferId=t")),
      limits: { day: 1, numberDay: 1 },
    });
    const { ended } = send([part([A], ONCE)]);
    for (let pause = 1; pause < 3; pause++) {
      await waitFor("the pause", () => replies === pause && timing.sleeping === 1);
      await timing.advance(60_000);
    }
    await ended;
    assert.deepEqual([results(), replies, guards.limits.spent.day], [[`OK ${A}`], 3, 1]);
  });

  it("wait for the next hour above a limit, as many as fit leave of a list", async () => {
    const { send, sentTo, timing, results, delivered, dispatcher } = await setUp({
      limits: { hour: 2 },
      start: "2025-06-02T10:20:00Z",
    });
    const { ended, id } = send([part([A, B, C])]);
    await waitFor("two", () => results().length === 1);
    assert.deepEqual([sentTo(), dispatcher.load.waiting], [[A, B], 1]);
    await timing.advance(40 * 60_000 - 1);
    assert.deepEqual(sentTo(), [A, B]);
    await timing.advance(1);
    await ended;
    assert.deepEqual(sentTo(), [A, B, C]);
    assert.deepEqual(delivered[1]?.part.late, { clientMessageId: `${id}-2` });
  });

  it("wait for the sending hours of each recipient, and keep no connection from the others", async () => {
    const { send, sentTo, timing, results } = await setUp({
      hours: hoursOf(),
      connections: 1,
      // 8:30 in Zurich, 7:30 in London.
      start: "2025-06-02T06:30:00Z",
    });
    const { ended } = send([part([BRITISH, "447400123457"]), part([A], RULES, 1), part([B], RULES, 2)]);
    await waitFor("the Swiss", () => results().length === 2);
    assert.deepEqual(sentTo(), [A, B]);
    await timing.advance(30 * 60_000);
    await ended;
    assert.equal(sentTo().length, 4);
  });

  it("are divided where some of their recipients are outside the hours, refused or waiting", async () => {
    for (const refuses of [false, true]) {
      const { send, timing, results } = await setUp({
        hours: hoursOf(refuses),
        start: "2025-06-02T06:30:00Z",
      });
      const { ended } = send([part([BRITISH, A])]);
      await waitFor("the first result", () => results().includes(`OK ${A}`));
      await timing.advance(30 * 60_000);
      await ended;
      assert.deepEqual(
        results().sort(),
        [`${refuses ? "OUTSIDE_HOURS" : "OK"} ${BRITISH}`, `OK ${A}`].sort(),
      );
    }
  });

  it("leave at the right minute over a change to summer time, months later, once", async () => {
    const { send, timing, sentTo, guards, dispatcher } = await setUp({
      hours: hoursOf(),
      start: "2025-01-01T12:00:00Z",
    });
    // The clocks in Zurich go forward on 30 March 2025 at 2:00; scheduled for 1:30 that night, so the hours begin at 8:00 CEST.
    const scheduled = Date.parse("2025-03-30T00:30:00Z");
    const opens = Date.parse("2025-03-30T06:00:00Z");
    const { ended } = send([part([A, B], { ...ONCE, scheduled })]);
    await waitFor("the wait", () => dispatcher.load.waiting === 1 && timing.sleeping === 1);
    await timing.advance(opens - timing.now() - 1);
    assert.deepEqual(sentTo(), []);
    await guards.optOuts.add([B], "all", "inbound");
    await timing.advance(1);
    await ended;
    assert.deepEqual(sentTo(), [A]);
  });

  it("are told as too late when the time comes from which they are useless, not before", async () => {
    const { send, timing, results, dispatcher, sentTo } = await setUp({ limits: { hour: 1 } });
    const uselessAfter = timing.now() + 10 * 60_000;
    await send([part([A], { ...RULES, uselessAfter })]).ended;
    const { ended } = send([part([B], { ...RULES, uselessAfter })]);
    await waitFor("the wait", () => dispatcher.load.waiting === 1 && timing.sleeping === 1);
    await timing.advance(10 * 60_000 - 1);
    assert.deepEqual(results(), [`OK ${A}`]);
    await timing.advance(1);
    await ended;
    assert.deepEqual([results()[1], sentTo()], [`TOO_LATE ${B}`, [A]]);
  });

  it("take one place in the queue for a list that waits, leave in its order, and end with their handle", async () => {
    const { send, timing, dispatcher, queue, sentTo, results } = await setUp({ connections: 2 });
    const scheduled = timing.now() + DAY;
    const many = (count: number): Part[] =>
      Array.from({ length: count }, (_none, n) => part([`4179${2_000_000 + n}`], { ...RULES, scheduled }, n));
    const first = send(many(500));
    const other = dispatcher.openHandle();
    const second = send(many(300), other);
    await waitFor("one place each", () => dispatcher.load.waiting === 2);
    await timing.advance(DAY / 2);
    other.stop();
    await second.ended;
    assert.deepEqual([...new Set(results().map((each) => each.split(" ")[0]))], ["CLOSING"]);
    assert.equal(results().length, 300);
    await timing.advance(DAY / 2);
    await first.ended;
    assert.equal(results().length, 800);
    assert.deepEqual([sentTo().length, new Set(sentTo()).size, dispatcher.load.waiting], [500, 500, 0]);
    queue.stop();
    assert.equal(timing.sleeping, 0);
  });

  it("are cancelled with all that follows them, by id, by once key or all", async () => {
    const { send, timing, dispatcher, queue, results } = await setUp();
    const scheduled = timing.now() + DAY;
    const parts = (key: string): Part[] =>
      [A, B, C].map((number, n) =>
        part([number], { ...ONCE, scheduled, once: { key, within: DAY, hash: "h" } }, n),
      );
    const byKey = send(parts("k1"));
    const byPart = send(parts("k2"));
    const kept = send(parts("k3"));
    await waitFor("the wait", () => dispatcher.load.waiting === 3 && timing.sleeping === 1);
    const cancel = (keys: readonly string[] | null): number =>
      [byKey, byPart, kept].reduce((sum, { run }) => sum + run.cancel({ keys }), 0) +
      queue.cancel((waiter) => (waiter as unknown as { isMeant(r: object): boolean }).isMeant({ keys }));
    assert.equal(cancel(["k1", `${byPart.id}-1`]), 4);
    await byKey.ended;
    assert.equal(results().filter((each) => each.startsWith("CANCELLED")).length, 4);
    assert.equal(cancel(null), 5);
    await Promise.all([byPart.ended, kept.ended]);
    assert.equal(results().length, 9);
    assert.equal(dispatcher.load.waiting, 0);
  });
});
