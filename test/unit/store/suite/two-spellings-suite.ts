import assert from "node:assert/strict";
import { NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import {
  answered,
  newEvent,
  newJob,
  newRequest,
  type OpenStore,
  pick,
  takeJob,
  useFixture,
} from "./store-under-test";

const HOUR = 3_600_000;

/** As messengers name people, and as numbers are written today. */
const PAIRS = [
  ["5215512345678", "525512345678"],
  ["5491123456789", "541123456789"],
  ["553187654321", "5531987654321"],
  ["22995123456", "2290195123456"],
] as const;

/** A person whose numbering plan has two spellings, in either direction. */
export function twoSpellingsSuite(open: OpenStore): void {
  const { clock, me, store } = useFixture(open);
  const inbound = (number: string) =>
    newEvent({ kind: "inbound", number, status: null, reply: { channel: "whatsapp", body: "{}" } });
  const stop = (number: string) => ({
    ...inbound(number),
    optOut: { change: "stop", scope: "all", number } as const,
  });
  const held = async (recipients: readonly string[], given = {}, guard = NO_GUARD) => {
    const request = newRequest({ recipients, ...given });
    const claimed = await store.jobs.acceptSending(
      newJob({ id: await store.ids.one() }),
      request,
      me,
      "",
      guard,
    );
    return pick(claimed?.held ?? [], "number", "reason");
  };

  for (const [one, other] of [...PAIRS, ...PAIRS.map(([a, b]) => [b, a] as const)]) {
    describe(`${one}, also spelled ${other}`, () => {
      it("gets nothing after STOP in the other spelling, until START", async () => {
        await store.deliveries.note("a1", [stop(other)]);
        assert.deepEqual(await held([one]), [[one, "opted-out"]]);
        assert.deepEqual(pick(await store.optOuts("a1").find([one]), "number"), [one]);
        assert.equal(await store.optOuts("a1").add([one, other], "all", "flow"), 0);
        await store.deliveries.note("a1", [{ ...inbound(one), optOut: { change: "start", number: one } }]);
        assert.deepEqual(await held([other]), []);
      });

      it("gets a message with a once key once, and counts as one number for limits", async () => {
        const once = { rules: { ...NO_RULES, once: { key: "k", hash: "h", within: HOUR } } };
        assert.deepEqual(await held([one], once), []);
        assert.deepEqual(await held([other], once), [[other, "already-sent"]]);
        assert.deepEqual(pick(await store.idempotencyKeys("a1").find("k", [other]), "number"), [other]);
        const starts = { hourStarts: clock.now(), dayStarts: clock.now() };
        const limits = { hour: null, day: null, numberHour: null, numberDay: 1, ...starts };
        const guard = { ...NO_GUARD, limits };
        assert.deepEqual(await held([one], {}, guard), []);
        assert.deepEqual(await held([other], {}, guard), [[other, "limit"]]);
      });

      it("ends a wait by a reply in the other spelling", async () => {
        await takeJob(store, [{ recipients: [one], clientMessageId: "c1" }]);
        const [claimed] = await store.claims.claim("a1", me, 1);
        await store.settlements.settle(me, [answered(claimed!.id, { transferId: "t1" })]);
        await store.waits.start({
          key: `w-${one}`,
          account: "a1",
          scope: "a1",
          node: "n2",
          resultOwner: me,
          kind: "reply",
          channel: "any",
          transferId: "t1",
          clientMessageId: "c1",
          recipients: [one],
          until: clock.time + HOUR,
          group: null,
          repeated: false,
          snapshot: null,
        });
        await store.deliveries.note("a1", [inbound(other)]);
        const [reply] = await store.waits.replies(me, 10, ["n2"]);
        await store.waits.endByReply(reply!, "matched");
        const [reported] = await store.waits.reported(me, 10, ["n2"]);
        assert.deepEqual(pick(reported?.reported ?? [], "number", "outcome"), [[one, "matched"]]);
      });

      it("is found and deleted by the other spelling, messages both ways", async () => {
        await takeJob(store, [{ recipients: [one] }, { recipients: [one, "41790000001"], part: 1 }]);
        const claimed = await store.claims.claim("a1", me, 2);
        await store.settlements.settle(
          me,
          claimed.map(({ id }) => answered(id, { emitted: true })),
        );
        await store.deliveries.note("a1", [inbound(one)]);
        const filter = { account: "a1", number: other };
        assert.equal((await store.history.search(filter, null, 10)).length, 2);
        const asked = { ...filter, since: 0, most: 10, unsent: true };
        assert.equal((await store.history.conversation(asked)).messages.length, 3);
        const deleted = { recipients: 2, events: 1, open: 0, gathered: 0 };
        assert.deepEqual(await store.retention.deleteNumber(other), deleted);
      });
    });
  }

  it("keeps other numbers of these countries apart", async () => {
    await store.optOuts("a1").add(["553187654321", "525512345678"], "all", "flow");
    assert.deepEqual(await held(["553127654321", "5531927654321", "521551234567", "52155123456789"]), []);
  });
}
