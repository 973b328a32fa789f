import type { ClientBase } from "pg";
import { OpenError } from "../open-error";
import { query } from "./postgresql-driver";

/** The process of the server that works for a connection. */
export interface Backend {
  readonly process: number;
  /** Epoch µs by the clock of the server: a later process may have the same number. */
  readonly startedAt: number;
}

/** ms between two looks. */
const PAUSE = 20;

const STARTED_AT = "CAST(extract(epoch FROM a.backend_start) * 1000000 AS bigint)";

const OWN = `SELECT a.pid AS process, ${STARTED_AT} AS started_at FROM pg_stat_activity a WHERE a.pid = pg_backend_pid()`;

const END = `SELECT a.pid, CAST(pg_terminate_backend(a.pid) AS text) AS ended
  FROM json_array_elements($1) AS e (value) JOIN pg_stat_activity a
    ON a.pid = CAST(e.value ->> 0 AS integer) AND ${STARTED_AT} = CAST(e.value ->> 1 AS bigint)`;

/** Who works for a connection. @throws the error of server or system */
export async function backendOf(client: ClientBase): Promise<Backend> {
  const [row] = await query(client, { text: OWN });
  return { process: Number(row?.process), startedAt: Number(row?.started_at) };
}

/**
 * Ends backends whose connections were given up, and waits until they are gone: each may still do what it was sent, with messages that
 * arrive late, or when its disk goes on.
 * @param within ms
 * @throws OpenError STORE_SLOW where one does not end in time, or the error of server or system
 */
export async function endBackends(
  client: ClientBase,
  backends: readonly Backend[],
  within: number,
): Promise<void> {
  const values = [JSON.stringify(backends.map(({ process, startedAt }) => [process, startedAt]))];
  const until = performance.now() + within;
  for (;;) {
    const left = await query(client, { text: END, values });
    if (left.length === 0) {
      return;
    }
    if (performance.now() >= until) {
      throw new OpenError("STORE_SLOW", `backend ${left.map(({ pid }) => String(pid)).join(", ")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
