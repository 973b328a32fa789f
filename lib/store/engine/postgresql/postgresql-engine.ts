import { UnderWay } from "../../../shared/async/under-way";
import type { Statement } from "../../schema/statement";
import type { Call, Engine, Rows, Sharing } from "../engine";
import type { Query } from "./postgresql-driver";
import { detailOf, isHarmless, isRepeatable, isStale, postgresqlFault } from "./postgresql-fault";
import { PostgresqlPool } from "./postgresql-pool";
import { type FullSettings, fullSettings, type PostgresqlSettings } from "./postgresql-settings";
import { PostgresqlSignals } from "./postgresql-signals";
import { runTransaction, type TransactionError } from "./postgresql-transaction";
import { readPostgresqlUrl } from "./postgresql-url";
import { SharedTransactions } from "./shared-transactions";
import type { OpenError } from "../open-error";
import { StoreError, type StoreFault } from "../store-error";
import { Topics } from "../topics";

export type { PostgresqlSettings } from "./postgresql-settings";

/** Attempts at a transaction that met a deadlock or a conflict, in which nothing has happened. */
const MAX_ATTEMPTS = 5;
/** Longest pause before the second attempt; later ones are longer. */
const PAUSE_MS = 20;

const texts = new Map<Statement, string>();

/** PostgreSQL numbers its parameters with another sign. */
function textOf(statement: Statement): string {
  let text = texts.get(statement);
  if (text === undefined) {
    text = statement.text("postgresql").replaceAll("?", "$");
    texts.set(statement, text);
  }
  return text;
}

const queryOf = ({ statement, values, entries }: Call): Query => ({
  name: statement.name,
  text: textOf(statement),
  values: entries === undefined ? values : [JSON.stringify(entries)],
});

/** The server, the database and the schema, for people. */
export function placeOf(settings: FullSettings): string {
  try {
    const { host, port, database } = readPostgresqlUrl(settings);
    return `${host.includes(":") ? `[${host}]` : host}:${port}/${database} (${settings.schema})`;
  } catch {
    return `PostgreSQL (${settings.schema})`;
  }
}

/** A schema of a PostgreSQL server, which other processes may use at the same time. */
export class PostgresqlEngine implements Engine {
  readonly exclusive = false;
  readonly place: string;
  #committedAt: number | null = null;
  readonly #settings: FullSettings;
  readonly #topics = new Topics();
  readonly #pool: PostgresqlPool;
  readonly #readPool: PostgresqlPool;
  readonly #signals: PostgresqlSignals;
  readonly #shared = new SharedTransactions((queries, isShared) =>
    this.#transaction(this.#pool, queries, false, isShared ? 1 : MAX_ATTEMPTS),
  );
  readonly #underWay = new UnderWay();
  #closing: Promise<void> | null = null;

  constructor(settings: PostgresqlSettings) {
    this.#settings = fullSettings(settings);
    this.place = placeOf(this.#settings);
    this.#pool = new PostgresqlPool(this.#settings);
    const statementTimeout = this.#settings.readTimeout;
    this.#readPool = new PostgresqlPool({ ...this.#settings, statementTimeout, connections: 1, reads: true });
    this.#signals = new PostgresqlSignals(this.#settings, (topic) =>
      topic === null ? this.#topics.tellAll() : this.#topics.tell([topic]),
    );
  }

  async run(
    calls: readonly Call[],
    wake: readonly string[] = [],
    sharing: Sharing = "alone",
  ): Promise<readonly Rows[]> {
    const queries = calls.map(queryOf);
    let rows: readonly Rows[] = [];
    if (queries.length > 0 || this.#closing !== null) {
      rows = await this.#track(() =>
        sharing === "alone"
          ? this.#transaction(this.#pool, queries, false)
          : this.#shared.run(queries, sharing === "patient"),
      );
      this.#committedAt = Date.now();
    }
    this.#topics.tell(wake);
    this.#signals.tell(wake);
    return rows;
  }

  get committedAt(): number | null {
    return this.#committedAt;
  }

  read(calls: readonly Call[]): Promise<readonly Rows[]> {
    return this.#track(() => this.#transaction(this.#readPool, calls.map(queryOf), true));
  }

  listen(topic: string, listener: () => void): () => void {
    this.#signals.start();
    return this.#topics.listen(topic, listener);
  }

  /** The server gives space back by itself. */
  tidy(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#closing ??= this.#underWay
      .idle()
      .then(() => Promise.all([this.#pool.close(), this.#readPool.close(), this.#signals.close()]))
      .then(() => {});
    return this.#closing;
  }

  async #track<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== null) {
      throw this.#error("STORE_CLOSED", "", false);
    }
    this.#underWay.begin();
    try {
      return await work();
    } finally {
      this.#underWay.end();
    }
  }

  async #transaction(
    pool: PostgresqlPool,
    queries: readonly Query[],
    reads: boolean,
    maxAttempts = MAX_ATTEMPTS,
  ): Promise<readonly Rows[]> {
    for (let attempt = 1; ; attempt++) {
      const client = await pool.connect().catch(({ fault, message }: OpenError) => {
        throw this.#error(fault, message, false);
      });
      try {
        const rows = await runTransaction(client, queries, reads);
        client.release();
        return rows;
      } catch (error) {
        const { cause, uncertain } = error as TransactionError;
        if (uncertain && !isHarmless(cause)) {
          pool.giveUp(client);
        } else {
          client.release(!isHarmless(cause));
        }
        const mayRepeat = isRepeatable(cause) || isStale(cause);
        if (uncertain || attempt === maxAttempts || !mayRepeat) {
          const detail = detailOf(cause, readPostgresqlUrl(this.#settings));
          throw this.#error(postgresqlFault(cause), detail, uncertain);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * attempt));
    }
  }

  #error(fault: StoreFault, detail: string, uncertain: boolean): StoreError {
    return new StoreError(fault, this.place, detail, uncertain);
  }
}
