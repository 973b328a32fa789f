import { Socket } from "node:net";
import type { Client, Query as DriverQuery } from "pg";
import type { Row, Rows, Value } from "../engine";
import { OpenError } from "../open-error";
import type { Backend } from "./postgresql-backend";
import { isCertain, isFromServer } from "./postgresql-fault";
import { type NamedQuery, PostgresqlPipeline, type RowShape, type Wire } from "./postgresql-pipeline";
import type { FullSettings } from "./postgresql-settings";
import type { PostgresqlTarget } from "./postgresql-url";

/** A statement as the driver wants it. With a name it is prepared once in a connection. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly Value[];
}

interface Answer {
  readonly command: string;
  readonly rows: readonly Row[];
}

/** What the types of the driver leave out. */
interface Driver extends Omit<Client, "connection"> {
  readonly processID: number | null;
  readonly connection: Wire & { on(message: "parseComplete" | "noData", listener: () => void): void };
  readonly ref: () => void;
  readonly unref: () => void;
}

/** Why queries of one transaction failed. */
export class TransactionError extends Error {
  constructor(
    override readonly cause: unknown,
    /** Whether it may have been committed. */
    readonly uncertain: boolean,
  ) {
    super("transaction failed");
  }
}

/** First bytes of a server: a request for the password or an error; with TLS its agreement, its refusal, or an error. */
const FIRST_BYTES = { plain: "REv", tls: "SNE" };
const BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
const KEEP_ALIVE = 10_000;
/** ms for the server to close a connection that is no longer needed. */
const END_TIMEOUT = 1_000;

const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
/** Whole numbers as numbers, everything else, JSON included, as text. Of this client alone: another node may use the driver as well. */
const TYPES = {
  getTypeParser: (type: number) => (value: string) => (NUMBERS.has(type) ? Number(value) : value),
};

/**
 * One connection. All queries of a transaction are sent at once: it takes one round trip, and the commit is already with the server
 * when this process is stopped, so that its locks do not stay.
 */
export class PostgresqlConnection {
  #failure: OpenError | null = null;
  #waiting = 0;
  #timer: NodeJS.Timeout | null = null;
  #onEnd = (): void => {};
  readonly #shapes = new Map<string, RowShape>();
  #pipeline: PostgresqlPipeline | null = null;
  isOpen = true;
  /** Set with the session. */
  backend: Backend | null = null;

  private constructor(
    private readonly client: Driver,
    private readonly socket: Socket,
    private readonly answerTimeout: number,
    private readonly begin: string,
    /** The driver takes no other queries while it pipelines. */
    private readonly Query: typeof DriverQuery,
  ) {
    client.on("end", () => {
      this.isOpen = false;
      this.#onEnd();
    });
    client.connection.on("parseComplete", () => this.#pipeline?.onPrepared(client.connection));
    client.connection.on("noData", () => this.#pipeline?.onNoRows());
  }

  /** Connects and signs in. @throws OpenError, or what server and system say */
  static async open(
    { tls, password, ...target }: PostgresqlTarget,
    { connectTimeout, answerTimeout, reads }: FullSettings,
  ): Promise<PostgresqlConnection> {
    const { Client, Query } = await import("pg");
    const socket = new Socket();
    let failure: OpenError | null = null;
    const fail = (error: OpenError): void => {
      failure ??= error;
      socket.destroy(error);
    };
    let isReached = false;
    socket.once("connect", () => {
      isReached = true;
    });
    socket.once("data", (chunk) => {
      const first = String.fromCharCode(chunk[0] ?? 0);
      const greeting = tls !== null && first !== "E" && chunk.length > 1;
      if (!FIRST_BYTES[tls === null ? "plain" : "tls"].includes(first) || greeting) {
        fail(new OpenError("STORE_NOT_POSTGRESQL", ""));
      }
    });
    const client = new Client({
      ...target,
      // A function keeps the driver from looking for a password in the environment and in files.
      password: () => password,
      ssl: tls === null ? false : { ...tls },
      sslnegotiation: "postgres",
      application_name: "node-red-messaging",
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE,
      pipeline: true,
      stream: () => socket,
      types: TYPES,
    });
    // What a lost connection means is said by its queries.
    client.on("error", () => {});
    const timer = setTimeout(() => {
      const detail = `${connectTimeout} ms`;
      fail(new OpenError(isReached ? "STORE_SLOW" : "STORE_UNREACHABLE", detail));
    }, connectTimeout);
    try {
      await client.connect();
    } catch (error) {
      socket.destroy();
      throw failure ?? strangeAnswer(error) ?? error;
    } finally {
      clearTimeout(timer);
    }
    const begin = reads ? BEGIN_READING : "BEGIN";
    return new PostgresqlConnection(client as unknown as Driver, socket, answerTimeout, begin, Query);
  }

  /** Number of the server's process. */
  get process(): number | null {
    return this.client.processID;
  }

  /** Called once when the connection is gone, for whatever reason. */
  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  onNotification(listener: (topic: string, process: number) => void): void {
    this.client.on("notification", ({ payload, processId }) => listener(payload ?? "", processId));
  }

  /** Runs the queries in one transaction; one alone is a transaction by itself. @throws TransactionError */
  async transaction(queries: readonly Query[]): Promise<readonly Rows[]> {
    const isAlone = queries.length === 1;
    const answers = await this.#send(
      isAlone ? queries : [{ text: this.begin }, ...queries, { text: "COMMIT" }],
    );
    const failed = answers.findIndex(({ status }) => status === "rejected");
    const rows = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.rows : []));
    if (failed === -1) {
      return isAlone ? rows : rows.slice(1, -1);
    }
    const { reason } = answers[failed] as PromiseRejectedResult;
    let uncertain = !isCertain(reason);
    if (!isAlone && failed === 0) {
      // Without a transaction what came after it may have happened, each by itself.
      uncertain = !isFromServer(reason) || answers.some(({ status }) => status === "fulfilled");
    } else if (!isAlone && failed < answers.length - 1) {
      // The server has given the transaction up; only where it said nothing the commit may have reached it.
      uncertain = !isFromServer(reason);
    }
    throw new TransactionError(this.#failure ?? reason, uncertain);
  }

  /**
   * As `transaction`, for what takes the server moments and fits into a packet or few: the server says nothing before it has committed,
   * and would keep the locks of a transaction that it has half of.
   * @throws TransactionError
   */
  shortTransaction(queries: readonly NamedQuery[]): Promise<readonly Rows[]> {
    return new Promise((resolve, reject) => {
      this.#waiting++;
      this.#watch();
      const pipeline = new PostgresqlPipeline(
        queries,
        { shapes: this.#shapes, readerOf: TYPES.getTypeParser },
        () => this.#watch(),
        (error) => {
          this.#pipeline = null;
          this.#waiting--;
          this.#watch();
          if (error === null) {
            resolve(pipeline.rows);
          } else {
            // While a statement was not answered, there was nothing to commit.
            const isBefore = pipeline.rows.length < queries.length && isFromServer(error);
            reject(new TransactionError(this.#failure ?? error, !isBefore && !isCertain(error)));
          }
        },
      );
      this.#pipeline = pipeline;
      this.client.query(asQuery(this.Query, pipeline));
    });
  }

  /** Runs one query. @throws the error of server or system */
  async query(query: Query): Promise<readonly Row[]> {
    const [rows = []] = await this.transaction([query]).catch((error: TransactionError) => {
      throw error.cause;
    });
    return rows;
  }

  /** The process may end while nothing is awaited from this connection. */
  unref(): void {
    this.client.unref();
  }

  ref(): void {
    this.client.ref();
  }

  /** Says goodbye to the server. Resolves when the connection is gone. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.destroy(), END_TIMEOUT);
    this.ref();
    await this.client.end().catch(() => {});
    clearTimeout(timer);
  }

  /** Ends it without a word; what is awaited from it fails. */
  destroy(failure: OpenError | null = null): void {
    this.#failure ??= failure;
    this.isOpen = false;
    this.socket.destroy();
  }

  #send(queries: readonly Query[]): Promise<readonly PromiseSettledResult<Answer>[]> {
    this.#waiting += queries.length;
    this.#watch();
    // One packet for all of them.
    this.socket.cork();
    const answers = queries.map(async ({ name, text, values }) => {
      try {
        return (await this.client.query({
          text,
          ...(name !== undefined && { name }),
          ...(values !== undefined && { values: [...values] }),
        })) as Answer;
      } finally {
        this.#waiting--;
        this.#watch();
      }
    });
    process.nextTick(() => this.socket.uncork());
    return Promise.allSettled(answers);
  }

  /** Each answer gives the server the whole time again. */
  #watch(): void {
    if (this.#waiting === 0) {
      clearTimeout(this.#timer ?? undefined);
      this.#timer = null;
    } else if (this.#timer === null) {
      const late = (): void => this.destroy(new OpenError("STORE_SLOW", `${this.answerTimeout} ms`));
      this.#timer = setTimeout(late, this.answerTimeout);
    } else {
      this.#timer.refresh();
    }
  }
}

/** A query of the driver that leaves everything to a pipeline. */
function asQuery(Query: typeof DriverQuery, pipeline: PostgresqlPipeline): DriverQuery {
  type Handlers = Pick<PostgresqlPipeline, "submit" | (`handle${string}` & keyof PostgresqlPipeline)>;
  const handlers: Handlers = {
    submit: (wire) => pipeline.submit(wire),
    handleRowDescription: (message) => pipeline.handleRowDescription(message),
    handleDataRow: (message) => pipeline.handleDataRow(message),
    handleCommandComplete: () => pipeline.handleCommandComplete(),
    handleReadyForQuery: () => pipeline.handleReadyForQuery(),
    handleError: (error) => pipeline.handleError(error),
  };
  return Object.assign(new Query({ text: "" }), handlers);
}

/** A server that begins as PostgreSQL does, and goes on in another way. */
function strangeAnswer(error: unknown): OpenError | null {
  const { message } = error as Error;
  return /received invalid response|unknown authenticationOk/i.test(message)
    ? new OpenError("STORE_NOT_POSTGRESQL", "")
    : null;
}
