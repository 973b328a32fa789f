import type { ConnectionOptions } from "node:tls";

/** What an engine is made with. */
export interface PostgresqlSettings {
  /** `postgres://` or `postgresql://` with user, password, host and database. A secret. */
  readonly url: string;
  /** Name of the schema, made where it is missing; at most 63 bytes. */
  readonly schema: string;
  /** As `node:tls` wants it; null for what `sslmode` of the URL says. */
  readonly tls: ConnectionOptions | null;
  /** ms for a connection to be there. Initially 5,000. */
  readonly connectTimeout?: number;
  /** ms without any answer after which a connection is given up. Initially 15,000. */
  readonly answerTimeout?: number;
  /** ms that the server works on one statement. Initially 10,000. */
  readonly statementTimeout?: number;
  /** ms that a statement waits for a row that somebody else is changing. Initially 5,000. */
  readonly lockTimeout?: number;
  /** ms without an attempt to connect after one that failed. Initially 1,000. */
  readonly reopenPause?: number;
  /** Connections for operations. Initially 4; there is one more for messages between processes, and one for reads. */
  readonly connections?: number;
  /** ms that the server works on one statement that only reads for people. Initially 5,000. */
  readonly readTimeout?: number;
  /** ms without a read after which the connection for reads is ended. Initially 60,000. */
  readonly readIdle?: number;
  /** Whether every transaction only reads, in one snapshot. Initially false. */
  readonly reads?: boolean;
}

/** Settings with nothing left to choose. */
export type FullSettings = Required<PostgresqlSettings>;

export const fullSettings = (settings: PostgresqlSettings): FullSettings => ({
  connectTimeout: 5_000,
  answerTimeout: 15_000,
  statementTimeout: 10_000,
  lockTimeout: 5_000,
  reopenPause: 1_000,
  connections: 4,
  readTimeout: 5_000,
  readIdle: 60_000,
  reads: false,
  ...settings,
});
