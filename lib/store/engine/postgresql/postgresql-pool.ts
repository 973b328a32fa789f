import { OpenError } from "../open-error";
import { type Backend, endBackends } from "./postgresql-backend";
import { PostgresqlConnection } from "./postgresql-connection";
import { detailOf, postgresqlFault } from "./postgresql-fault";
import { openSchema } from "./postgresql-schema";
import { startSession } from "./postgresql-session";
import type { FullSettings } from "./postgresql-settings";
import { type PostgresqlTarget, readPostgresqlUrl } from "./postgresql-url";
import type { StoreFault } from "../store-error";

/** Why there is no connection. */
export interface Refusal {
  readonly fault: StoreFault;
  readonly detail: string;
}

type Work = (connection: PostgresqlConnection) => Promise<void>;

interface Waiting {
  /** Takes what it needs of a connection; never rejects. */
  readonly work: Work;
  readonly refuse: (refusal: Refusal) => void;
}

/**
 * Connections to one schema. New ones are made one after the other, when all others are at work. The first one looks whether the tables
 * are there, and so does the first one after a loss: the server may be another one by then. After a failed attempt there is a pause.
 * Nothing is done while the server may still do what a connection was given up with: whoever asks then gets the final answer.
 */
export class PostgresqlPool {
  readonly #waiting: Waiting[] = [];
  /** Not at work; the last one is taken first. */
  readonly #idle: PostgresqlConnection[] = [];
  #busy = 0;
  /** Of connections that were given up while they were at work. */
  #abandoned: readonly Backend[] = [];
  #opening = false;
  #isChecked = false;
  #refused: { readonly refusal: Refusal; readonly until: number } | null = null;
  #closed: (() => void) | null = null;

  constructor(private readonly settings: FullSettings) {}

  /** Why nothing can be done now; null where it can be tried. */
  get refusal(): Refusal | null {
    const refused = this.#refused !== null && performance.now() < this.#refused.until;
    return refused && this.#isStuck ? (this.#refused?.refusal ?? null) : null;
  }

  /** Whether nothing can be done without a new connection. */
  get #isStuck(): boolean {
    return this.#abandoned.length > 0 || this.#busy + this.#idle.length === 0;
  }

  /** Does the work with a connection that nobody else uses meanwhile. It comes first where it was begun before. */
  add(work: Work, refuse: Waiting["refuse"], isFirst = false): void {
    if (isFirst) {
      this.#waiting.unshift({ work, refuse });
    } else {
      this.#waiting.push({ work, refuse });
    }
    this.#go();
  }

  /** A connection ends of which nobody knows what the server makes of its work. Those not at work will hardly fare better. */
  abandon(connection: PostgresqlConnection): void {
    if (connection.backend !== null) {
      this.#abandoned = [...this.#abandoned, connection.backend];
    }
    for (const each of [connection, ...this.#idle.splice(0)]) {
      each.destroy();
    }
  }

  /** Finishes everything that was added, then ends the connections. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#closed = resolve;
      this.#go();
    });
    await Promise.all(this.#idle.splice(0).map((connection) => connection.end()));
  }

  /** A connection for somebody else, signed in and set up. @throws OpenError */
  async connect(): Promise<PostgresqlConnection> {
    const { settings } = this;
    const target = readPostgresqlUrl(settings);
    return this.#translated(target, async () => {
      const connection = await PostgresqlConnection.open(target, settings);
      try {
        await startSession(connection, settings);
        return connection;
      } catch (error) {
        connection.destroy();
        throw error;
      }
    });
  }

  #go(): void {
    while (this.#waiting.length > 0 && this.#abandoned.length === 0) {
      const connection = this.#idle.pop();
      if (connection === undefined) {
        break;
      }
      if (connection.isOpen) {
        void this.#work(connection, this.#waiting.shift() as Waiting);
      }
    }
    const { refusal } = this;
    if (refusal !== null) {
      this.#refuse(refusal);
    } else if (this.#waiting.length > 0 && this.#mayGrow()) {
      void this.#grow();
    }
    if (this.#waiting.length === 0 && this.#busy === 0 && !this.#opening) {
      this.#closed?.();
    }
  }

  #mayGrow(): boolean {
    const isPaused = this.#refused !== null && performance.now() < this.#refused.until;
    return !this.#opening && !isPaused && this.#busy + this.#idle.length < this.settings.connections;
  }

  async #grow(): Promise<void> {
    this.#opening = true;
    try {
      const connection = await this.connect();
      await this.#prepare(connection);
      this.#refused = null;
      connection.onEnd(() => this.#lost(connection));
      this.#idle.push(connection);
      connection.unref();
    } catch (error) {
      const { fault, message } = error as OpenError;
      const until = performance.now() + this.settings.reopenPause;
      this.#refused = { refusal: { fault, detail: message }, until };
      if (this.#isStuck) {
        // Each attempt answers those who waited for it, however short the pause is.
        this.#refuse(this.#refused.refusal);
      }
    }
    this.#opening = false;
    this.#go();
  }

  /** Ends what was abandoned, and looks at the tables where they may be others. @throws OpenError after which it is closed */
  async #prepare(connection: PostgresqlConnection): Promise<void> {
    const { schema, connectTimeout } = this.settings;
    const backends = this.#abandoned;
    try {
      await this.#translated(readPostgresqlUrl(this.settings), async () => {
        if (backends.length > 0) {
          await endBackends(connection, backends, connectTimeout);
          this.#abandoned = this.#abandoned.filter((each) => !backends.includes(each));
        }
        if (!this.#isChecked) {
          await openSchema(connection, schema);
          this.#isChecked = true;
        }
      });
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  async #translated<Result>(target: PostgresqlTarget, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const detail = error instanceof OpenError ? error.message : detailOf(error, target);
      throw new OpenError(postgresqlFault(error), detail);
    }
  }

  async #work(connection: PostgresqlConnection, { work }: Waiting): Promise<void> {
    this.#busy++;
    connection.ref();
    await work(connection);
    this.#busy--;
    if (connection.isOpen) {
      connection.unref();
      this.#idle.push(connection);
    }
    this.#go();
  }

  #lost(connection: PostgresqlConnection): void {
    this.#isChecked = false;
    const at = this.#idle.indexOf(connection);
    if (at !== -1) {
      this.#idle.splice(at, 1);
    }
  }

  #refuse(refusal: Refusal): void {
    for (const { refuse } of this.#waiting.splice(0)) {
      refuse(refusal);
    }
  }
}
