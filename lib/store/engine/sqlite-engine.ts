import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { SQLITE } from "../schema/dialect";
import type { Statement } from "../schema/statement";
import type { Call, Engine, Row } from "./engine";
import type { FromThread, NumberedCall, Reply, SqliteThreadData, ToThread } from "./sqlite-protocol";
import { StoreError, type StoreFault } from "./store-error";
import { Topics } from "./topics";

/** Batches that the thread may have at once: while it writes one, the next one is already there. */
const AHEAD = 2;

interface Waiting {
  readonly calls: readonly Call[];
  readonly wake: readonly string[];
  readonly resolve: (rows: readonly (readonly Row[])[]) => void;
  readonly reject: (error: StoreError) => void;
}

/** SQLite in a worker thread: the event loop of this thread never waits for the disk. */
export class SqliteEngine implements Engine {
  readonly dialect = SQLITE;
  readonly exclusive = true;
  readonly #topics = new Topics();
  #worker: Worker | null = null;
  /** ms before which no thread is started in place of one that died. */
  #restartAt = 0;
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

  constructor(private readonly data: SqliteThreadData) {}

  get place(): string {
    return this.data.file;
  }

  run(calls: readonly Call[], wake: readonly string[] = []): Promise<readonly (readonly Row[])[]> {
    if (this.#closing !== null) {
      return Promise.reject(this.#error("STORE_CLOSED"));
    }
    return new Promise((resolve, reject) => {
      this.#next.push({ calls, wake, resolve, reject });
      this.#schedule();
    });
  }

  listen(topic: string, listener: () => void): () => void {
    return this.#topics.listen(topic, listener);
  }

  tidy(): Promise<void> {
    if (this.#closing !== null || !this.#start()) {
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
      this.#finish();
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
    if (waiting.length === 0) {
      return;
    }
    this.#next = [];
    if (!this.#start()) {
      for (const { reject } of waiting) {
        reject(this.#error("STORE_WORKER_DIED"));
      }
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
      texts.push([number, statement.text(SQLITE)]);
    }
    return [number, values];
  }

  #post(message: ToThread): void {
    // The process goes on while an answer is awaited, and may end while none is.
    this.#worker?.ref();
    this.#worker?.postMessage(message);
  }

  /** @returns false while a thread that died is not yet replaced */
  #start(): boolean {
    if (this.#worker !== null) {
      return true;
    }
    if (performance.now() < this.#restartAt) {
      return false;
    }
    const worker = new Worker(join(__dirname, `sqlite-thread${extname(__filename)}`), {
      workerData: this.data,
      name: "messaging-store",
      // Tests run the sources.
      ...(extname(__filename) === ".ts" && { execArgv: ["--require", "tsx/cjs"] }),
    });
    let detail = "";
    worker.on("message", (message: FromThread) => this.#take(message));
    worker.on("error", (error) => {
      detail = error instanceof Error ? error.message : String(error);
    });
    worker.once("exit", () => this.#ended(detail));
    this.#worker = worker;
    this.#known = new Map();
    return true;
  }

  #take(message: FromThread): void {
    if (message === "tidied") {
      this.#tidying.shift()?.();
    } else {
      const woken = new Set<string>();
      for (const reply of message) {
        this.#settle(reply, woken);
      }
      this.#answered(message.length);
      this.#topics.tell(woken);
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
      const { fault, detail, uncertain } = reply.failure;
      waiting?.reject(this.#error(fault, detail, uncertain));
    } else {
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
    if (this.#closing === null || this.#sent.size > 0 || this.#next.length > 0) {
      return;
    }
    if (this.#worker === null) {
      this.#closed();
    } else {
      this.#post("close");
    }
  }

  #ended(detail: string): void {
    this.#worker = null;
    this.#restartAt = performance.now() + this.data.reopenPause;
    const lost = [...this.#sent.values()];
    this.#sent.clear();
    this.#batches = [];
    for (const { reject } of lost) {
      reject(this.#error("STORE_WORKER_DIED", detail, true));
    }
    for (const resolve of this.#tidying.splice(0)) {
      resolve();
    }
    this.#flush();
    this.#finish();
  }

  #error(fault: StoreFault, detail = "", uncertain = false): StoreError {
    return new StoreError(fault, this.place, detail, uncertain);
  }
}
