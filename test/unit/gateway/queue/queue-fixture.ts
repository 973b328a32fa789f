import type { PreparedRequest } from "../../../../lib/gateway/codec/prepare-request";
import { localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import { DurableQueue } from "../../../../lib/gateway/queue/durable-queue";
import { Claims } from "../../../../lib/gateway/queue/stored/claims";
import { PendingWrites } from "../../../../lib/gateway/queue/stored/pending-writes";
import type { QueueParts } from "../../../../lib/gateway/queue/stored/stored-messages";
import type { DispatcherHandle, StoredWaiter } from "../../../../lib/gateway/queue/queue-handle";
import type { Call, Engine, Row } from "../../../../lib/store/engine/engine";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import { StoreError } from "../../../../lib/store/engine/store-error";
import type { LeaveCheck } from "../../../../lib/runtime/guards/leave-check";
import type { OperationId } from "../../../../lib/gateway/contract/operations";
import { SignInGate } from "../../../../lib/gateway/queue/sign-in-gate";
import { NO_GUARD } from "../../../../lib/store/guards/guard-calls";
import type { Instances } from "../../../../lib/store/instances";
import type { ClaimedRequest } from "../../../../lib/store/jobs/request-claims";
import { statement } from "../../../../lib/store/schema/statement";
import { Store } from "../../../../lib/store/store";
import { newJob, newRequest, TestClock } from "../../store/suite/store-under-test";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../store/use-folder";

export const ACCOUNT = "a1";

/** An operation of a store that fails: `before` it has happened, or `after`, which is uncertain. */
interface Fault {
  readonly statement: string;
  readonly when: "before" | "after";
  left: number;
}

/** SQLite, with faults that a test injects by the name of a statement. */
export class FaultyEngine implements Engine {
  /** Names of the statements that were run, the first one of each operation. */
  readonly ran: string[] = [];
  readonly #faults: Fault[] = [];
  /** What operations wait for, by the names of their statements. */
  readonly #held = new Map<string, { readonly until: Promise<void>; readonly free: () => void }>();

  constructor(private readonly real: Engine) {}

  get exclusive() {
    return this.real.exclusive;
  }
  get place() {
    return this.real.place;
  }
  get committedAt() {
    return this.real.committedAt;
  }

  /** The next `times` operations with this statement fail; with a part of the name all that have it. */
  fail(name: string, when: "before" | "after", times = 1): void {
    this.#faults.push({ statement: name, when, left: times });
  }

  /** The disk works again. */
  mend(): void {
    this.#faults.length = 0;
    for (const { free } of [...this.#held.values()]) {
      free();
    }
  }

  /** Operations with this statement wait until the returned function is called. */
  hold(name: string): () => void {
    let free = (): void => {};
    const until = new Promise<void>((resolve) => {
      free = () => {
        this.#held.delete(name);
        resolve();
      };
    });
    this.#held.set(name, { until, free });
    return free;
  }

  async run(calls: readonly Call[], wake: readonly string[] = []): Promise<readonly (readonly Row[])[]> {
    const names = calls.map((call) => call.statement.name);
    this.ran.push(...names);
    await Promise.all(names.map(async (name) => this.#held.get(name)?.until));
    const fault = this.#faults.find((each) => each.left > 0 && names.some((n) => n.includes(each.statement)));
    if (fault === undefined) {
      return this.real.run(calls, wake);
    }
    fault.left--;
    if (fault.when === "after") {
      await this.real.run(calls, wake);
    }
    throw new StoreError("STORE_FULL", this.place, "", fault.when === "after");
  }

  read(calls: readonly Call[]): Promise<readonly (readonly Row[])[]> {
    return this.run(calls);
  }

  listen(topic: string, listener: () => void): () => void {
    return this.real.listen(topic, listener);
  }
  tidy(): Promise<void> {
    return this.real.tidy();
  }
  close(): Promise<void> {
    return this.real.close();
  }
}

/** A request that has been given to the dispatcher. */
export interface Started {
  readonly content: string;
  readonly stored: StoredWaiter;
  readonly attempts: number;
}

/** A handle of the dispatcher whose requests the test answers. */
export class TestHandle implements DispatcherHandle {
  readonly workers = this;
  readonly limiter = this;
  readonly origin = "https://service.example";
  /** ms between two requests, and until the next slot. */
  interval = 0;
  nextIn = 0;
  paused = false;
  blockedFor = 0;
  backOff: ((ms: number) => void) | null = null;
  readonly started: Started[] = [];
  readonly underWay: Started[] = [];
  idleNow: number;
  stopped = false;
  closed = false;
  onIdle = (): void => {};
  /** What `close` waits for. */
  closing: Promise<void> = Promise.resolve();

  constructor(readonly concurrency: number) {
    this.idleNow = concurrency;
  }

  get idle(): number {
    return Math.max(0, this.idleNow);
  }

  get free(): boolean {
    return this.interval === 0 && this.blockedFor === 0;
  }

  onBackOff(listener: (ms: number) => void): () => void {
    this.backOff = listener;
    return () => {
      this.backOff = null;
    };
  }

  takeSlot(): number {
    const start = this.nextIn;
    this.nextIn += this.interval;
    return start;
  }

  depart(): boolean {
    return true;
  }

  shareRate(): void {}

  prepare(): PreparedRequest {
    throw new Error("not in use");
  }

  start(request: PreparedRequest, stored: StoredWaiter, attempts: number): void {
    const started = { content: request.path, stored, attempts };
    if (this.stopped) {
      stored.putBack(0, attempts);
      return;
    }
    this.idleNow--;
    this.started.push(started);
    this.underWay.push(started);
  }

  #end(content: string): Started {
    const at = this.underWay.findIndex((each) => each.content === content);
    const [started] = this.underWay.splice(at, 1);
    if (at < 0 || started === undefined) {
      throw new Error(`${content} is not under way`);
    }
    this.idleNow++;
    return started;
  }

  answer(content: string, verdict: Verdict = SENT): void {
    this.#end(content).stored.onVerdict(verdict);
    this.onIdle();
  }

  putBack(content: string, delay: number, attempts: number): void {
    this.#end(content).stored.putBack(delay, attempts);
    this.onIdle();
  }

  stop(): void {
    this.stopped = true;
  }

  async close(): Promise<void> {
    await this.closing;
    this.closed = true;
  }
}

/** The service has taken the request. */
export const SENT: Verdict = {
  ...localVerdict("INTERNAL_FAULT", "", 1),
  outcome: "sent",
  statusName: "OK",
  fault: null,
  source: "service",
};

export interface TestQueue {
  readonly queue: DurableQueue;
  readonly dispatcher: TestHandle;
  /** Content and outcome of each request, in the order in which they were known. */
  readonly settled: string[];
  readonly marked: number[];
  readonly faults: (string | null)[];
  readonly said: { late: number; over: number };
  /** Marks each result as emitted as soon as it is known. */
  emits: boolean;
}

export interface QueueFixture {
  readonly folder: string;
  readonly engine: FaultyEngine;
  readonly store: Store;
  readonly clock: TestClock;
  readonly instances: Instances;
  /** Opens a queue of the account and starts it. `prepare` may throw or give a verdict in place of a request. */
  open(options?: {
    readonly concurrency?: number;
    readonly instances?: Instances;
    readonly prepare?: (request: ClaimedRequest) => Verdict | null;
    readonly start?: boolean;
    /** What is checked when a request leaves; nothing without it. */
    readonly check?: Pick<LeaveCheck, "guard" | "hold"> | null;
    readonly signIns?: SignInGate;
  }): TestQueue;
  /** Takes a message of one request for each content. */
  take(...contents: readonly string[]): Promise<void>;
  /** As `take`, of another operation than `sms-json`. */
  takeOf(operation: OperationId, ...contents: readonly string[]): Promise<void>;
  /** Content, state, outcome and tries of every request, in order. */
  rows(): Promise<readonly string[]>;
  /** Waits until the rows are these. */
  ledger(...wanted: readonly string[]): Promise<void>;
  /** Ends the process and starts a new one, for the store. */
  restart(): Promise<Instances>;
}

const ROWS = statement(
  "test_queue_rows",
  () =>
    `SELECT coalesce(m.client_id, '') AS id, coalesce(o.state, 'emitted') AS state, m.outcome,
      CASE WHEN m.outcome IS NULL THEN o.attempts ELSE m.attempts END AS attempts
    FROM messages m LEFT JOIN outbox o ON o.id = m.id ORDER BY m.id`,
);

/** Factor by which the pauses of the queue are shorter in tests. */
const SHORTER = 20;

/** A store in a file and queues on it, closed after each test. Pauses of 100 ms or more take a twentieth. */
export function useQueue(): () => QueueFixture {
  const folder = useFolder();
  let fixture: QueueFixture;
  let ends: (() => Promise<unknown>)[] = [];
  // What the outbox of the account keeps for queues that follow each other.
  let pending = new PendingWrites(ACCOUNT);
  let claimsOf = new Map<Instances, Claims>();
  const realTimeout = globalThis.setTimeout;
  before(() => {
    const shorter = (call: () => void, ms = 0, ...rest: readonly unknown[]) =>
      realTimeout(call, ms >= 100 ? ms / SHORTER : ms, ...rest);
    globalThis.setTimeout = shorter as typeof setTimeout;
  });
  after(() => {
    globalThis.setTimeout = realTimeout;
  });
  beforeEach(async () => {
    const { engine: real, release } = await shareSqlite(folder(), { reopenPause: 0 });
    ends = [release];
    pending = new PendingWrites(ACCOUNT);
    claimsOf = new Map();
    const engine = new FaultyEngine(real);
    const clock = new TestClock();
    const store = new Store(engine, { keepTexts: false, clock });
    const instances = store.instances("me");
    await instances.start();
    let last = 0;
    fixture = {
      folder: folder(),
      engine,
      store,
      clock,
      instances,
      open: ({
        concurrency = 4,
        instances: mine = instances,
        prepare,
        start = true,
        check = null,
        signIns = new SignInGate(),
      } = {}) => {
        const dispatcher = new TestHandle(concurrency);
        const opened: Omit<TestQueue, "queue"> & { queue?: DurableQueue } = {
          dispatcher,
          settled: [],
          marked: [],
          faults: [],
          said: { late: 0, over: 0 },
          emits: true,
        };
        const claims = claimsOf.get(mine) ?? new Claims();
        claimsOf.set(mine, claims);
        const parts: QueueParts = {
          place: { account: ACCOUNT, store, instances: mine },
          memory: { claims, pending },
          openForStore: (onIdle) => {
            dispatcher.onIdle = onIdle;
            return dispatcher;
          },
          contents: {
            prepare: (request) => {
              const verdict = prepare?.(request) ?? null;
              return verdict ?? ({ path: request.clientMessageId } as PreparedRequest);
            },
            isTest: () => false,
          },
          rules: {
            hold: (request) => check?.hold(request) ?? [],
            guard: () => check?.guard() ?? NO_GUARD,
          },
          results: {
            settled: ({ id, clientMessageId }, { outcome, statusName }) => {
              opened.settled.push(
                `${clientMessageId} ${outcome === "sent" ? outcome : `${outcome} ${statusName}`}`,
              );
              if (opened.emits) {
                queue.emitted(id);
              }
            },
            divided: () => {},
            marked: (ids) => void opened.marked.push(...ids),
          },
          listener: {
            fault: (error) =>
              void opened.faults.push(error === null ? null : ((error as StoreError).code ?? error.message)),
            late: () => void opened.said.late++,
            over: () => void opened.said.over++,
          },
          destination: "",
          signIns,
          now: clock.now,
        };
        const queue = new DurableQueue(parts);
        opened.queue = queue;
        if (start) {
          queue.start();
        }
        ends.unshift(async () => {
          engine.mend();
          for (const { content } of [...dispatcher.underWay]) {
            dispatcher.answer(content);
          }
          await queue.close(0);
        });
        return opened as TestQueue;
      },
      take: (...contents) => fixture.takeOf("sms-json", ...contents),
      takeOf: async (operation, ...contents) => {
        for (const content of contents) {
          last++;
          await store.jobs.accept(newJob({ account: ACCOUNT, node: "n1", resultOwner: "me" }), [
            newRequest({ operation, clientMessageId: content, recipients: [`4179${last}`] }),
          ]);
        }
      },
      rows: async () => {
        const [rows = []] = await real.run([{ statement: ROWS, values: [] }]);
        return rows.map(({ id, state, outcome, attempts }) =>
          [id, state, outcome, attempts].filter((each) => each !== null && each !== 0).join(" "),
        );
      },
      ledger: async (...wanted) => {
        let rows: readonly string[] = [];
        await waitFor(
          () => `${wanted.join(", ")} in place of ${rows.join(", ")}`,
          async () => {
            rows = await fixture.rows();
            return rows.join() === wanted.join();
          },
        );
      },
      restart: async () => {
        const next = store.instances("next");
        await next.start();
        await store.recovery.settleOrphans();
        return next;
      },
    };
  });
  afterEach(async () => {
    for (const end of ends) {
      await end();
    }
  });
  return () => fixture;
}
