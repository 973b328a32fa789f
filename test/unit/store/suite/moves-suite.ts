import assert from "node:assert/strict";
import { type SharedEngine, shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { call } from "../../../../lib/store/engine/query";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";
import { Store } from "../../../../lib/store/store";
import { statement } from "../../../../lib/store/schema/statement";
import { useFolder } from "../use-folder";
import { answered, type OpenStore, takeJob, useFixture, pick } from "./store-under-test";

const ANNA = "41790000001";
const BERT = "41790000002";
const ROWS = statement("test_moves_rows")`
    SELECT j.job_key, j.node, j.taken_at, s.snapshot, j.result_owner, r.part, r.state, r.priority, r.due, r.attempts, r.content,
      r.client_message_id, r.once_key, r.scheduled, r.zone
    FROM requests r JOIN jobs j ON j.id = r.job LEFT JOIN snapshots s ON s.job = j.id ORDER BY j.taken_at, j.job_key, r.part`;
const DELETE_ALL = statement("test_moves_delete")`DELETE FROM requests`;

interface Place {
  readonly store: Store;
  readonly instance: string;
}

/** The whole way of all that waits, as far as `until`. */
async function move(
  from: Place,
  to: Place,
  until: "marked" | "arrived" | "removed" = "removed",
): Promise<number> {
  const place = await to.store.moves.place();
  await from.store.moves.mark("a1", from.instance, place);
  const { moves } = await from.store.moves.underWay("a1", place);
  let moved = 0;
  for (const id of until === "marked" ? [] : moves) {
    const one = await from.store.moves.read("a1", id);
    await to.store.moves.arrive("a1", to.instance, one);
    moved += until === "removed" ? await from.store.moves.remove("a1", one) : 0;
  }
  return moved;
}

/** @param open makes the store that is compared with a file, once as the one that messages come from and once as the other one */
export function movesSuite(open: OpenStore): void {
  const { clock, me, store } = useFixture(open);
  const folder = useFolder();
  let file: SharedEngine;
  let beside: Place;

  beforeEach(async () => {
    file = await shareSqlite(folder());
    const store = new Store(file.engine, { keepTexts: false, clock: clock });
    await store.instances("i2").start();
    beside = { store, instance: "i2" };
  });
  afterEach(() => file.release());

  const rows = async ({ store }: Place) => (await store.engine.run([call(ROWS)]))[0] ?? [];
  const states = async (place: Place) => (await rows(place)).map(({ part, state }) => `${part} ${state}`);
  const claimed = async ({ store, instance }: Place) =>
    (await store.claims.claim("a1", instance, 100)).map(({ jobKey, part }) => `${jobKey} ${part}`);

  for (const direction of ["to a file", "from a file"]) {
    describe(direction, () => {
      const under = (): Place => ({ store: store, instance: me });
      const from = (): Place => (direction === "to a file" ? under() : beside);
      const to = (): Place => (direction === "to a file" ? beside : under());

      it("brings what waits with everything that it has, and leaves nothing", async () => {
        const scheduled = clock.now() + 3_600_000;
        const once = { key: "k", within: 1_000, hash: "h" };
        await takeJob(from().store, [{ priority: 5, clientMessageId: "c", recipients: [ANNA, BERT] }], {
          key: "one",
        });
        await takeJob(from().store, [{ rules: { ...NO_RULES, scheduled, once, zone: "Europe/Zurich" } }], {
          key: "two",
        });
        const before = await rows(from());
        clock.pass(1_000);
        assert.equal(await move(from(), to()), 2);
        const expected = before.map((row) => ({ ...row, result_owner: to().instance, state: "parked" }));
        assert.deepEqual(await rows(to()), expected);
        assert.deepEqual(await rows(from()), []);
        await to().store.queue.park("a1", ["n1"]);
        const [request] = await to().store.claims.claim("a1", to().instance, 10);
        assert.deepEqual(request?.recipients, [ANNA, BERT]);
        assert.deepEqual(await claimed(to()), [], "before its time");
      });

      it("keeps what is paused paused, and what has no node without one", async () => {
        const [held = 0] = await takeJob(from().store, [{}], { key: "held" });
        await takeJob(from().store, [{}], { key: "gone", node: "gone" });
        const [{ job } = { job: 0 }] = (await from().store.recovery.openJobs("a1", {}, 0, 9)).map(
          ({ id }) => ({ job: id }),
        );
        assert.ok(held > 0);
        await from().store.queue.holdJob(job);
        assert.equal(await move(from(), to()), 2);
        await to().store.queue.park("a1", ["n1"]);
        assert.deepEqual((await rows(to())).map(({ job_key, state }) => `${job_key} ${state}`).sort(), [
          "gone parked",
          "held held",
        ]);
      });

      it("leaves what is done where it is, and counts it there", async () => {
        const ids = await takeJob(from().store, [{}, {}, {}], { key: "list" });
        const { claims, settlements } = from().store;
        await claims.claim("a1", from().instance, 2);
        await settlements.settle(from().instance, [answered(ids[0] ?? 0)]);
        assert.equal(await move(from(), to()), 0, "something is under way");
        await settlements.settle(from().instance, [answered(ids[1] ?? 0, { emitted: true })]);
        assert.equal(await move(from(), to()), 1);
        assert.deepEqual(await states(from()), ["0 settled", "1 emitted"]);
        assert.deepEqual(await states(to()), ["1 emitted", "2 parked"]);
        const [job] = await to().store.recovery.openJobs("a1", {}, 0, 9);
        assert.deepEqual([job?.open, job?.requests], [1, 2]);
      });

      for (const until of ["marked", "arrived"] as const) {
        it(`that ended when it was ${until} is in one place at most, and is finished later, once`, async () => {
          await takeJob(from().store, [{}, {}], { key: "list" });
          await move(from(), to(), until);
          assert.deepEqual(await claimed(from()), []);
          await from().store.queue.park("a1", ["n1"]);
          await from().store.recovery.settleOrphans();
          assert.deepEqual(await states(from()), ["0 moving", "1 moving"]);
          await to().store.queue.park("a1", ["n1"]);
          const left = until === "arrived" ? await claimed(to()) : [];
          assert.equal(left.length, until === "arrived" ? 2 : 0);
          assert.equal(await move(from(), to()), 2);
          await to().store.queue.park("a1", ["n1"]);
          assert.deepEqual([...left, ...(await claimed(to()))], ["list 0", "list 1"]);
          assert.deepEqual(await states(from()), []);
        });
      }

      it("adds nothing again that has left and was deleted since", async () => {
        await takeJob(from().store, [{}], { key: "one" });
        await move(from(), to(), "arrived");
        await to().store.engine.run([call(DELETE_ALL)]);
        assert.equal(await move(from(), to()), 1);
        assert.deepEqual([await states(from()), await states(to())], [[], []]);
      });

      it("comes back from a place that it was still on its way to", async () => {
        for (const until of ["marked", "arrived"] as const) {
          await takeJob(from().store, [{}], { key: until });
          await move(from(), to(), until);
        }
        // First what is on its way is brought there, then everything comes back.
        await move(from(), to());
        assert.equal(await move(to(), from()), 2);
        await from().store.queue.park("a1", ["n1"]);
        assert.deepEqual((await claimed(from())).sort(), ["arrived 0", "marked 0"]);
        assert.deepEqual(await states(to()), []);
      });

      it("takes back what comes from where it was going to", async () => {
        await takeJob(from().store, [{}], { key: "one" });
        await move(from(), to(), "arrived");
        assert.equal(await move(to(), from()), 1);
        await from().store.queue.park("a1", ["n1"]);
        assert.deepEqual([await claimed(from()), await states(to())], [["one 0"], []]);
      });

      it("does not say yes to another place", async () => {
        await takeJob(from().store, [{}], { key: "one" });
        await from().store.moves.mark("a1", from().instance, "a third place");
        const { requests, elsewhere } = await from().store.moves.underWay(
          "a1",
          await to().store.moves.place(),
        );
        assert.deepEqual([requests, elsewhere], [0, 1]);
        assert.equal(await move(from(), to()), 0);
      });

      it("brings opt-outs and used once keys of its people, so that they hold there as well", async () => {
        const rules = { ...NO_RULES, once: { key: "k", within: 3_600_000, hash: "h" } };
        const [first = 0] = await takeJob(from().store, [{ rules, recipients: [ANNA] }], { key: "first" });
        await from().store.claims.claim("a1", from().instance, 1);
        await from().store.settlements.settle(from().instance, [
          answered(first, { emitted: true, keyed: true }),
        ]);
        await from().store.optOuts("a1").add([BERT], "all", "inbound");
        await takeJob(from().store, [{ rules, recipients: [ANNA, BERT] }], { key: "second" });
        assert.equal(await move(from(), to()), 1);
        await to().store.queue.park("a1", ["n1"]);
        const [request] = await to().store.claims.claim("a1", to().instance, 10);
        assert.deepEqual(
          request?.held.map(({ number, reason }) => [number, reason]),
          [
            [ANNA, "already-sent"],
            [BERT, "opted-out"],
          ],
        );
        const { held } = request ?? { held: [] };
        assert.equal(held[0]?.reason === "already-sent" && held[0].first.outcome, "sent");
      });

      it("takes nothing that another process sends", async () => {
        await takeJob(from().store, [{}], { key: "one" });
        const other = from().store.instances("other");
        await other.start();
        // Where only one process can have the store, the one before is dead by then.
        await other.runs("a1", ["n1"]);
        assert.equal(await move(from(), to()), 0);
        await other.leave();
        assert.equal(await move(from(), to()), 1);
      });

      it("goes on with many in their order", async () => {
        for (let n = 0; n < 230; n++)
          await takeJob(from().store, [{}], { key: `job ${String(n).padStart(3, "0")}` });
        const before = pick(await rows(from()), "job_key");
        assert.equal(await move(from(), to()), 230);
        await to().store.queue.park("a1", ["n1"]);
        const left = pick(await to().store.claims.claim("a1", to().instance, 500), "jobKey");
        assert.deepEqual(left, before);
      });
    });
  }
}
