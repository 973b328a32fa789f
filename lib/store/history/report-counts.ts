import type { ShownOutcome } from "../../shared/outcomes";
import type { Engine, Row } from "../engine/engine";
import { call, numberOrNull } from "../engine/query";
import { firstWordOf, greatest, lookUpIfAny, numberIn, type Sql, smallestOf, sql } from "../schema/sql";
import { statement } from "../schema/statement";
import { type ReportDay, type ReportStep, stepMs } from "./days-of-zone";
import { shownOutcomeOf } from "./history-filter";

/** Recipients of a step with the same node, outcome, reason, status and delivery time. */
export interface ReportCount {
  /** Epoch ms at which the hour or day starts. */
  readonly step: number;
  readonly node: string;
  readonly channel: string;
  /** null for messages without an outcome yet. */
  readonly outcome: ShownOutcome | null;
  readonly operation: string | null;
  readonly code: number | null;
  readonly fault: string | null;
  readonly delivery: string | null;
  /** The delivery time as `delaySeconds` reads it; null unless delivered. */
  readonly bucket: number | null;
  readonly count: number;
  /** Billed messages; 0 where simulated. */
  readonly segments: number;
  /** 1 for messages to the built-in simulator. */
  readonly simulated: 0 | 1;
}

type StepCount = Pick<ReportCount, "step" | "count">;

export interface InboundCounts {
  readonly replies: readonly StepCount[];
  readonly optOuts: readonly StepCount[];
}

const DAY = 86_400_000;
/** Recipients of a statement: aim, and limit. Writers on the same handle wait less than 20 ms for it. */
const [TARGET, MAX_RECIPIENTS] = [4_000, 8_000];
const [SHRINK, MAX_GROWTH] = [16, 4];
/** Parts of the first slice of a list, and above all parts. */
const [PARTS, MAX_PART] = [100, 2 ** 31 - 1];

/** ?4 start of the day, ?5 length of a step. */
const stepOf = (time: string): string =>
  `CAST(?4 AS bigint) + (${time} - CAST(?4 AS bigint)) / CAST(?5 AS bigint) * CAST(?5 AS bigint)`;

const FAILED = "m.outcome <> 'sent' AND m.outcome <> 'queued'";
/** Deletion may have removed the recipient at index 0. */
const IS_FIRST = `(m.recipient IS NOT NULL OR c.idx = 0
    OR NOT EXISTS (SELECT 1 FROM recipients o WHERE o.request = c.request AND o.idx < c.idx))`;
const whereFailed = (value: Sql | string): Sql => sql`CASE WHEN ${FAILED} THEN ${value} END`;

const RECIPIENTS = statement("report_recipients")`
    SELECT p.step, p.node, p.channel, p.outcome, p.operation, p.code, p.fault, p.delivery, p.simulated,
      CASE WHEN p.s < 60 THEN p.s WHEN p.s < 3600 THEN 60 + p.s / 60
        WHEN p.s < 86400 THEN 120 + p.s / 3600 ELSE 150 + p.s / 86400 END AS bucket,
      count(*) AS count, coalesce(sum(p.segments), 0) AS segments
    FROM (
      SELECT ${stepOf("m.accepted_at")} AS step, m.node, m.channel, coalesce(c.delivery, m.delivery) AS delivery, m.simulated,
        CASE WHEN ${FAILED} THEN ${shownOutcomeOf("m")} ELSE m.outcome END AS outcome,
        ${whereFailed("m.operation")} AS operation, ${whereFailed(numberIn("m.response", "statusCode"))} AS code,
        ${whereFailed(firstWordOf("m.response", "fault"))} AS fault,
        CASE WHEN m.outcome IN ('sent', 'queued') AND m.simulated = 0 AND ${IS_FIRST}
          THEN ${numberIn("m.response", "smsCount")} END AS segments,
        CASE WHEN coalesce(c.delivery, m.delivery) = 'delivered' AND m.sent_at IS NOT NULL
          THEN ${greatest("coalesce(c.delivery_at, m.delivery_at) - m.sent_at", "0")} / 1000 END AS s
      FROM messages m ${lookUpIfAny("recipients", "c", "m.recipient IS NULL AND c.request = m.id")}
      WHERE m.account = ?1 AND m.accepted_at >= ?2 AND m.accepted_at < ?3 AND m.part >= ?6 AND m.part < ?7
        AND (m.recipient IS NOT NULL OR c.request IS NOT NULL) LIMIT ?8) p
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`;

const REPLIES = statement("report_replies")`
    SELECT ${stepOf("v.received_at")} AS step, count(*) AS count FROM events v
    WHERE v.account = ?1 AND v.received_at >= ?2 AND v.received_at < ?3 AND v.kind = 'inbound' GROUP BY 1`;

const OPT_OUTS = statement("report_opt_outs")`
    SELECT ${stepOf("o.at")} AS step, count(*) AS count FROM opt_outs o
    WHERE o.account = ?1 AND o.at >= ?2 AND o.at < ?3 GROUP BY 1`;

const FIRST = statement("report_first")`
    SELECT ${smallestOf([
      "(SELECT min(m.accepted_at) FROM messages m WHERE m.account = ?1)",
      "(SELECT min(v.received_at) FROM events v WHERE v.account = ?2 AND v.kind = 'inbound')",
      "(SELECT min(o.at) FROM opt_outs o WHERE o.account = ?2)",
    ])} AS at`;

/** Columns of which a database may give texts. */
const NUMBERS = ["step", "code", "bucket", "count", "segments", "simulated"];

const toStepCount = ({ step, count }: Row): StepCount => ({ step: Number(step), count: Number(count) });

function toCount(row: Row): ReportCount {
  const numbers = NUMBERS.map((column) => [column, row[column] === null ? null : Number(row[column])]);
  return { ...row, ...Object.fromEntries(numbers) } as ReportCount;
}

/** Returns the seconds at which a bucket starts: exact to the second, minute, hour or day. */
export function delaySeconds(bucket: number): number {
  if (bucket < 60) {
    return bucket;
  }
  return bucket < 120 ? (bucket - 60) * 60 : bucket < 150 ? (bucket - 120) * 3_600 : (bucket - 150) * 86_400;
}

type Counts = readonly ReportCount[];

const countRecipients = (counts: Counts): number => counts.reduce((sum, { count }) => sum + count, 0);

/** Reads ranges in slices of about `TARGET` recipients. */
class Slices {
  constructor(private size: number) {}

  /**
   * @param read returns null for more than `MAX_RECIPIENTS`
   * @param readWhole reads a slice of length 1 with more
   */
  async *read(
    first: number,
    end: number,
    read: (from: number, to: number) => Promise<Counts | null>,
    readWhole: (from: number) => AsyncIterable<Counts>,
  ): AsyncGenerator<Counts> {
    for (let from = first; from < end; ) {
      const to = Math.min(from + this.size, end);
      const counts = await read(from, to);
      if (counts === null && to - from > 1) {
        this.size = Math.ceil((to - from) / SHRINK);
        continue;
      }
      if (counts === null) {
        yield* readWhole(from);
      } else {
        yield counts;
        this.#fit(to - from, countRecipients(counts));
      }
      from = to;
    }
  }

  #fit(length: number, recipients: number): void {
    if (length === this.size) {
      const growth = Math.min(MAX_GROWTH, TARGET / Math.max(recipients, 1));
      this.size = Math.max(1, Math.floor(this.size * growth));
    }
  }
}

/** Counts the recipients of an account. */
class RecipientCounter {
  readonly #times = new Slices(DAY);

  constructor(
    private readonly engine: Engine,
    private readonly account: string,
    private readonly step: ReportStep,
  ) {}

  count(day: ReportDay): AsyncGenerator<Counts> {
    return this.#times.read(
      day.from,
      day.to,
      (from, to) => this.#read(day, from, to),
      (from) => this.#countMillisecond(day, from),
    );
  }

  /** Counts a list, for example, by parts of its message. */
  #countMillisecond(day: ReportDay, from: number): AsyncGenerator<Counts> {
    const read = (part: number, end: number, max?: number): Promise<Counts | null> =>
      this.#read(day, from, from + 1, part, end, max);
    return new Slices(PARTS).read(0, MAX_PART, read, async function* (part) {
      yield (await read(part, part + 1, Number.MAX_SAFE_INTEGER - 1)) ?? [];
    });
  }

  /** @returns null for more than `max` recipients */
  async #read(
    day: ReportDay,
    from: number,
    to: number,
    part = 0,
    endPart = MAX_PART,
    max = MAX_RECIPIENTS,
  ): Promise<Counts | null> {
    const values = [this.account, from, to, day.starts, stepMs(day, this.step), part, endPart, max + 1];
    const [rows = []] = await this.engine.read([call(RECIPIENTS, ...values)]);
    const counts = rows.map(toCount);
    return countRecipients(counts) > max ? null : counts;
  }
}

/**
 * Counts recipients by what became of their messages, in slices: the handle may be that of writers.
 * @param days in order
 * @throws StoreError
 */
export async function* countOutcomes(
  engine: Engine,
  account: string,
  days: Iterable<ReportDay>,
  step: ReportStep,
): AsyncGenerator<Counts> {
  const counter = new RecipientCounter(engine, account, step);
  for (const day of days) {
    yield* counter.count(day);
  }
}

/**
 * Counts replies and opt-outs.
 * @throws StoreError (as a rejection)
 */
export async function countInbound(
  engine: Engine,
  scope: string,
  day: ReportDay,
  step: ReportStep,
): Promise<InboundCounts> {
  const values = [scope, day.from, day.to, day.starts, stepMs(day, step)];
  const [replies = [], optOuts = []] = await engine.read([
    call(REPLIES, ...values),
    call(OPT_OUTS, ...values),
  ]);
  return { replies: replies.map(toStepCount), optOuts: optOuts.map(toStepCount) };
}

/** Returns the epoch ms of the oldest entry that a report counts, or null. @throws StoreError (as a rejection) */
export async function getFirst(engine: Engine, account: string, scope: string): Promise<number | null> {
  const [[row] = []] = await engine.read([call(FIRST, account, scope)]);
  return numberOrNull(row?.at);
}
