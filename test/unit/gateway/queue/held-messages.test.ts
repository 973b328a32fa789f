import assert from "node:assert/strict";
import { LeaveCheck, type LeaveRules } from "../../../../lib/runtime/guards/leave-check";
import { SendingHours } from "../../../../lib/runtime/guards/sending-hours";
import { readMoment } from "../../../../lib/shared/schedule/read-moment";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { waitFor } from "../../../support/wait-for";
import { newJob, newRequest } from "../../store/suite/store-under-test";
import { ACCOUNT, type QueueFixture, useQueue } from "./queue-fixture";

const ANNA = "41790000001";
const BEN = "447400123456";
const ZONE = "Europe/Zurich";
const HOUR = 3_600_000;
const MINUTE = 60_000;

const at = (text: string): number => Date.parse(text);

const WEEKDAYS = new SendingHours({
  days: [1, 2, 3, 4, 5],
  from: 8 * 60,
  to: 20 * 60,
  zone: ZONE,
  countryOf: (recipient) => (recipient.startsWith("44") ? "GB" : "CH"),
  refuses: false,
  exempt: new Set(["informational"]),
});

describe("messages that do not leave", () => {
  const use = useQueue();

  /** What an account checks, by the clock of the test. */
  const checkOf = ({ clock }: QueueFixture, given: Partial<LeaveRules> = {}) => {
    const check = new LeaveCheck({ limits: null, hours: null, zone: ZONE, onUsage: () => {}, ...given });
    return {
      guard: () => check.guard(clock.now()),
      hold: (request: Parameters<LeaveCheck["hold"]>[0]) => check.hold(request, clock.now()),
    };
  };
  const take = (
    { store }: QueueFixture,
    id: string,
    recipients: readonly string[],
    rules: Partial<RequestRules> = {},
  ) =>
    store.jobs.accept(newJob({ account: ACCOUNT }), [
      newRequest({
        clientMessageId: id,
        content: `{"id":"${id}"}`,
        recipients,
        rules: { ...NO_RULES, zone: "", ...rules },
      }),
    ]);
  const rows = ({ ledger }: QueueFixture, ...wanted: readonly string[]): Promise<void> => ledger(...wanted);

  it("are settled where somebody opted out while they waited", async () => {
    const fixture = use();
    await take(fixture, "a", [ANNA]);
    await fixture.store.optOuts(ACCOUNT).add([ANNA], "all", "inbound");
    const { settled } = fixture.open({ check: checkOf(fixture) });
    await rows(fixture, "a emitted rejected");
    assert.deepEqual(settled, ["a rejected OPTED_OUT"]);
  });

  it("are those recipients of a list alone, also where the store fails in between", async () => {
    const fixture = use();
    fixture.engine.fail("divisions_add_message", "before");
    await take(fixture, "a", [ANNA, BEN]);
    await fixture.store.optOuts(ACCOUNT).add([BEN], "all", "inbound");
    const opened = fixture.open({ check: checkOf(fixture) });
    await waitFor("the rest to start", () => opened.dispatcher.underWay.length === 1);
    opened.dispatcher.answer("a");
    await rows(fixture, "a emitted sent 1", " settled rejected");
  });

  it("wait for the hours of the recipient's country, and leave when those begin", async () => {
    const fixture = use();
    const { clock } = fixture;
    // A Sunday; summer time.
    clock.time = at("2025-06-01T12:00:00Z");
    await take(fixture, "ch", [ANNA]);
    await take(fixture, "gb", [BEN]);
    await take(fixture, "code", [ANNA], { category: "informational" });
    await take(fixture, "any", [ANNA], { zone: null });
    const opened = fixture.open({ check: checkOf(fixture, { hours: WEEKDAYS }) });
    await rows(fixture, "ch queued", "gb queued", "code sending", "any sending");
    await waitFor("the two to wait", async () => (await fixture.store.backlog.counts(ACCOUNT)).waiting === 2);
    assert.equal(await fixture.store.backlog.nextDue(ACCOUNT, ""), at("2025-06-02T06:00:00Z") - clock.now());
    clock.time = at("2025-06-02T06:00:00Z");
    opened.queue.wake();
    await rows(fixture, "ch sending", "gb queued", "code sending", "any sending");
    clock.time = at("2025-06-02T07:00:00Z");
    opened.queue.wake();
    await rows(fixture, "ch sending", "gb sending", "code sending", "any sending");
  });

  it("never leave outside the hours, however late the process starts again", async () => {
    const fixture = use();
    const { clock } = fixture;
    clock.time = at("2025-06-02T05:00:00Z");
    await take(fixture, "a", [ANNA], { opens: at("2025-06-02T06:00:00Z") });
    // Nothing ran all day.
    clock.time = at("2025-06-02T18:00:01Z");
    const opened = fixture.open({ check: checkOf(fixture, { hours: WEEKDAYS }) });
    await waitFor("it to wait for the next day", async () => {
      const due = await fixture.store.backlog.nextDue(ACCOUNT, "");
      return due === at("2025-06-03T06:00:00Z") - clock.now();
    });
    assert.equal(opened.dispatcher.underWay.length, 0);
  });

  it("are dropped when they are useless, to the millisecond", async () => {
    const fixture = use();
    const { clock } = fixture;
    const end = clock.now() + MINUTE;
    await take(fixture, "in time", [ANNA], { uselessAfter: end + 1 });
    await take(fixture, "late", [ANNA], { uselessAfter: end });
    clock.time = end;
    const { settled } = fixture.open({ check: checkOf(fixture) });
    await rows(fixture, "in time sending", "late emitted rejected");
    assert.deepEqual(settled, ["late rejected TOO_LATE"]);
  });

  it("wait for the next hour where a limit says so, and nothing of the account leaves before", async () => {
    const fixture = use();
    const { clock } = fixture;
    const limits = { hour: 1, day: null, numberHour: null, numberDay: null, refuses: false, zone: ZONE };
    clock.time = at("2025-06-02T06:20:00Z");
    await take(fixture, "a", [ANNA]);
    await take(fixture, "b", [BEN]);
    const opened = fixture.open({ check: checkOf(fixture, { limits }) });
    await rows(fixture, "a sending", "b queued");
    opened.dispatcher.answer("a");
    await rows(fixture, "a emitted sent 1", "b queued");
    assert.equal(opened.queue.mayAcceptSending("sms-json"), false);
    clock.time = at("2025-06-02T07:00:00Z");
    opened.queue.wake();
    await rows(fixture, "a emitted sent 1", "b sending");
  });

  for (const optedOut of [false, true]) {
    it(`were scheduled over a change of the clocks and a restart, ${optedOut ? "and not at all after an opt-out" : "leave once, at their minute"}`, async () => {
      const fixture = use();
      const { clock, store } = fixture;
      clock.time = at("2025-03-28T12:00:00Z");
      const scheduled = readMoment("2025-03-31 08:00", clock.now(), ZONE);
      assert.equal(scheduled, at("2025-03-31T06:00:00Z"), "summer time has begun by then");
      const first = fixture.open({ check: checkOf(fixture) });
      await take(fixture, "a", [ANNA], { scheduled });
      first.queue.wake();
      await first.queue.close(0);
      const instances = await fixture.restart();
      clock.time = at("2025-03-31T05:59:59.999Z");
      const opened = fixture.open({ check: checkOf(fixture), instances });
      opened.queue.wake();
      assert.deepEqual(await store.claims.claim(ACCOUNT, instances.id, 1), []);
      if (optedOut) {
        await store.optOuts(ACCOUNT).add([ANNA], "all", "inbound");
      }
      clock.time = at("2025-03-31T06:00:00Z");
      opened.queue.wake();
      await rows(fixture, optedOut ? "a emitted rejected" : "a sending");
      if (!optedOut) {
        opened.dispatcher.answer("a");
        await rows(fixture, "a emitted sent 1");
      }
      clock.pass(HOUR);
      opened.queue.wake();
      assert.deepEqual(await store.claims.claim(ACCOUNT, instances.id, 1), []);
    });
  }
});
