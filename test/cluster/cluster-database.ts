import { setTimeout } from "node:timers/promises";
import { Client, type QueryResultRow } from "pg";
import { waitFor } from "../support/wait-for";

/** What the store says of one recipient of one request. Times are epoch ms. */
export interface LedgerEntry {
  readonly request: number;
  readonly job: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly settledBy: string | null;
  /** Instance that had it last; null where nobody had. */
  readonly owner: string | null;
  readonly leftAt: number | null;
  readonly settledAt: number | null;
}

/** One life of a Node-RED process in the store. */
export interface InstanceEntry {
  readonly id: string;
  readonly process: number;
  readonly startedAt: number;
}

const PAUSE = 200;
const PATIENCE = 240_000;
const PAGE = 20_000;

/**
 * The database of a run as the driver reads it: past the proxies, and by statements of its own, so that a mistake in those of the package
 * does not hide here. It waits while the server is away.
 */
export class ClusterDatabase {
  constructor(
    private readonly url: string,
    private readonly schema: string,
  ) {}

  /** Instances that a process has entered since a time. */
  async instancesOf(process: number, since: number): Promise<readonly string[]> {
    const rows = await this.#ask<{ id: string }>(
      `SELECT id FROM ${this.schema}.instances WHERE process = $1 AND started_at >= $2`,
      [process, since - 1_000],
    );
    return rows.map(({ id }) => id);
  }

  async instances(): Promise<readonly InstanceEntry[]> {
    const rows = await this.#ask<{ id: string; process: number; started_at: string }>(
      `SELECT id, process, started_at FROM ${this.schema}.instances`,
    );
    return rows.map(({ id, process, started_at: at }) => ({ id, process, startedAt: Number(at) }));
  }

  /** Waits until the server has done with all that came over these connections: what they wrote is there then, or never. */
  async untilGone(ports: () => readonly number[]): Promise<void> {
    const served = "SELECT pid FROM pg_stat_activity WHERE client_port = ANY($1) AND pid <> pg_backend_pid()";
    await waitFor(
      "PostgreSQL to have done with a Node-RED that was killed",
      async () => (await this.#ask(served, [ports()])).length === 0,
      PATIENCE,
    );
  }

  /** Numbers of requests that were on their way when these instances ended, others' judgement of them included. @param ended epoch ms */
  async underWay(owners: readonly string[], ended: number): Promise<readonly string[]> {
    const rows = await this.#ask<{ number: string }>(
      `SELECT c.number FROM ${this.schema}.requests r JOIN ${this.schema}.recipients c ON c.request = r.id
        WHERE r.owner = ANY($1) AND (r.state = 'leaving' OR (r.settled_by = 'orphan' AND r.settled_at >= $2))`,
      [owners, ended],
    );
    return rows.map(({ number }) => number);
  }

  /** Numbers that wait. */
  async waiting(): Promise<readonly string[]> {
    const rows = await this.#ask<{ number: string }>(
      `SELECT c.number FROM ${this.schema}.requests r JOIN ${this.schema}.recipients c ON c.request = r.id
        WHERE r.state IN ('filling', 'queued', 'held', 'parked')`,
    );
    return rows.map(({ number }) => number);
  }

  /** Of these numbers those that are there with their whole message. */
  async taken(numbers: readonly string[]): Promise<ReadonlySet<string>> {
    if (numbers.length === 0) return new Set();
    const rows = await this.#ask<{ number: string }>(
      `SELECT DISTINCT c.number FROM ${this.schema}.recipients c
        JOIN ${this.schema}.requests r ON r.id = c.request JOIN ${this.schema}.jobs j ON j.id = r.job
        WHERE j.sealed = 1 AND c.number = ANY($1)`,
      [numbers],
    );
    return new Set(rows.map(({ number }) => number));
  }

  /** Requests of complete messages that are not done, by state, and messages that were begun and are not complete. */
  async open(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.#ask<{ state: string; count: string }>(
      `SELECT r.state, count(*) FROM ${this.schema}.requests r JOIN ${this.schema}.jobs j ON j.id = r.job
        WHERE r.state <> 'emitted' AND j.sealed = 1 GROUP BY r.state
        UNION ALL SELECT 'incomplete', count(*) FROM ${this.schema}.jobs j WHERE j.sealed = 0 HAVING count(*) > 0
        ORDER BY 1`,
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
  }

  /** Everything, by number; without messages that were begun and never complete. */
  async ledger(): Promise<ReadonlyMap<string, readonly LedgerEntry[]>> {
    const ledger = new Map<string, LedgerEntry[]>();
    let last: readonly [string, number] = ["0", 0];
    for (;;) {
      const rows = await this.#ask<Readonly<Record<string, string | null>>>(
        `SELECT r.id, c.place, c.number, j.job_key, r.state, r.outcome, r.settled_by, r.owner, r.left_at, r.settled_at
          FROM ${this.schema}.requests r JOIN ${this.schema}.recipients c ON c.request = r.id
          JOIN ${this.schema}.jobs j ON j.id = r.job
          WHERE j.sealed = 1 AND (r.id, c.place) > ($1::bigint, $2::integer) ORDER BY r.id, c.place LIMIT ${PAGE}`,
        last,
      );
      for (const row of rows) {
        const number = row.number ?? "";
        const entries = ledger.get(number) ?? [];
        entries.push({
          request: Number(row.id),
          job: row.job_key ?? "",
          state: row.state ?? "",
          outcome: row.outcome ?? null,
          settledBy: row.settled_by ?? null,
          owner: row.owner ?? null,
          leftAt: row.left_at === null ? null : Number(row.left_at),
          settledAt: row.settled_at === null ? null : Number(row.settled_at),
        });
        ledger.set(number, entries);
      }
      const end = rows.at(-1);
      if (end === undefined) return ledger;
      last = [end.id ?? "0", Number(end.place)];
    }
  }

  /** Again and again until the server answers. A frozen one is waited for. */
  async #ask<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const client = new Client({ connectionString: this.url });
      // What a killed server does to it is said by the query.
      client.on("error", () => {});
      try {
        await client.connect();
        const { rows } = await client.query<Row>(text, [...values]);
        return rows;
      } catch (error) {
        const { code = "" } = error as { code?: string };
        // 42: a mistake in the statement; it does not get better, but for a table that is about to be made (42P01).
        if ((code.startsWith("42") && code !== "42P01") || performance.now() > end) throw error;
        await setTimeout(PAUSE);
      } finally {
        await client.end().catch(() => {});
      }
    }
  }
}
