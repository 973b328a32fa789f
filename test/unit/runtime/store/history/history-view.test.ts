import assert from "node:assert/strict";
import {
  deleteNumber,
  filterOf,
  Gone,
  readLife,
  NoNumber,
  searchHistory,
} from "../../../../../lib/runtime/store/history/history-view";
import {
  HISTORY_PAGE,
  type HistoryPlace,
  type HistoryQuery,
} from "../../../../../lib/shared/history/history";
import { answered, newEvent, takeJob } from "../../../store/suite/store-under-test";
import { sentItems } from "../../../../support/store/sent-items";
import { useAccountStore } from "../account-store";

describe("the history of an account", () => {
  const use = useAccountStore();
  const find = async (query: HistoryQuery, country = "") => {
    const page = await searchHistory(use(), filterOf(use(), query, country), null);
    return sentItems(page).map(({ recipient }) => recipient);
  };

  it("finds a number in any usual spelling, in this account only", async () => {
    await takeJob(use().store, [{ recipients: ["41791234567", "41790000000"] }]);
    await takeJob(use().store, [{ recipients: ["41791234567"] }], { account: "a2" });
    assert.deepEqual(await find({ number: "0041 79 123 45 67" }), ["+41791234567"]);
    assert.deepEqual(await find({ number: "079 123 45 67" }, "CH"), ["+41791234567"]);
    assert.deepEqual(await find({ number: "079 123 45 67" }), ["+41791234567"]);
    assert.deepEqual(await find({ number: "078 123 45 67" }), []);
    assert.throws(() => filterOf(use(), { number: "Ada" }, ""), NoNumber);
  });

  const write = (number: string, account = "a1") =>
    use().store.deliveries.note(account, [newEvent({ kind: "inbound", number, status: null })]);

  it("has messages in both directions, and finds who only wrote by number or its end", async () => {
    await write("41791234567", "a1 simulated");
    await write("41790000001");
    await write("41791234567", "a2");
    await takeJob(use().store, [{ recipients: ["41790000002"] }]);
    const read = async (query: HistoryQuery): Promise<readonly string[]> => {
      const { entries } = await searchHistory(use(), filterOf(use(), query, "CH"), null);
      return entries
        .map((each) => (each.direction === "sent" ? `to ${each.recipient}` : `from ${each.sender}`))
        .sort();
    };
    assert.deepEqual(await read({}), ["from +41790000001", "from +41791234567", "to +41790000002"]);
    assert.deepEqual(await read({ number: "079 123 45 67" }), ["from +41791234567"]);
    assert.deepEqual(await read({ number: "4567" }), ["from +41791234567"]);
    for (const query of [{ name: "Ada" }, { outcome: "sent" }, { transferId: "t" }, { to: 1 }] as const) {
      assert.deepEqual(await read(query), []);
    }
  });

  it("returns pages, and marks the last one", async () => {
    const recipients = Array.from({ length: 2 * HISTORY_PAGE }, (_, at) => String(41790000000 + at));
    await takeJob(use().store, [{ recipients }]);
    const seen: string[] = [];
    let after: HistoryPlace | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof searchHistory>> = await searchHistory(
        use(),
        { account: "a1" },
        after,
      );
      seen.push(...sentItems(page).map(({ recipient }) => recipient.slice(1)));
      after = page.next;
      pages++;
    } while (after !== null);
    assert.equal(pages, 2, "an empty page came last");
    assert.deepEqual(seen, recipients);
  });

  it("shows the life of a message, with replies and without texts", async () => {
    const { store, instances } = use();
    const [id = 0] = await takeJob(store, [{ recipients: ["41791234567"] }]);
    await store.claims.claim("a1", instances.id, 1);
    await store.settlements.settle(instances.id, [answered(id, { transferId: "t1", emitted: true })]);
    await store.deliveries.note("a1", [
      newEvent({ transferId: "t1", number: "41791234567", body: '{"text":"a secret"}', at: Date.now() + 10 }),
      newEvent({
        kind: "inbound",
        number: "41791234567",
        status: null,
        body: '{"text":"a secret"}',
        at: Date.now() + 20,
      }),
    ]);
    const life = await readLife(use(), id, 0);
    assert.equal(life.record.delivery, "delivered");
    assert.deepEqual(
      life.steps.map(({ kind, body }) => [kind, body]),
      [
        ["queued", null],
        ["sending", null],
        ["answered", null],
        ["delivered", null],
        ["reply", null],
      ],
    );
    assert.equal(JSON.stringify(life).includes("secret"), false);
  });

  it("returns no message of another account, and no deleted one", async () => {
    const [id = 0] = await takeJob(use().store, [{}], { account: "a2" });
    for (const request of [id, id + 1]) {
      await assert.rejects(readLife(use(), request, 0), Gone);
    }
  });

  it("deletes a number in any spelling, and counts messages under way", async () => {
    const { store, instances } = use();
    const [id = 0] = await takeJob(store, [{ recipients: ["41791234567"] }]);
    await store.claims.claim("a1", instances.id, 1);
    await store.settlements.settle(instances.id, [answered(id, { emitted: true })]);
    await takeJob(store, [{ recipients: ["41791234567"] }]);
    assert.deepEqual(await deleteNumber(use(), "+41 (0)79 123 45 67", ""), {
      recipients: 1,
      events: 0,
      open: 1,
      gathered: 0,
    });
    await assert.rejects(deleteNumber(use(), "Ada", ""), NoNumber);
  });
});
