import type { Client, ClientBase, ClientConfig } from "pg";
import type { Row, Value } from "../engine";
import type { FullSettings } from "./postgresql-settings";
import type { PostgresqlSockets } from "./postgresql-sockets";
import type { PostgresqlTarget } from "./postgresql-url";

/** A statement for the driver. With a name it is prepared once in a connection. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly Value[];
}

const KEEP_ALIVE_MS = 10_000;

const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700]);
/** Whole numbers as numbers, everything else, JSON included, as text. Of these connections alone: other nodes may use the driver. */
const TYPES = {
  getTypeParser: (type: number) => (value: string) => (NUMBERS.has(type) ? Number(value) : value),
};

/** What the driver connects with. It reads no environment variable and no file. */
export const clientConfig = (
  { tls, password, ...target }: PostgresqlTarget,
  { connectTimeout, answerTimeout }: FullSettings,
  sockets: PostgresqlSockets,
): ClientConfig => ({
  ...target,
  // A function keeps the driver from looking for a password in the environment and in files.
  password: () => password,
  ssl: tls === null ? false : { ...tls },
  sslnegotiation: "postgres",
  application_name: "node-red-messaging",
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  connectionTimeoutMillis: connectTimeout,
  query_timeout: answerTimeout,
  pipeline: true,
  stream: () => sockets.add(tls !== null),
  types: TYPES,
});

/** Runs one query. @throws the error of server or system */
export async function query(
  client: ClientBase | Client,
  { name, text, values }: Query,
): Promise<readonly Row[]> {
  const { rows } = await client.query<Row>({
    text,
    ...(name !== undefined && { name }),
    ...(values !== undefined && { values: [...values] }),
  });
  return rows;
}
