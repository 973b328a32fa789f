import type { ClientBase } from "pg";
import type { Rows } from "../engine";
import { type Query, query } from "./postgresql-driver";
import { isCertain, isFromServer } from "./postgresql-fault";

const BEGIN = "BEGIN";
const BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";

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

/**
 * Runs queries in one transaction. All are sent at once: it takes one round trip, and the commit is already with the server if this
 * process is stopped, so that its locks do not stay.
 * @throws TransactionError
 */
export async function runTransaction(
  client: ClientBase,
  queries: readonly Query[],
  reads: boolean,
): Promise<readonly Rows[]> {
  const isAlone = queries.length === 1;
  const begin = { text: reads ? BEGIN_READING : BEGIN };
  const all = isAlone ? queries : [begin, ...queries, { text: "COMMIT" }];
  const answers = await Promise.allSettled(all.map((each) => query(client, each)));
  const failed = answers.findIndex(({ status }) => status === "rejected");
  if (failed === -1) {
    const rows = answers.map((answer) => (answer as PromiseFulfilledResult<Rows>).value);
    return isAlone ? rows : rows.slice(1, -1);
  }
  const { reason } = answers[failed] as PromiseRejectedResult;
  let uncertain = !isCertain(reason);
  if (!isAlone && failed === 0) {
    // Without a transaction each query after it may have happened by itself.
    uncertain = !isFromServer(reason) || answers.some(({ status }) => status === "fulfilled");
  } else if (!isAlone && failed < answers.length - 1) {
    // A server that reports an error has given the transaction up; otherwise the commit may have reached it.
    uncertain = !isFromServer(reason);
  }
  throw new TransactionError(reason, uncertain);
}
