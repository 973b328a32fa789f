import assert from "node:assert/strict";
import {
  deleteNumber,
  filterOf,
  Gone,
  lifeOf,
  NoNumber,
  readHistory,
  searchHistory,
} from "../../../../../lib/runtime/store/history/history-view";
import { judge } from "../../../../../lib/gateway/codec/verdict";
import { OPERATIONS } from "../../../../../lib/gateway/contract/operations";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import { inLanguage } from "../../../../../lib/texts/say";
import {
  HISTORY_PAGE,
  type HistoryPlace,
  type HistoryQuery,
} from "../../../../../lib/shared/history/history";
import { Busy } from "../../../../../lib/shared/async/turns";
import { waitFor } from "../../../../support/wait-for";
import { answered, newEvent, takeJob } from "../../../store/suite/store-under-test";
import { useAccountStore } from "../account-store";

describe("the history of an account", () => {
  const use = useAccountStore();
  const find = async (query: HistoryQuery, country = "") => {
    const { entries } = await searchHistory(use(), filterOf(use(), query, country), null);
    return entries.map(({ recipient }) => recipient);
  };

  it("is searched by a number as people write it, in this account alone", async () => {
    await takeJob(use().store, [{ recipients: ["41791234567", "41790000000"] }]);
    await takeJob(use().store, [{ recipients: ["41791234567"] }], { account: "a2" });
    assert.deepEqual(await find({ number: "0041 79 123 45 67" }), ["+41791234567"]);
    assert.deepEqual(await find({ number: "079 123 45 67" }, "CH"), ["+41791234567"]);
    assert.deepEqual(await find({ number: "079 123 45 67" }), ["+41791234567"]);
    assert.deepEqual(await find({ number: "078 123 45 67" }), []);
    assert.throws(() => filterOf(use(), { number: "Ada" }, ""), NoNumber);
  });

  it("is searched by the end of a number where nobody has it whole, among a limited number of messages", async () => {
    const numbers = ["41791230001", "41791230002", "41791230011", "41791230003"];
    for (const number of numbers) {
      await takeJob(use().store, [{ recipients: [number] }]);
    }
    assert.deepEqual(await find({ number: "002" }), ["+41791230002"]);
    assert.deepEqual(await find({ number: "079 123 00 03" }), ["+41791230003"]);
    assert.deepEqual(await find({ number: "02" }), [], "two digits are too few");
    assert.deepEqual(await find({ number: "002", outcome: "sent" }), []);
    const filter = filterOf(use(), { number: "0001" }, "");
    const first = await searchHistory(use(), filter, null, 3);
    assert.deepEqual([first.entries.length, first.looked, first.next === null], [0, 3, false]);
    const rest = await searchHistory(use(), filter, first.next, 3);
    assert.deepEqual(
      [rest.entries.map(({ recipient }) => recipient), rest.looked, rest.next],
      [["+41791230001"], undefined, null],
    );
    const pages: string[] = [];
    for await (const page of readHistory(use(), filter)) {
      pages.push(...page.entries.map(({ number }) => number));
    }
    assert.deepEqual(pages, ["41791230001"], "the file has something else than the list");
  });

  it("counts what a search finds by outcome, once, and not for the end of a number", async () => {
    const { store, instances } = use();
    const [id = 0] = await takeJob(store, [{ recipients: ["41791234567", "41791234568"] }, {}]);
    await takeJob(store, [{}], { account: "a2" });
    await store.claims.claim("a1", instances.id, 1);
    await store.settlements.settle(instances.id, [answered(id, { emitted: true })]);
    const search = (query: HistoryQuery) => searchHistory(use(), filterOf(use(), query, ""), null);
    const { tally, entries } = await search({});
    assert.deepEqual(tally, { count: 3, more: false, outcomes: { sent: 2 }, open: 1 });
    assert.deepEqual((await search({ outcome: "unknown" })).tally?.count, 0);
    assert.deepEqual((await search({ outcome: "sent", from: 0 })).tally?.outcomes, { sent: 2 });
    assert.deepEqual((await search({ number: "+41791234568" })).tally?.count, 1);
    assert.equal((await search({ number: "4568" })).tally, undefined);
    const { takenAt, job, part, place, request } = entries[0]!;
    const on = [Date.parse(takenAt), job, part, place, request] as const;
    assert.equal((await searchHistory(use(), filterOf(use(), {}, ""), on)).tally, undefined);
    const { counts } = await store.history.tally({ account: "a1" }, 2);
    assert.equal(
      [...counts.values()].reduce((sum, each) => sum + each, 0),
      2,
      "it counts on",
    );
  });

  it("lets one search of an account at a time, and tells those that are too many to come back", async () => {
    await takeJob(use().store, [{}]);
    let [underWay, most] = [0, 0];
    const { history } = use().store;
    const search = () => searchHistory(use(), filterOf(use(), {}, ""), null);
    const others = Array.from({ length: 10 }, () =>
      history.turns.take(async () => {
        most = Math.max(most, ++underWay);
        await history.search({ account: "a1" }, null, 1);
        underWay--;
      }),
    );
    const found = await Promise.allSettled(Array.from({ length: 15 }, search));
    await Promise.all(others);
    assert.deepEqual(
      found.map((each) =>
        each.status === "fulfilled" ? each.value.entries.length : each.reason instanceof Busy,
      ),
      [...Array.from({ length: 10 }, () => 1), ...Array.from({ length: 5 }, () => true)],
    );
    assert.equal(most, 1);
    assert.equal((await search()).entries.length, 1, "a turn was not given back");
  });

  it("says of the message that was replied to, and of no earlier or later one", async () => {
    const { store, instances } = use();
    const tick = async (): Promise<void> => {
      const from = Date.now();
      await waitFor("the next millisecond", () => Date.now() > from);
    };
    const send = async (): Promise<void> => {
      await tick();
      const [id = 0] = await takeJob(store, [{ recipients: ["41791234567"] }]);
      await store.claims.claim("a1", instances.id, 1);
      await store.settlements.settle(instances.id, [answered(id, { transferId: `t${id}`, emitted: true })]);
    };
    await send();
    await send();
    await tick();
    const inbound = { kind: "inbound", number: "41791234567", status: null, body: null } as const;
    await store.deliveries.note("a1", [newEvent(inbound)]);
    await send();
    const { entries } = await searchHistory(use(), { account: "a1" }, null);
    assert.deepEqual(
      entries.map(({ replied }) => replied),
      [false, true, false],
    );
  });

  it("comes in pages, the last of which says so", async () => {
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
      seen.push(...page.entries.map(({ recipient }) => recipient.slice(1)));
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
    const life = await lifeOf(use(), id, 0);
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

  it("is told in the language of who reads it, whatever it was when a message was settled", async () => {
    const { store, instances } = use();
    const [id = 0] = await takeJob(store, [{ recipients: ["41791234567"] }]);
    await store.claims.claim("a1", instances.id, 1);
    const verdict = judge(
      OPERATIONS["sms-json"],
      {
        answer: {
          status: 400,
          headers: {},
          body: Buffer.from(JSON.stringify({ statusCode: 4003, statusMessage: "no such sender" })),
        },
      },
      true,
      0,
    );
    const answer = answerOf("sms-json", verdict, false, false);
    await store.settlements.settle(instances.id, [
      answered(id, { outcome: verdict.outcome, answer, emitted: true }),
    ]);
    const inGerman = <Made>(make: () => Made): Made => inLanguage("de", make);
    const { entries } = await searchHistory(use(), { account: "a1" }, null, undefined, inGerman);
    assert.equal(entries[0]?.meaning, "Sie wurde nicht gesendet: Die Nachricht wurde nicht angenommen.");
    const { record, steps } = await lifeOf(use(), id, 0, inGerman);
    assert.equal(steps[0]?.text, "Der Node nahm die Nachricht an.");
    assert.match(record.advice ?? "", /^Verwenden Sie/);
    assert.match((await lifeOf(use(), id, 0)).record.advice ?? "", /^Use/);
  });

  it("has no message of another account, and none that is gone", async () => {
    const [id = 0] = await takeJob(use().store, [{}], { account: "a2" });
    for (const request of [id, id + 1]) {
      await assert.rejects(lifeOf(use(), request, 0), Gone);
    }
  });

  it("forgets a number in any spelling, and says what is still on its way", async () => {
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
