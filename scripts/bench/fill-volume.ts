import type { Call, Engine } from "../../lib/store/engine/engine";
import { statement } from "../../lib/store/schema/statement";

/** Messages that are done, each with an event, and those that wait behind them. */
export const MESSAGES = 1_000_000;
export const QUEUED = 100_000;
/** Rows that are filled in at once. */
export const SLICE = 20_000;
export const DAY = 24 * 3_600_000;
export const ACCOUNT = "a1";

/** ?1 to ?2 are numbered rows, ?3 epoch ms at which the first of them came, ?4 how many ms from one to the next. */
const insert = (name: string, text: string) =>
  statement(
    `bench_fill_${name}`,
    () =>
      `WITH RECURSIVE g (n) AS (SELECT CAST(?1 AS bigint) UNION ALL SELECT n + 1 FROM g WHERE n < ?2) ${text}`,
  );
const TIME = "CAST(?3 AS bigint) + CAST(?4 AS bigint) * n";
const JOBS = insert(
  "jobs",
  `INSERT INTO jobs (job_key, account, node, result_owner, channel, taken_at, sealed)
    SELECT 'k' || n, '${ACCOUNT}', 'n' || (n % 20), 'dead', 'sms', ${TIME}, 1 FROM g`,
);
/** @param times columns that hold the time */
const requests = (name: string, state: string, outcome: string, times: string) =>
  insert(
    name,
    `INSERT INTO requests (job, part, account, operation, state, priority, attempts, client_message_id, transfer_id, outcome, answer, ${times})
      SELECT n, 0, '${ACCOUNT}', 'sms-json', '${state}', 0, 1, 'c' || n, 't' || n, ${outcome}, '{"statusCode":2000,"smsCount":1}', ${times.replaceAll(/\w+/g, TIME)} FROM g`,
  );
const EMITTED = requests(
  "emitted",
  "emitted",
  "CASE WHEN n % 50 = 0 THEN 'rejected' ELSE 'sent' END",
  "left_at, settled_at, emitted_at",
);
const WAITING = requests("waiting", "queued", "NULL", "due");
const RECIPIENTS = insert(
  "recipients",
  `INSERT INTO recipients (request, place, number, delivery_rank, delivery, delivery_at)
    SELECT n, 0, '4179' || (n % 50000), 1, 'delivered', ${TIME} + (n % 100) * (n % 100) FROM g`,
);
const EVENTS = insert(
  "events",
  `INSERT INTO events (account, event_key, kind, request, number, transfer_id, status, rank, at, received_at, applied)
    SELECT '${ACCOUNT}', 'e' || n, CASE WHEN n % 10 = 0 THEN 'inbound' ELSE 'report' END,
      CASE WHEN n % 10 = 0 THEN NULL ELSE n END, '4179' || (n % 50000), 't' || n, 'delivered', 1, ${TIME}, ${TIME}, 1 FROM g`,
);
const KEYS = insert(
  "keys",
  `INSERT INTO duplicates (receiver, memory, event_key, at, count) SELECT 'w1', 'done', 'e' || n, ${TIME}, 1 FROM g`,
);
const ANALYZE = statement("bench_analyze", () => "ANALYZE");
/**
 * Fills an empty store with messages and events of the last twenty days, whose process has ended.
 * @returns epoch ms at which the first of those came that wait
 */
export async function fillVolume(engine: Engine): Promise<number> {
  const start = Date.now() - 20 * DAY;
  const step = Math.floor((19 * DAY) / (MESSAGES + QUEUED));
  const rows = (each: ReturnType<typeof insert>, from: number, to: number): Call => ({
    statement: each,
    values: [from, to, start, step],
  });
  for (let from = 1; from <= MESSAGES + QUEUED; from += SLICE) {
    const to = from + SLICE - 1;
    const isDone = from <= MESSAGES;
    await engine.run([
      rows(JOBS, from, to),
      rows(isDone ? EMITTED : WAITING, from, to),
      rows(RECIPIENTS, from, to),
    ]);
    if (isDone) {
      await engine.run([rows(EVENTS, from, to)]);
    }
  }
  for (let from = 1; from <= 100_000; from += SLICE) {
    await engine.run([rows(KEYS, from, from + SLICE - 1)]);
  }
  await engine.run([{ statement: ANALYZE, values: [] }]);
  return start + step * (MESSAGES + 1);
}
