import { NO_GUARD } from "../../../../../lib/store/guards/guard-calls";
import { SIMULATOR } from "../../../../../lib/store/schema/scope";
import assert from "node:assert/strict";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import { NO_RULES } from "../../../../../lib/store/guards/request-rules";
import type { RecipientPlace } from "../../../../../lib/store/history/send-again";
import { answered, newEvent, type OpenStore, pick, takeJob, useFixture } from "../store-under-test";

/** What is sent again because it surely reached nobody. */
export function sendAgainSuite(open: OpenStore): void {
  const { clock, keeping: store, me } = useFixture(open);

  /** Messages to one number each, in one job, that ended like this. */
  async function ended(
    ends: Readonly<Record<string, Parameters<typeof answered>[1]>>,
    job: Parameters<typeof takeJob>[2] = {},
  ): Promise<readonly number[]> {
    const numbers = Object.keys(ends);
    const ids = await takeJob(
      store,
      numbers.map((number) => ({ recipients: [number], clientMessageId: `c${number}` })),
      job,
    );
    await store.claims.claim("a1", me, numbers.length);
    await store.settlements.settle(
      me,
      ids.map((id, at) => answered(id, { emitted: true, ...ends[numbers[at] ?? ""] })),
    );
    return ids;
  }
  const first = (ids: readonly number[]): readonly RecipientPlace[] => ids.map((id) => [id, 0]);
  const whyOf = async (places: readonly RecipientPlace[], destination = ""): Promise<unknown> =>
    Object.fromEntries(
      (await store.again.look("a1", places, destination)).map(({ request, why }) => [request, why]),
    );
  const queued = async () =>
    (await store.history.search({ account: "a1" }, null, 100)).filter(({ state }) => state === "queued");

  describe("what failed, sent again", () => {
    it("is only what surely reached nobody, with its fields, ids and rules, as a message of its node", async () => {
      const skipped = localVerdict("ALREADY_SENT");
      const ids = await ended({
        1001: { outcome: "rejected", transferId: null },
        1002: { outcome: "sent", transferId: "t2" },
        1003: { outcome: "retry-later", transferId: null },
        1004: { outcome: "unknown", transferId: null },
        1005: { outcome: "sent", transferId: "t5" },
        1006: { outcome: skipped.outcome, answer: answerOf("sms-form", skipped, false) },
        1007: { outcome: "denied", transferId: null },
      });
      await store.deliveries.note("a1", [
        newEvent({ transferId: "t2", number: "1002", status: "delivered" }),
        newEvent({ transferId: "t5", number: "1005", status: "failed" }),
      ]);
      const [a, , c, , e, , g] = ids;
      assert.deepEqual(await whyOf(first(ids)), {
        [String(a)]: null,
        [String(c)]: null,
        [String(e)]: null,
        [String(g)]: null,
      });
      clock.pass(1_000);
      assert.equal(await store.again.take("a1", first(ids), "", me), 4);
      const again = await queued();
      assert.deepEqual(pick(again, "number").sort(), ["1001", "1003", "1005", "1007"]);
      assert.deepEqual(pick(again, "clientMessageId").sort(), ["c1001", "c1003", "c1005", "c1007"]);
      assert.deepEqual(
        [...new Set(again.map(({ node, channel, takenAt }) => `${node} ${channel} ${takenAt}`))],
        [`n1 sms ${clock.time}`],
      );
      const job = await store.recovery.job(again[0]?.job ?? 0);
      assert.deepEqual(
        [job?.snapshot, job?.resultOwner, job?.requests],
        ['{"again":true,"payload":"hello"}', me, 1],
      );
      const [claimed] = await store.claims.claim("a1", me, 1);
      assert.equal(claimed?.content, '{"messageContent":"hello"}');
      assert.equal(await store.again.take("a1", first(ids), "", me), 0, "never twice");
      assert.deepEqual(await whyOf(first(ids)), {
        [String(a)]: "later",
        [String(c)]: "later",
        [String(e)]: "later",
        [String(g)]: "later",
      });
    });

    it("leaves out who has another message since, of its node any, of others one that may have arrived", async () => {
      const [old = 0, sent = 0, open = 0, failed = 0] = await ended({
        1001: { outcome: "rejected" },
        1002: { outcome: "rejected" },
        1003: { outcome: "rejected" },
        1004: { outcome: "rejected" },
      });
      const places = first([old, sent, open, failed]);
      await ended({ 1001: { outcome: "rejected" } });
      await ended({ 1002: { outcome: "sent" }, 1004: { outcome: "retry-later" } }, { node: "n2" });
      await takeJob(store, [{ recipients: ["1003"] }], { node: "n3" });
      await takeJob(store, [{ recipients: ["1004"] }], { node: "n3", account: "a2" });
      assert.deepEqual(await whyOf(places), {
        [old]: "later",
        [sent]: "later",
        [open]: "later",
        [failed]: null,
      });
      assert.deepEqual(await store.again.look("a2", places, ""), []);
      assert.equal(await store.again.take("a2", first([failed]), "", me), 0);
      assert.equal(await store.again.take("a1", places, "", me), 1);
    });

    it("leaves out what a report contradicts, of the person or of others of the request", async () => {
      const [read = 0, both = 0, sent = 0] = await ended({
        1001: { outcome: "rejected", transferId: "t1" },
        1002: { outcome: "retry-later", transferId: "t2" },
        1003: { outcome: "sent", transferId: "t3" },
      });
      await store.deliveries.note("a1", [
        newEvent({ transferId: "t1", number: "1001", status: "read" }),
        newEvent({ transferId: "t2", number: "1002", status: "sent" }),
        newEvent({ transferId: "t3", number: "1003", status: "failed" }),
      ]);
      assert.deepEqual(await whyOf(first([read, both, sent])), {
        [read]: "unknown",
        [both]: "unknown",
        [sent]: null,
      });
      assert.equal(await store.again.take("a1", first([read, both, sent]), "", me), 1);
    });

    it("leaves out what is too late, whose once key is in use, and what only the simulator had", async () => {
      const refused = localVerdict("CONNECT_FAILED");
      const make = (more: Partial<typeof NO_RULES>) => ({ ...NO_RULES, ...more });
      const live = await takeJob(store, [
        { recipients: ["1001"], rules: make({ uselessAfter: clock.time + 500 }) },
        { recipients: ["1002"], rules: make({ once: { key: "k", within: 100_000, hash: "h" } }) },
      ]);
      const ids = [
        ...live,
        ...(await takeJob(store, [{ recipients: ["1003"] }], { destination: SIMULATOR })),
      ];
      const [late = 0, once = 0, simulated = 0] = ids;
      await store.claims.claim("a1", me, 2);
      await store.claims.claim("a1", me, 1, "", { ...NO_GUARD, destination: SIMULATOR });
      await store.settlements.settle(me, [
        answered(late, { outcome: "rejected", emitted: true }),
        answered(once, { outcome: "sent", transferId: "t2", emitted: true }),
        answered(simulated, {
          outcome: "retry-later",
          answer: answerOf("sms-form", refused, false),
          emitted: true,
        }),
      ]);
      await store.deliveries.note("a1", [newEvent({ transferId: "t2", number: "1002", status: "failed" })]);
      assert.deepEqual(await whyOf(first(ids)), { [late]: null, [once]: "key", [simulated]: "simulated" });
      clock.pass(500);
      assert.deepEqual(await whyOf(first(ids), SIMULATOR), {
        [late]: "expired",
        [once]: null,
        [simulated]: null,
      });
      assert.equal(await store.again.take("a1", first(ids), "", me), 0);
      assert.equal(await store.again.take("a1", first(ids), SIMULATOR, me), 2);
    });

    it("takes each of those who ask at the same time once", async () => {
      const ids = await ended({ 1001: { outcome: "rejected" }, 1002: { outcome: "rejected" } });
      const taken = await Promise.all(
        Array.from({ length: 5 }, () => store.again.take("a1", first(ids), "", me)),
      );
      assert.deepEqual(taken.toSorted(), [0, 0, 0, 0, 2]);
      assert.equal((await queued()).length, 2);
    });

    it("takes some of the recipients of a request, with their names and their rules", async () => {
      const once = { key: "k", within: 1_000, hash: "h" };
      const rules = { ...NO_RULES, once, scheduled: clock.time + 500, cost: 3 };
      const [id = 0] = await takeJob(store, [
        { recipients: ["1001", "1002", "1003"], rules: { ...rules, scheduled: null } },
      ]);
      await store.claims.claim("a1", me, 1);
      const refused = { outcome: "rejected", emitted: true, guarded: true } as const;
      await store.settlements.settle(me, [answered(id, refused)]);
      assert.equal(
        await store.again.take(
          "a1",
          [
            [id, 0],
            [id, 2],
            [id, 9],
          ],
          "",
          me,
        ),
        2,
      );
      const again = await queued();
      assert.deepEqual(pick(again, "number", "place"), [
        ["1001", 0],
        ["1003", 1],
      ]);
      const [claimed] = await store.claims.claim("a1", me, 1);
      assert.deepEqual([claimed?.rules.once, claimed?.rules.cost], [true, 3]);
    });

    it("emits with the flow's message before the rest of the list is done", async () => {
      const [id = 0] = await takeJob(store, [{ recipients: ["1001"] }, { recipients: ["1002"] }]);
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(id, { outcome: "rejected", emitted: true })]);
      assert.equal(await store.again.take("a1", [[id, 0]], "", me), 1);
      const [again] = await store.history.search({ account: "a1", number: "1001" }, null, 1);
      assert.equal((await store.recovery.job(again?.job ?? 0))?.snapshot, '{"again":true,"payload":"hello"}');
    });

    it("needs the text, which a store keeps or not", async () => {
      const [id = 0] = await takeJob(store, [{ recipients: ["1001"], content: '{"$verdict":{}}' }]);
      await store.claims.claim("a1", me, 1);
      await store.settlements.settle(me, [answered(id, { outcome: "rejected", emitted: true })]);
      assert.deepEqual(await whyOf([[id, 0]]), { [id]: "text" });
      assert.equal(await store.again.take("a1", [[id, 0]], "", me), 0);
    });
  });
}
