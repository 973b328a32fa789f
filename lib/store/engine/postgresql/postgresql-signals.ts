import { createHash } from "node:crypto";
import type { PostgresqlConnection } from "./postgresql-connection";

/** ms within which a topic is told once at most. */
const PACE = 50;
/** ms until a lost connection is made anew, at first and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [250, 10_000];
/** ms after which a connection on which nothing happens is asked for a sign of life. */
const CHECK_INTERVAL = 10_000;

/** Messages of a schema have a channel of their own; its name is short whatever the schema is called. */
const channelOf = (schema: string): string =>
  `messaging_${createHash("sha256").update(schema).digest("hex").slice(0, 40)}`;

/**
 * Messages between the processes of a schema, over a connection of its own. They are sent outside of transactions, because a
 * transaction that sends one waits for all others that do, and each topic at most once in a while.
 */
export class PostgresqlSignals {
  readonly #channel: string;
  #connection: PostgresqlConnection | null = null;
  #connecting: Promise<void> | null = null;
  #pause = FIRST_PAUSE;
  #timer: NodeJS.Timeout | null = null;
  readonly #pending = new Set<string>();
  #pacing: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #isStarted = false;
  #isClosed = false;

  /**
   * @param connect gives a connection for this alone
   * @param hear is told each topic of another process; null: any may have been missed
   */
  constructor(
    schema: string,
    private readonly connect: () => Promise<PostgresqlConnection>,
    private readonly hear: (topic: string | null) => void,
  ) {
    this.#channel = channelOf(schema);
  }

  /** Begins to listen, and goes on whatever happens to the connection. */
  start(): void {
    if (!this.#isStarted && !this.#isClosed) {
      this.#isStarted = true;
      this.#open(false);
    }
  }

  /** Tells topics to other processes, as soon as there is a connection. */
  tell(topics: readonly string[]): void {
    if (topics.length === 0 || this.#isClosed) {
      return;
    }
    for (const topic of topics) {
      this.#pending.add(topic);
    }
    this.start();
    if (this.#pacing === null) {
      this.#send();
    }
  }

  /** Sends what is still to be told, if it can be sent now, and ends the connection. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer ?? undefined);
    clearTimeout(this.#pacing ?? undefined);
    await this.#connecting;
    await this.#sending;
    await this.#sendNow();
    await this.#connection?.end();
    this.#connection = null;
  }

  #open(isAgain: boolean): void {
    this.#connecting = this.#listen(isAgain).finally(() => {
      this.#connecting = null;
    });
  }

  async #listen(isAgain: boolean): Promise<void> {
    let connection: PostgresqlConnection | null = null;
    try {
      const made = await this.connect();
      connection = made;
      made.onNotification((topic, process) => {
        if (process !== made.process) {
          this.hear(topic);
        }
      });
      await made.query({ text: `LISTEN ${this.#channel}` });
      made.onEnd(() => this.#lost());
      if (!made.isOpen) {
        throw new Error("lost");
      }
    } catch {
      connection?.destroy();
      // What others tell meanwhile is missed.
      this.#later(() => this.#open(true), this.#pause);
      this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
      return;
    }
    this.#connection = connection;
    this.#pause = FIRST_PAUSE;
    connection.unref();
    this.#later(() => this.#check(), CHECK_INTERVAL);
    if (isAgain) {
      this.hear(null);
    }
    this.#send();
  }

  #lost(): void {
    this.#connection = null;
    if (!this.#isClosed) {
      clearTimeout(this.#timer ?? undefined);
      this.#later(() => this.#open(true), this.#pause * Math.random());
    }
  }

  /** The connection ends itself where no answer comes. */
  #check(): void {
    const connection = this.#connection;
    connection?.query({ text: "SELECT 1" }).then(
      () => this.#connection === connection && this.#later(() => this.#check(), CHECK_INTERVAL),
      () => connection.destroy(),
    );
  }

  #later(act: () => void, ms: number): void {
    if (!this.#isClosed) {
      this.#timer = setTimeout(act, ms).unref();
    }
  }

  #send(): void {
    if (this.#pending.size === 0 || this.#connection === null || this.#sending !== null || this.#isClosed) {
      return;
    }
    this.#sending = this.#sendNow().finally(() => {
      this.#sending = null;
      if (this.#pacing === null) {
        // It took longer than the pace, and more may have come meanwhile.
        this.#send();
      }
    });
    this.#pacing = setTimeout(() => {
      this.#pacing = null;
      this.#send();
    }, PACE).unref();
  }

  async #sendNow(): Promise<void> {
    const topics = [...this.#pending];
    const connection = this.#connection;
    if (topics.length === 0 || connection === null) {
      return;
    }
    this.#pending.clear();
    try {
      await connection.query({
        name: "engine_notify",
        text: "SELECT pg_notify($1, t.value) FROM json_array_elements_text($2) AS t (value)",
        values: [this.#channel, JSON.stringify(topics)],
      });
    } catch {
      // The next connection tells it.
      for (const topic of topics) {
        this.#pending.add(topic);
      }
      connection.destroy();
    }
  }
}
