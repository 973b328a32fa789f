import type { Client, ClientBase, Pool, PoolClient } from "pg";
import { type Backend, endBackends } from "./postgresql-backend";
import { clientConfig } from "./postgresql-driver";
import { toOpenError } from "./postgresql-fault";
import { openSchema } from "./postgresql-schema";
import { startSession } from "./postgresql-session";
import type { FullSettings } from "./postgresql-settings";
import { PostgresqlSockets } from "./postgresql-sockets";
import { readPostgresqlUrl } from "./postgresql-url";

/** Connects and signs in. @throws OpenError */
export async function openClient(
  settings: FullSettings,
  sockets: PostgresqlSockets,
): Promise<{ readonly client: Client; readonly backend: Backend }> {
  const target = readPostgresqlUrl(settings);
  try {
    const pg = await import("pg");
    const client = new pg.Client(clientConfig(target, settings, sockets));
    // What a lost connection means is reported by its queries.
    client.on("error", () => {});
    await client.connect();
    return { client, backend: await startSession(client, settings) };
  } catch (error) {
    sockets.destroy();
    throw toOpenError(sockets.explain(error), target);
  }
}

/**
 * Connections to one schema, by the pool of the driver. The first one checks whether the tables are there, and so does the first one
 * after a loss: the server may be another one by then. After a commit without a response nothing runs before the server has ended the
 * process that may still do it.
 */
export class PostgresqlPool {
  #pool: Promise<Pool> | null = null;
  readonly #sockets = new PostgresqlSockets();
  readonly #backends = new WeakMap<ClientBase, Backend>();
  #uncertain: readonly Backend[] = [];
  #isChecked = false;

  constructor(private readonly settings: FullSettings) {}

  /** A connection for one transaction. @throws OpenError */
  async connect(): Promise<PoolClient> {
    const target = readPostgresqlUrl(this.settings);
    try {
      this.#pool ??= this.#open();
      const pool = await this.#pool;
      const client = await pool.connect();
      await this.#endUncertain(client);
      return client;
    } catch (error) {
      throw toOpenError(this.#sockets.explain(error), target);
    }
  }

  /** Ends a connection of whose work nobody knows what the server makes. */
  giveUp(client: PoolClient): void {
    const backend = this.#backends.get(client);
    this.#uncertain = backend === undefined ? this.#uncertain : [...this.#uncertain, backend];
    client.release(true);
  }

  /** Ends the connections after the transactions under way. */
  async close(): Promise<void> {
    const pool = await this.#pool?.catch(() => null);
    await this.#sockets.endAfter(pool?.end());
  }

  async #open(): Promise<Pool> {
    const { settings } = this;
    const { connections, readIdle, reads } = settings;
    const pg = await import("pg");
    const config = clientConfig(readPostgresqlUrl(settings), settings, this.#sockets);
    const pool = new pg.Pool({
      // The pool itself would apply the limit for a new connection to the wait for a busy one as well.
      Client: class extends pg.Client {
        constructor() {
          super(config);
        }
      },
      max: connections,
      idleTimeoutMillis: reads ? readIdle : 0,
      allowExitOnIdle: true,
      verify: (client, done) => void this.#verify(client, done),
    });
    pool.on("error", () => {});
    pool.on("remove", () => {
      this.#isChecked = false;
    });
    return pool;
  }

  async #verify(client: ClientBase, done: (error?: Error) => void): Promise<void> {
    let failure: Error | undefined;
    try {
      await this.#prepare(client);
    } catch (error) {
      failure = error as Error;
    }
    done(failure);
  }

  async #prepare(client: ClientBase): Promise<void> {
    // What a lost connection means is reported by its queries.
    client.on("error", () => {});
    this.#backends.set(client, await startSession(client, this.settings));
    if (!this.#isChecked) {
      await openSchema(client, this.settings.schema);
      this.#isChecked = true;
    }
  }

  async #endUncertain(client: PoolClient): Promise<void> {
    const backends = this.#uncertain;
    if (backends.length === 0) {
      return;
    }
    try {
      await endBackends(client, backends, this.settings.connectTimeout);
      this.#uncertain = this.#uncertain.filter((each) => !backends.includes(each));
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}
