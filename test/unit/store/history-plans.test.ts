import assert from "node:assert/strict";
import type { Engine } from "../../../lib/store/engine/engine";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { call } from "../../../lib/store/engine/query";
import { recentOfAccount, recentOfNode } from "../../../lib/store/history/recent-counts";
import { countDays, firstOf } from "../../../lib/store/history/report-days";
import { acceptedNear, presentOf } from "../../../lib/store/history/present";
import { History } from "../../../lib/store/history/history";
import type { HistoryCursor } from "../../../lib/store/history/history-entry";
import type { HistoryFilter } from "../../../lib/store/history/history-filter";
import { allStatements, statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { explained, mostRead, ROWS_READ, STEPS } from "../../support/store/explained";
import { usePostgresql } from "../../support/store/use-postgresql";
import { useFolder } from "./use-folder";

const ROWS = 60_000;
/** Enough for each question to have something to ask about: SQLite plans do not depend on the rows. */
const FEW_ROWS = 200;
/** Rows of one table that a statement may read: a part of them is looked at in one. */
const MOST_LOOKED = 5_000;
/** Entries of a page; where each message fits, its statements look at hardly more. */
const PAGE = 51;

/** One number has half of the messages, a third were refused; what is rare is the oldest. */
const FILL = [
  `INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT 'k' || g, 'a1', CASE WHEN g < 20 THEN 'rare' ELSE 'n' || g % 7 END, 'i1', 'sms', g, 1 FROM g`,
  `INSERT INTO requests (job, part, account, operation, state, priority, attempts, client_message_id, transfer_id, outcome)
    SELECT g, 0, 'a1', 'sms', 'emitted', 0, 1, CASE WHEN g % 2 = 0 THEN 'same' ELSE 'c' || g END, 't' || g,
      CASE WHEN g < 3 THEN 'queued' WHEN g % 3 = 0 THEN 'rejected' ELSE 'sent' END FROM g`,
  `INSERT INTO recipients (request, place, number, delivery_rank)
    SELECT g, 0, CASE WHEN g % 2 = 0 THEN '41790000001' ELSE '4178' || g END, 0 FROM g`,
  `INSERT INTO events (account, event_key, kind, request, number, rank, at, received_at, applied)
    SELECT 'a1', 'e' || g, CASE WHEN g % 1000 = 0 THEN 'inbound' ELSE 'report' END, g, '41790000001', 1, g, g, 1 FROM g`,
].map((text, at) =>
  statement(`test_history_fill_${at}`, (dialect) =>
    dialect === "postgresql"
      ? text.replace("FROM g", "FROM generate_series(1, CAST(?1 AS integer)) AS g (g)")
      : text.replace(
          "SELECT",
          "WITH RECURSIVE g (g) AS (SELECT 1 UNION ALL SELECT g + 1 FROM g WHERE g < ?1) SELECT",
        ),
  ),
);
const ANALYZE = statement("test_history_analyze", () => "ANALYZE");

/** Those that are there before any search is made; each way of searching adds its own. */
const QUESTIONS = allStatements()
  .map(({ name }) => name)
  .filter((name) => name.startsWith("history_"));

const FILTERS: readonly HistoryFilter[] = [
  {},
  { number: "41790000001" },
  { number: "4999" },
  { number: "41790000001", outcome: "queued" },
  { numberEnd: "00002" },
  { name: "carla" },
  { name: "carla", node: "rare" },
  { name: "carla", from: 1, to: 90 },
  { clientMessageId: "same" },
  { transferId: "t9" },
  { node: "n1" },
  { node: "rare" },
  { node: "rare", outcome: "rejected" },
  { from: 1, to: 90 },
  { from: ROWS / 2 },
  { outcome: "sent" },
  { outcome: "rejected" },
  { outcome: "queued" },
  { outcome: "denied", node: "n1" },
];

/** Everything that a person can ask of the history, each with the statements of its first page, its second page and its count. */
async function askAll(engine: Engine, rows: number): Promise<void> {
  const history = new History(engine);
  const lately = { account: "a1", from: rows / 2, to: rows, most: 1_000 };
  await recentOfAccount(engine, lately);
  await recentOfNode(engine, "n1", lately);
  const middle: HistoryCursor = [rows / 2, rows / 2, 0, 0, rows / 2];
  for (const unsent of [false, true]) {
    await history.conversation({ account: "a1", number: "41790000001", since: 0, most: 10, unsent });
  }
  for (const filter of FILTERS) {
    const asked = { account: "a1", ...filter };
    const { entries } = await history.look(asked, null, 51, 1_000);
    await history.look(asked, middle, 51, 1_000);
    await history.tally(asked, 1_000);
    await history.replied(entries.slice(0, 3));
    await history.sizes(entries.slice(0, 3));
    for (const { account, number, takenAt, request, place } of entries.slice(0, 1)) {
      await history.find(account, request, place);
      await history.recipientEvents(request, place, 10);
      await history.replies(account, number, takenAt - 2_000, 10);
    }
  }
}

describe("what people ask of a long history", () => {
  const folder = useFolder();
  const server = usePostgresql();
  const fill = (engine: Engine, rows: number) => engine.run(FILL.map((each) => call(each, rows)));

  it("is found by an index in its order, in SQLite", async () => {
    const { engine, release } = await shareSqlite(folder());
    await new Store(engine, { keepTexts: true }).probe();
    await fill(engine, FEW_ROWS);
    const wrong = new Set<string>();
    const asked = new Set<string>();
    const watched = explained(engine, STEPS, (name, explanation) => {
      asked.add(name);
      const steps = explanation.map(({ detail }) => String(detail));
      // `e` is the list that was given. Behind the rows that were looked at, those that fit are put in order again; events of one request are few, and so are
      // the requests of a page that is counted.
      const end = steps.findIndex((step) => /^SCAN [wp]\b|events_by_request|events_inbound/.test(step));
      for (const step of steps.slice(0, end === -1 ? undefined : end)) {
        if (/^SCAN (?!c$|e VIRTUAL TABLE)|TEMP B-TREE FOR ORDER BY/.test(step)) {
          wrong.add(`${name}: ${step}`);
        }
      }
    });
    await askAll(watched, FEW_ROWS);
    await release();
    assert.ok(asked.size > 60, `only ${asked.size}`);
    assert.deepEqual(
      QUESTIONS.filter((name) => !asked.has(name)),
      [],
    );
    assert.deepEqual([...wrong], []);
  });

  it("looks at few rows in PostgreSQL, for a first page at no more than it shows, before and after it has analysed its tables", async () => {
    const { engine, release } = await sharePostgresql({
      url: await server().newDatabase(),
      schema: "messaging",
      tls: null,
    });
    await new Store(engine, { keepTexts: true }).probe();
    await fill(engine, ROWS);
    const wrong = new Set<string>();
    let mostLooked = MOST_LOOKED;
    const watched = explained(engine, ROWS_READ, (name, explanation) => {
      const read = mostRead(explanation);
      if (read > mostLooked) wrong.add(`${name}: ${read}`);
    });
    const history = new History(watched);
    const present = async () => {
      await acceptedNear(watched, "a1", ROWS / 2);
      await presentOf(watched, { account: "a1", now: ROWS, hourStarts: 0, dayStarts: 0, unknownSince: 0 });
      const part = { starts: 0, ends: ROWS, from: ROWS / 2, to: ROWS / 2 + 2 * FEW_ROWS };
      const whole = { starts: ROWS, ends: ROWS + 100, from: ROWS, to: ROWS + 100 };
      const first = await firstOf(watched, "a1");
      for await (const _day of countDays(watched, "a1", [part, whole], first, 10 * ROWS + 600_000));
    };
    await askAll(watched, ROWS);
    await present();
    const before = [...wrong];
    wrong.clear();
    mostLooked = 2 * PAGE;
    for (const filter of [{}, { node: "n1" }, { outcome: "rejected" }] as const) {
      assert.equal((await history.search({ account: "a1", ...filter }, null, PAGE)).length, PAGE);
    }
    const first = [...wrong];
    mostLooked = MOST_LOOKED;
    wrong.clear();
    await engine.run([call(ANALYZE)]);
    await askAll(watched, ROWS);
    await present();
    await release();
    assert.deepEqual({ before, first, after: [...wrong] }, { before: [], first: [], after: [] });
  });
});
