import { randomUUID } from "node:crypto";
import type { Clock } from "../../../../lib/store/engine/clock";
import type { Engine } from "../../../../lib/store/engine/engine";
import { call, rowOf, rowsOf } from "../../../../lib/store/engine/query";
import type { Instances } from "../../../../lib/store/instances";
import type { NewJob, NewRequest } from "../../../../lib/store/jobs/jobs";
import type { NewEvent } from "../../../../lib/store/events/deliveries";
import { statement } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";

const START = Date.parse("2025-06-01T12:00:00Z");

/** A clock that a test sets. */
export class TestClock implements Clock {
  time = START;
  run = 0;
  now = (): number => this.time;
  elapsed = (): number => this.run;

  pass(ms: number): void {
    this.time += ms;
    this.run += ms;
  }

  reset(): void {
    this.time = START;
    this.run = 0;
  }
}

/** An empty store of its own for each test. */
export interface StoreUnderTest {
  readonly engine: Engine;
  readonly close: () => Promise<void>;
}

/** Makes a store; the suites of the concerns know nothing else of an engine. */
export type OpenStore = () => Promise<StoreUnderTest>;

export interface Fixture {
  readonly clock: TestClock;
  readonly engine: Engine;
  readonly store: Store;
  /** A store beside `store` that keeps texts. */
  readonly keeping: Store;
  /** An instance that is alive. */
  readonly me: string;
  readonly mine: Instances;
}

/** What is there only while a test runs, as an object that is there before. */
const forward = <Target extends object>(target: () => Target): Target =>
  new Proxy({} as Target, {
    get: (_, name) => {
      const value = Reflect.get(target(), name, target()) as unknown;
      return typeof value === "function" ? value.bind(target()) : value;
    },
  });

/** Opens an empty store before each test, and closes it after. */
export function useFixture(open: OpenStore): Fixture {
  const clock = new TestClock();
  const me = randomUUID();
  let made: Pick<Fixture, "engine" | "store" | "keeping" | "mine"> & StoreUnderTest;
  beforeEach(async () => {
    clock.reset();
    const under = await open();
    const store = new Store(under.engine, { keepTexts: false, clock });
    const keeping = new Store(under.engine, { keepTexts: true, clock });
    made = { ...under, store, keeping, mine: store.instances(me) };
    await made.mine.start();
  });
  afterEach(() => made.close());
  return {
    clock,
    me,
    engine: forward(() => made.engine),
    store: forward(() => made.store),
    keeping: forward(() => made.keeping),
    mine: forward(() => made.mine),
  };
}

/** The same for tests that ask for it. */
export const useStore = (open: OpenStore): (() => Fixture) => {
  const fixture = useFixture(open);
  return () => fixture;
};

/** One value of each row, or a list of several. */
export function pick<Row, Name extends keyof Row>(rows: readonly Row[], name: Name): Row[Name][];
export function pick<Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): unknown[][];
export function pick<Row>(rows: readonly Row[], ...names: readonly (keyof Row)[]): unknown[] {
  return rows.map((row) => (names.length > 1 ? names.map((name) => row[name]) : row[names[0] as keyof Row]));
}

let last = 0;

export const newJob = (given: Partial<NewJob> = {}): NewJob => ({
  id: ++last,
  account: "a1",
  destination: "",
  node: "n1",
  resultOwner: "i1",
  channel: "sms",
  snapshot: '{"payload":"hello"}',
  ...given,
});

export const newRequest = (given: Partial<NewRequest> = {}): NewRequest => ({
  part: 0,
  operation: "sms.simple",
  priority: 0,
  clientMessageId: null,
  content: '{"messageContent":"hello"}',
  recipients: ["41790000001"],
  ...given,
});

export const newEvent = (given: Partial<NewEvent> = {}): NewEvent => ({
  key: `event-${++last}`,
  kind: "report",
  number: "41790000001",
  clientMessageId: null,
  transferId: null,
  status: "delivered",
  at: null,
  body: null,
  optOut: null,
  reply: null,
  ...given,
});

const IDS = statement("test_ids")`SELECT id FROM messages WHERE job = ?1 ORDER BY part`;

/** Takes a job of one request for each entry, or of so many. */
export async function takeJob(
  store: Store,
  requests: readonly Partial<NewRequest>[] | number = 1,
  job: Partial<NewJob> = {},
): Promise<readonly number[]> {
  const given = typeof requests === "number" ? Array.from({ length: requests }, () => ({})) : requests;
  const all = given.map((each, part) => newRequest({ part, ...each }));
  const id = await store.ids.one();
  await store.jobs.accept(newJob({ id, ...job }), all);
  const rows = await rowsOf(store.engine, IDS, id);
  return rows.map((row) => Number(row.id));
}

export const answered = (
  id: number,
  given: Partial<Parameters<Store["settlements"]["settle"]>[1][number]> = {},
) => ({
  id,
  outcome: "sent" as const,
  transferId: null,
  attempts: 1,
  answer: '{"statusCode":2000}',
  emitted: false,
  ...given,
});

const KILL = statement("test_kill")`UPDATE instances SET expired_at = 1 WHERE id = ?1`;
const AGE = statement("test_age")`UPDATE instances SET heartbeat_at = heartbeat_at - ?2 WHERE id = ?1`;
const COUNT = statement("test_count")`
    SELECT (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM outbox) AS outbox, (SELECT count(*) FROM jobs) AS jobs,
    (SELECT count(*) FROM recipients) AS recipients, (SELECT count(*) FROM policies) AS policies,
    (SELECT count(*) FROM texts) AS texts, (SELECT count(*) FROM events) AS events`;
const CONTENT = statement("test_content")`
    SELECT coalesce((SELECT o.content FROM outbox o WHERE o.id = ?1), (SELECT t.content FROM texts t WHERE t.id = ?1)) AS content`;

const OUTCOMES = statement("test_outcomes")`SELECT count(*) AS count FROM messages WHERE outcome = ?1`;

const SCHEDULE = statement("test_schedule")`UPDATE outbox SET scheduled = ?2, due = ?2 WHERE id = ?1`;

/** Makes a request wait for a time. @param at epoch ms */
export const schedule = async (engine: Engine, request: number, at: number): Promise<void> => {
  await engine.run([call(SCHEDULE, request, at)]);
};

/** Number of requests with this outcome. */
export const outcomes = async (engine: Engine, outcome: string): Promise<number> => {
  const row = await rowOf(engine, OUTCOMES, outcome);
  return Number(row?.count);
};

/** Makes an instance dead, as others would who have not heard of it. */
export const kill = async (engine: Engine, instance: string): Promise<void> => {
  await engine.run([call(KILL, instance)]);
};

/** Makes the last heartbeat of an instance older. */
export const age = async (engine: Engine, instance: string, ms: number): Promise<void> => {
  await engine.run([call(AGE, instance, ms)]);
};

/** No row of any of the tables that `countRows` counts. */
export const NO_ROWS = { messages: 0, outbox: 0, jobs: 0, recipients: 0, policies: 0, texts: 0, events: 0 };

export const countRows = async (engine: Engine): Promise<Record<string, number>> => {
  const row = await rowOf(engine, COUNT);
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, count]) => [name, Number(count)]));
};

export const contentOf = async (engine: Engine, request: number): Promise<unknown> => {
  const row = await rowOf(engine, CONTENT, request);
  return row?.content;
};
