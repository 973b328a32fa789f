import type { ConnectionOptions } from "node:tls";
import { TIMEOUT_FACTOR } from "../timeout-factor";

const INITIAL = {
  /** ms for a connection to be there. */
  connectTimeout: 5_000 * TIMEOUT_FACTOR,
  /** ms without an answer after which a connection is given up. */
  answerTimeout: 15_000 * TIMEOUT_FACTOR,
  /** ms that the server works on one statement. */
  statementTimeout: 10_000 * TIMEOUT_FACTOR,
  /** ms that a statement waits for a row that somebody else is changing. */
  lockTimeout: 5_000 * TIMEOUT_FACTOR,
  /** Connections for operations. There is one more for messages between processes, and one for reads. */
  connections: 4,
  /** ms that the server works on one statement that only reads for people. */
  readTimeout: 5_000 * TIMEOUT_FACTOR,
  /** ms without a read after which the connection for reads is ended. */
  readIdle: 60_000,
  /** Whether every transaction only reads, in one snapshot. */
  reads: false,
};

/** Settings with nothing left to choose. */
export interface FullSettings extends Readonly<typeof INITIAL> {
  /** `postgres://` or `postgresql://` with user, password, host and database. A secret. */
  readonly url: string;
  /** Name of the schema, made where it is missing; at most 63 bytes. */
  readonly schema: string;
  /** As `node:tls` wants it; null for what `sslmode` of the URL says. */
  readonly tls: ConnectionOptions | null;
}

/** What an engine is made with. */
export type PostgresqlSettings = Omit<FullSettings, keyof typeof INITIAL> & Partial<typeof INITIAL>;

export const fullSettings = (settings: PostgresqlSettings): FullSettings => ({ ...INITIAL, ...settings });
