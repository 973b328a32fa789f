import { createHash } from "node:crypto";
import type { Client } from "pg";
import { query } from "./postgresql-driver";
import { openClient } from "./postgresql-pool";
import type { FullSettings } from "./postgresql-settings";
import { PostgresqlSockets } from "./postgresql-sockets";

/** ms within which a topic is sent once at most. */
const PACE_MS = 50;
/** ms until a lost connection is opened again. */
const REOPEN_MS = 1_000;
/** ms between two checks of a connection. The driver ends it if no response comes. */
const CHECK_MS = 10_000;

/** The channel of a schema. Its name is short, however long that of the schema is. */
const channelOf = (schema: string): string =>
  `messaging_${createHash("sha256").update(schema).digest("hex").slice(0, 40)}`;

/**
 * Messages between the processes of a schema, over a connection that listens and is opened again if it is lost. They are sent outside of
 * transactions, because a transaction that sends one waits for all others that do, and each topic at most once in a while.
 */
export class PostgresqlSignals {
  readonly #channel: string;
  readonly #sockets = new PostgresqlSockets(false);
  readonly #pending = new Set<string>();
  #client: Client | null = null;
  #opening: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #pace: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** @param onTopic called with each topic of another process; null: any may have been missed */
  constructor(
    private readonly settings: FullSettings,
    private readonly onTopic: (topic: string | null) => void,
  ) {
    this.#channel = channelOf(settings.schema);
  }

  /** Starts to listen. */
  start(): void {
    if (this.#opening === null && !this.#isClosed) {
      this.#opening = this.#open(false);
    }
  }

  /** Tells topics to other processes, as soon as there is a connection. */
  tell(topics: readonly string[]): void {
    if (topics.length > 0) {
      for (const topic of topics) {
        this.#pending.add(topic);
      }
      this.start();
      this.#sendPaced();
    }
  }

  #sendPaced(): void {
    if (this.#pace === null && this.#pending.size > 0 && this.#client !== null) {
      this.#pace = setTimeout(() => {
        this.#pace = null;
        this.#sendPaced();
      }, PACE_MS).unref();
      void this.#send();
    }
  }

  /** Sends what is pending, if there is a connection, and ends it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer ?? undefined);
    clearTimeout(this.#pace ?? undefined);
    await this.#sockets.endAfter(this.#end());
  }

  async #end(): Promise<void> {
    await this.#opening;
    await this.#send();
    await this.#client?.end();
  }

  async #open(isAgain: boolean): Promise<void> {
    try {
      const { client, backend } = await openClient(this.settings, this.#sockets);
      client.on("notification", ({ payload, processId }) => {
        if (processId !== backend.process) {
          this.onTopic(payload ?? "");
        }
      });
      client.on("end", () => this.#reopen());
      this.#client = client;
      await client.query(`LISTEN ${this.#channel}`);
      if (isAgain) {
        // Topics that were sent in between are missed.
        this.onTopic(null);
      }
      this.#sendPaced();
      this.#later(() => void this.#check(client), CHECK_MS);
    } catch {
      this.#reopen();
    }
  }

  #reopen(): void {
    this.#client = null;
    this.#later(() => {
      this.#opening = this.#open(true);
    }, REOPEN_MS);
  }

  #later(act: () => void, ms: number): void {
    clearTimeout(this.#timer ?? undefined);
    if (!this.#isClosed) {
      this.#timer = setTimeout(act, ms).unref();
    }
  }

  async #check(client: Client): Promise<void> {
    await client.query("SELECT 1").catch(() => {});
    if (this.#client === client) {
      this.#later(() => void this.#check(client), CHECK_MS);
    }
  }

  async #send(): Promise<void> {
    const topics = [...this.#pending];
    const client = this.#client;
    if (topics.length === 0 || client === null) {
      return;
    }
    this.#pending.clear();
    try {
      await query(client, {
        name: "engine_notify",
        text: "SELECT pg_notify($1, t.value) FROM json_array_elements_text($2) AS t (value)",
        values: [this.#channel, JSON.stringify(topics)],
      });
    } catch {
      // The next connection sends them.
      for (const topic of topics) {
        this.#pending.add(topic);
      }
    }
  }
}
