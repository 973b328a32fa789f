import { Worker } from "node:worker_threads";
import type { Statement } from "../../schema/statement";
import type { Call, Engine, Rows } from "../engine";
import type {
  End,
  Failure,
  FromThread,
  NumberedCall,
  Reply,
  SqliteSettings,
  ToThread,
} from "./sqlite-protocol";
import { IdleEngine } from "../idle-engine";
import { StoreError, type StoreFault } from "../store-error";
import { Topics } from "../topics";

/** Batches that the thread may have at once: what comes while it writes one is there when it is done, and shares the next commit. */
const AHEAD = 16;
/** The pause after an attempt to open the file is at least this many times as long as the attempt. */
const PAUSE_FACTOR = 10;
/** Faults after which the file itself is doubtful. */
const DOUBTFUL: readonly StoreFault[] = ["STORE_IO", "STORE_DAMAGED", "STORE_WORKER_DIED"];

/**
 * Lets a second handle of this process read. This one still keeps others from locking the file, as every handle that writes has to when it is
 * opened. Answers `exclusive` where the index of the log is in the memory of this handle. Takes effect with the commit.
 */
const SHARE: Statement = { name: "sqlite_share", text: () => "PRAGMA locking_mode = NORMAL" };
/** ms that who reads waits for a lock: there is none to wait for while the other handle shares the file. */
const READ_LOCK_TIMEOUT = 200;
/** Faults of reading that are not those of the handle. */
const OWN_FAULTS: readonly StoreFault[] = ["STORE_REFUSED", "STORE_CLOSED"];

interface Waiting {
  readonly calls: readonly Call[];
  readonly wake: readonly string[];
  readonly resolve: (rows: readonly Rows[]) => void;
  readonly reject: (error: StoreError) => void;
}

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
  /** Numbers of the statements that the thread knows. */
  #known = new Map<Statement, number>();
  #last = 0;
  /** Operations that the thread has, by id. */
  readonly #sent = new Map<number, Waiting>();
  #batches: number[] = [];
  /** Operations for the next batch. */
  #next: Waiting[] = [];
  #scheduled = false;
  #tidying: (() => void)[] = [];
  #closing: Promise<void> | null = null;
  #closed = (): void => {};
  readonly #reading: IdleEngine;
  /** Whether a second handle can read; null before the present handle was asked. */
  #shares: Promise<boolean> | null = null;
  /** Whether the handle that reads is being closed, for which the next one that writes has to wait. */
  #parting = false;

  constructor(private readonly settings: SqliteSettings) {
    const { readIdle } = settings;
    const lockTimeout = Math.min(settings.lockTimeout, READ_LOCK_TIMEOUT);
    this.#reading = new IdleEngine(
      () => new SqliteEngine({ ...settings, lockTimeout, reads: true }),
      readIdle,
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
      this.#next.push({ calls, wake, resolve, reject });
      this.#schedule();
    });
  }

  async read(calls: readonly Call[]): Promise<readonly Rows[]> {
    this.#shares ??= this.#share();
    const shares = this.#shares;
    try {
      if ((await shares) && shares === this.#shares && this.#closing === null) {
        return await this.#reading.run(calls);
      }
    } catch (error) {
      if (shares === this.#shares) {
        this.#shares = null;
      }
      if (!(error instanceof StoreError) || OWN_FAULTS.includes(error.code)) {
        throw error;
      }
    }
    return this.run(calls);
  }

  async #share(): Promise<boolean> {
    const [[row] = []] = await this.run([{ statement: SHARE, values: [] }]);
    return row?.locking_mode === "normal";
  }

  listen(topic: string, listener: () => void): () => void {
    return this.#topics.listen(topic, listener);
  }

  tidy(): Promise<void> {
    if (this.#closing !== null || this.#ending !== null || this.#parting || this.#start() !== null) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#tidying.push(resolve);
      this.#post("tidy");
    });
  }

  close(): Promise<void> {
    if (this.#closing === null) {
      this.#closing = new Promise((resolve) => {
        this.#closed = resolve;
      });
      this.#flush();
      // The last handle of a file is the one that may empty its log.
      void this.#part();
    }
    return this.#closing;
  }

  /** Everything that is asked for within a turn goes to the thread as one message. */
  #schedule(): void {
    if (!this.#scheduled && this.#batches.length < AHEAD) {
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#flush();
      });
    }
  }

  #flush(): void {
    const waiting = this.#next;
    // The next thread opens the file when this one has given it up.
    if (waiting.length === 0 || this.#ending !== null || this.#parting) {
      return;
    }
    this.#next = [];
    const refusal = this.#start();
    if (refusal !== null) {
      this.#rejectAll(waiting, refusal);
      return;
    }
    const texts: [number, string][] = [];
    const operations = waiting.map((each) => {
      this.#sent.set(++this.#last, each);
      return [this.#last, each.calls.map((call) => this.#number(call, texts))] as const;
    });
    this.#batches.push(operations.length);
    this.#post({ texts, operations });
  }

  #number({ statement, values }: Call, texts: [number, string][]): NumberedCall {
    let number = this.#known.get(statement);
    if (number === undefined) {
      number = this.#known.size;
      this.#known.set(statement, number);
      texts.push([number, statement.text("sqlite")]);
    }
    return [number, values];
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
      workerData: { ...this.settings, suspect: this.#suspect },
      name: "messaging-store",
    });
    let detail = "";
    worker.on("message", (message: FromThread) => this.#take(message));
    worker.on("error", (error) => {
      detail = error instanceof Error ? error.message : String(error);
    });
    worker.once("exit", () => this.#ended(detail));
    this.#worker = worker;
    this.#known = new Map();
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
      this.#answered(message.replies.length);
      this.#topics.tell(woken);
    }
    if (this.#ending !== null) {
      return;
    }
    if (this.#sent.size === 0 && this.#tidying.length === 0) {
      this.#worker?.unref();
    }
    this.#schedule();
    this.#finish();
  }

  #settle(reply: Reply, woken: Set<string>): void {
    const waiting = this.#sent.get(reply.id);
    this.#sent.delete(reply.id);
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

  /** The thread may put several batches into one group, or one into several. */
  #answered(count: number): void {
    let left = count;
    while (left > 0 && this.#batches[0] !== undefined) {
      const taken = Math.min(left, this.#batches[0]);
      left -= taken;
      this.#batches[0] -= taken;
      if (this.#batches[0] === 0) {
        this.#batches.shift();
      }
    }
  }

  #finish(): void {
    if (
      this.#closing === null ||
      this.#ending !== null ||
      this.#parting ||
      this.#sent.size > 0 ||
      this.#next.length > 0
    ) {
      return;
    }
    if (this.#worker === null) {
      this.#closed();
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
    const lost = [...this.#sent.values()];
    this.#sent.clear();
    this.#batches = [];
    this.#rejectAll(lost, failure);
    for (const resolve of this.#tidying.splice(0)) {
      resolve();
    }
    void this.#part();
  }

  /** Goes on when nobody reads the file any more. */
  async #part(): Promise<void> {
    this.#shares = null;
    this.#parting = true;
    await this.#reading.close();
    this.#parting = false;
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
