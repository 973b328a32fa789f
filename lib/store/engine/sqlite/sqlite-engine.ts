import { Worker } from "node:worker_threads";
import { featureTables } from "../../schema/feature-tables";
import { sql } from "../../schema/sql";
import type { Call, Engine, Rows } from "../engine";
import { StoreError, type StoreFault } from "../store-error";
import { Topics } from "../topics";
import type {
  End,
  Failure,
  FromThread,
  Reply,
  SqliteSettings,
  SqliteThreadData,
  ToThread,
} from "./sqlite-protocol";
import { SqliteReader } from "./sqlite-reader";
import { ThreadBatches, type Waiting } from "./thread-batches";

/** The pause after an attempt to open the file is at least this many times as long as the attempt. */
const PAUSE_FACTOR = 10;
/** Faults after which the file itself is doubtful. */
const DOUBTFUL: readonly StoreFault[] = ["STORE_IO", "STORE_DAMAGED", "STORE_WORKER_DIED"];

/** ms that who reads waits for a lock: there is none to wait for while the other handle shares the file. */
const READ_LOCK_TIMEOUT = 200;

/** SQLite in a worker thread: the event loop of this thread never waits for the disk. */
export class SqliteEngine implements Engine {
  readonly exclusive = true;
  #committedAt: number | null = null;
  readonly #topics = new Topics();
  #worker: Worker | null = null;
  /** Why the thread is ending; null while it is not. */
  #ending: End | null = null;
  /** Why no thread is started now, and until when. */
  #refused: { readonly failure: Failure; readonly until: number } | null = null;
  #suspect = false;
  readonly #batches = new ThreadBatches();
  /** Whether what was asked for in this turn goes to the thread at its end. */
  #scheduled = false;
  #tidying: (() => void)[] = [];
  #closing: { readonly closed: Promise<void>; readonly resolve: () => void } | null = null;
  readonly #reader: SqliteReader;

  constructor(private readonly settings: SqliteSettings) {
    const lockTimeout = Math.min(settings.lockTimeout, READ_LOCK_TIMEOUT);
    this.#reader = new SqliteReader(
      this,
      () => new SqliteEngine({ ...settings, lockTimeout, reads: true }),
      settings.readIdle,
    );
  }

  get place(): string {
    return this.settings.file;
  }

  get committedAt(): number | null {
    return this.#committedAt;
  }

  run(calls: readonly Call[], wake: readonly string[] = []): Promise<readonly Rows[]> {
    if (this.#closing !== null) {
      return Promise.reject(this.#error({ fault: "STORE_CLOSED", detail: "", uncertain: false }));
    }
    return new Promise((resolve, reject) => {
      this.#batches.add({ calls, wake, resolve, reject });
      this.#schedule();
    });
  }

  read(calls: readonly Call[]): Promise<readonly Rows[]> {
    return this.#reader.read(calls);
  }

  listen(topic: string, listener: () => void): () => void {
    return this.#topics.listen(topic, listener);
  }

  tidy(): Promise<void> {
    if (this.#closing !== null || this.#ending !== null || this.#reader.isParting || this.#start() !== null) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#tidying.push(resolve);
      this.#post("tidy");
    });
  }

  close(): Promise<void> {
    if (this.#closing === null) {
      let resolve = (): void => {};
      const closed = new Promise<void>((done) => {
        resolve = done;
      });
      this.#closing = { closed, resolve };
      this.#flush();
      // The last handle of a file is the one that may empty its log.
      void this.#part();
    }
    return this.#closing.closed;
  }

  /** Everything that is asked for within a turn goes to the thread as one message. */
  #schedule(): void {
    if (!this.#scheduled && !this.#batches.isFull) {
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#flush();
      });
    }
  }

  #flush(): void {
    // The next thread opens the file when this one has given it up.
    if (!this.#batches.hasNext || this.#ending !== null || this.#reader.isParting) {
      return;
    }
    const refusal = this.#start();
    if (refusal === null) {
      this.#post(this.#batches.send());
    } else {
      this.#rejectAll(this.#batches.takeNext(), refusal);
    }
  }

  #post(message: ToThread): void {
    // The process goes on while an answer is awaited, and may end while none is.
    this.#worker?.ref();
    this.#worker?.postMessage(message);
  }

  /** @returns why there is no thread; null where there is one */
  #start(): Failure | null {
    if (this.#worker !== null) {
      return null;
    }
    if (this.#refused !== null && performance.now() < this.#refused.until) {
      return this.#refused.failure;
    }
    const worker = new Worker(this.settings.thread, {
      workerData: {
        ...this.settings,
        suspect: this.#suspect,
        featureTables: featureTables().map((part) => sql`${part}`("sqlite")),
      } satisfies SqliteThreadData,
      name: "messaging-store",
    });
    let detail = "";
    worker.on("message", (message: FromThread) => this.#take(message));
    worker.on("error", (error) => {
      detail = error instanceof Error ? error.message : String(error);
    });
    worker.once("exit", () => this.#ended(detail));
    this.#worker = worker;
    return null;
  }

  #take(message: FromThread): void {
    if (message === "tidied") {
      this.#tidying.shift()?.();
    } else {
      const woken = new Set<string>();
      this.#ending = message.end;
      for (const reply of message.replies) {
        this.#settle(reply, woken);
      }
      if (message.replies.some((reply) => !("failure" in reply))) {
        this.#committedAt = Date.now();
      }
      this.#batches.answered(message.replies.length);
      this.#topics.tell(woken);
    }
    if (this.#ending !== null) {
      return;
    }
    if (!this.#batches.hasSent && this.#tidying.length === 0) {
      this.#worker?.unref();
    }
    this.#schedule();
    this.#finish();
  }

  #settle(reply: Reply, woken: Set<string>): void {
    const waiting = this.#batches.take(reply.id);
    if ("failure" in reply) {
      waiting?.reject(this.#error(reply.failure));
    } else {
      // The file was opened, and checked where that was needed.
      this.#suspect = false;
      waiting?.resolve(reply.rows);
      for (const topic of waiting?.wake ?? []) {
        woken.add(topic);
      }
    }
  }

  #finish(): void {
    const { hasNext, hasSent } = this.#batches;
    if (this.#closing === null || this.#ending !== null || this.#reader.isParting || hasSent || hasNext) {
      return;
    }
    if (this.#worker === null) {
      this.#closing.resolve();
    } else {
      this.#post("close");
    }
  }

  /** The thread is gone: it ended after a failure, was closed, or died. */
  #ended(detail: string): void {
    const end = this.#ending;
    const died: Failure = { fault: "STORE_WORKER_DIED", detail, uncertain: true };
    const failure = end?.failure ?? died;
    this.#worker = null;
    this.#ending = null;
    this.#suspect ||= DOUBTFUL.includes(failure.fault) && this.#closing === null;
    const { reopenPause } = this.settings;
    if (end === null) {
      const until = performance.now() + reopenPause;
      this.#refused = { failure: { ...died, uncertain: false }, until };
    } else if (end.opening !== null) {
      const until = performance.now() + Math.max(reopenPause, PAUSE_FACTOR * end.opening);
      this.#refused = { failure, until };
    } else {
      this.#refused = null;
    }
    this.#rejectAll(this.#batches.lose(), failure);
    for (const resolve of this.#tidying.splice(0)) {
      resolve();
    }
    void this.#part();
  }

  /** Goes on when nobody reads the file any more. */
  async #part(): Promise<void> {
    await this.#reader.part();
    this.#flush();
    this.#finish();
  }

  #rejectAll(waiting: readonly Waiting[], failure: Failure): void {
    for (const { reject } of waiting) {
      reject(this.#error(failure));
    }
  }

  #error({ fault, detail, uncertain }: Failure): StoreError {
    return new StoreError(fault, this.place, detail, uncertain);
  }
}
