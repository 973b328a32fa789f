import assert from "node:assert/strict";
import { call } from "../../../../../lib/store/engine/query";
import { type Present, presentOf } from "../../../../../lib/store/history/present";
import { statement } from "../../../../../lib/store/schema/statement";
import { answered, type OpenStore, takeJob, useFixture } from "../store-under-test";

const HOUR = 3_600_000;
const CHANGE = statement("test_present_change")`
    UPDATE outbox SET state = ?2, due = ?3, scheduled = ?4, postponed = ?5 WHERE id = ?1`;
const SPEND = statement("test_present_spend")`
    INSERT INTO quota_usage (account, number, period, starts, messages) VALUES ('a1', ?1, ?2, ?3, ?4)`;

/** What an account has in its store at a moment. */
export function presentSuite(open: OpenStore): void {
  const { clock, engine, store, me } = useFixture(open);

  const present = async (): Promise<Present> =>
    presentOf(engine, {
      account: "a1",
      destination: "",
      now: clock.time,
      hourStarts: 100,
      dayStarts: 50,
      unknownSince: clock.time - HOUR,
    });

  /** A request with this state. @returns its id */
  async function request(
    state: string,
    { due = null, scheduled = null, postponed = 0, priority = 0, ...job }: Partial<Wait> = {},
  ): Promise<number> {
    const [id = 0] = await takeJob(store, [{ priority }], job);
    await engine.run([call(CHANGE, id, state, due, scheduled, postponed)]);
    return id;
  }

  const pick = ({ mayLeave, first, nextDue, sendingSince }: Present): Partial<Present> => ({
    mayLeave,
    first,
    nextDue,
    sendingSince,
  });

  describe("what an account has in its store", () => {
    it("is counted by what it waits for, of one account", async () => {
      const now = clock.time;
      await request("queued");
      await request("queued", { due: now + 2 * HOUR, scheduled: now + 2 * HOUR });
      await request("queued", { due: now + HOUR, postponed: 1 });
      await request("queued", { due: now + HOUR, scheduled: now - HOUR, postponed: 1 });
      await request("queued", { due: now + 3 * HOUR });
      await request("paused");
      await request("orphaned");
      await request("sending");
      await request("queued", { account: "a2", due: now });
      const { ready, waiting, forRule, forRetry, paused, orphaned, sending, nextDue } = await present();
      assert.deepEqual([ready, waiting, forRule, forRetry, paused, orphaned, sending], [1, 4, 2, 1, 1, 1, 1]);
      assert.equal(nextDue, now + HOUR);
    });

    it("has what is overdue, what leaves next, and since when something is being sent", async () => {
      const now = clock.time;
      await request("queued", { due: now, scheduled: now });
      await request("queued", { due: now - HOUR, postponed: 1 });
      await request("queued", { due: now + 1, scheduled: now + 1 });
      // It waits for another try.
      await request("queued", { due: now - 1 });
      const first = await request("queued");
      await request("queued");
      await request("queued", { account: "a2", priority: 9, due: null });
      assert.deepEqual(pick(await present()), {
        mayLeave: 5,
        first,
        nextDue: now - HOUR,
        sendingSince: null,
      });
      const urgent = await request("queued", { priority: 1, postponed: 1 });
      assert.equal((await present()).first, urgent);
      await store.claims.claim("a1", me, 1);
      clock.pass(1_000);
      await store.claims.claim("a1", me, 1);
      assert.deepEqual((await present()).sendingSince, now);
    });

    it("leaves out requests of another destination where it says what may leave", async () => {
      const now = clock.time;
      const destination = "https://former.example";
      await request("queued", { destination });
      await request("queued", { destination, due: now - HOUR });
      await request("queued", { destination, due: now - 1, scheduled: now - 1 });
      const { ready, waiting, forRetry, mayLeave, first, nextDue, oldest } = await present();
      assert.deepEqual([ready, waiting, forRetry], [1, 2, 1]);
      assert.deepEqual([mayLeave, first, nextDue, oldest], [0, null, null, null]);
    });

    it("counts people whose message is unknown since a time, and what the account has spent", async () => {
      const ids = await takeJob(store, [{ recipients: ["1", "2"] }, { recipients: ["3"] }, {}]);
      await store.claims.claim("a1", me, 3);
      await store.settlements.settle(me, [answered(ids[0] ?? 0, { outcome: "unknown" })]);
      clock.pass(HOUR + 1);
      await store.settlements.settle(me, [
        answered(ids[1] ?? 0, { outcome: "unknown" }),
        answered(ids[2] ?? 0, { outcome: "denied" }),
      ]);
      assert.equal((await present()).unknown, 1);
      clock.pass(-1);
      assert.equal((await present()).unknown, 3);
      await engine.run([
        call(SPEND, "", "hour", 100, 7),
        call(SPEND, "", "day", 50, 70),
        call(SPEND, "", "hour", 99, 1_000),
        call(SPEND, "41790000001", "hour", 100, 2_000),
      ]);
      const { spentHour, spentDay } = await present();
      assert.deepEqual([spentHour, spentDay], [7, 70]);
    });
  });
}

interface Wait {
  readonly due: number | null;
  readonly scheduled: number | null;
  readonly postponed: number;
  readonly priority: number;
  readonly account: string;
  readonly destination: string;
}
