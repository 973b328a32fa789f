import type { Statement } from "../../schema/statement";
import type { Call, Engine, Rows, Short } from "../engine";
import type { PostgresqlConnection, TransactionError } from "./postgresql-connection";
import { detailOf, isHarmless, isRepeatable, isStale, postgresqlFault } from "./postgresql-fault";
import type { NamedQuery } from "./postgresql-pipeline";
import { PostgresqlPool, type Refusal } from "./postgresql-pool";
import { type FullSettings, fullSettings, type PostgresqlSettings } from "./postgresql-settings";
import { PostgresqlSignals } from "./postgresql-signals";
import { readPostgresqlUrl } from "./postgresql-url";
import { ShortOperations } from "./short-operations";
import { IdleEngine } from "../idle-engine";
import { StoreError } from "../store-error";
import { Topics } from "../topics";

export type { PostgresqlSettings } from "./postgresql-settings";

/** Attempts at an operation that met a deadlock or a conflict, in which nothing has happened. */
const ATTEMPTS = 5;
/** ms of the longest pause before the second attempt; later ones are longer. */
const PAUSE = 20;

interface Operation {
  readonly queries: readonly NamedQuery[];
  /** Whether all of it is sent and answered at once. */
  readonly short: boolean;
  /** Whether it consists of several operations, which are run one by one where it surely did not happen. */
  readonly shared: boolean;
  readonly done: (rows: readonly Rows[]) => void;
  /** @param uncertain whether it may have happened */
  readonly failed: (error: StoreError) => void;
  attempts: number;
}

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

const queryOf = ({ statement, values, entries }: Call): NamedQuery => ({
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
  readonly #signals: PostgresqlSignals;
  readonly #reading: IdleEngine;
  readonly #short = new ShortOperations((...what) => this.#start(...what));
  #closing: Promise<void> | null = null;

  constructor(settings: PostgresqlSettings) {
    this.#settings = fullSettings(settings);
    this.place = placeOf(this.#settings);
    this.#pool = new PostgresqlPool(this.#settings);
    const { readTimeout: statementTimeout, readIdle } = this.#settings;
    this.#reading = new IdleEngine(
      () => new PostgresqlEngine({ ...settings, statementTimeout, connections: 1, reads: true }),
      readIdle,
    );
    this.#signals = new PostgresqlSignals(
      settings.schema,
      () => this.#pool.connect(),
      (topic) => (topic === null ? this.#topics.tellAll() : this.#topics.tell([topic])),
    );
  }

  async run(calls: readonly Call[], wake: readonly string[] = [], short?: Short): Promise<readonly Rows[]> {
    if (this.#closing !== null) {
      throw this.#error({ fault: "STORE_CLOSED", detail: "" }, false);
    }
    const queries = calls.map(queryOf);
    const rows =
      calls.length === 0
        ? []
        : await (short === undefined ? this.#start(queries, false) : this.#short.run(queries, short));
    if (calls.length > 0) {
      this.#committedAt = Date.now();
    }
    this.#tell(wake);
    return rows;
  }

  get committedAt(): number | null {
    return this.#committedAt;
  }

  read(calls: readonly Call[]): Promise<readonly Rows[]> {
    return this.#closing === null ? this.#reading.run(calls) : this.run(calls);
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
    this.#closing ??= Promise.all([
      this.#reading.close(),
      this.#short.idle().then(() => this.#pool.close()),
    ]).then(() => this.#signals.close());
    return this.#closing;
  }

  #start(queries: readonly NamedQuery[], short: boolean, shared = false): Promise<readonly Rows[]> {
    return new Promise((done, failed) => this.#add({ queries, short, shared, done, failed, attempts: 0 }));
  }

  #add(operation: Operation): void {
    this.#pool.add(
      (connection) => this.#work(connection, operation),
      (refusal) => operation.failed(this.#error(refusal, false)),
      operation.attempts > 0,
    );
  }

  async #work(connection: PostgresqlConnection, operation: Operation): Promise<void> {
    for (;;) {
      operation.attempts++;
      try {
        const { queries, short } = operation;
        operation.done(
          await (short ? connection.shortTransaction(queries) : connection.transaction(queries)),
        );
        return;
      } catch (error) {
        const { cause, uncertain } = error as TransactionError;
        const mayRepeat = !uncertain && operation.attempts < ATTEMPTS;
        if (!isHarmless(cause)) {
          if (uncertain) {
            this.#pool.abandon(connection);
          } else {
            connection.destroy();
          }
        }
        if (mayRepeat && isStale(cause)) {
          this.#add(operation);
          return;
        }
        if (!mayRepeat || operation.shared || !isRepeatable(cause)) {
          this.#fail(operation, cause, uncertain);
          return;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE * operation.attempts));
    }
  }

  #fail(operation: Operation, cause: unknown, uncertain: boolean): void {
    const detail = detailOf(cause, readPostgresqlUrl(this.#settings));
    operation.failed(this.#error({ fault: postgresqlFault(cause), detail }, uncertain));
  }

  /** Listeners of this process at once, those of others when they hear of it. */
  #tell(topics: readonly string[]): void {
    this.#topics.tell(topics);
    this.#signals.tell(topics);
  }

  #error({ fault, detail }: Refusal, uncertain: boolean): StoreError {
    return new StoreError(fault, this.place, detail, uncertain);
  }
}
