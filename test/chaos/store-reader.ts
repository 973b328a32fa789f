import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { loadSqlite } from "../../lib/store/engine/sqlite/sqlite-driver";
import type { HistoryRow } from "./judge";

type Numbers = readonly string[];
type Row = Readonly<Record<string, unknown>>;

/** Reads a store by its own statements: an error in those of the package must not hide here. */
export interface StoreReader {
  /** Of these numbers those whose whole message an ended process has stored; null without a store that can be read. */
  readonly findStored: (numbers: Numbers, ports: readonly number[]) => Promise<ReadonlySet<string> | null>;
  readonly readHistory: () => Promise<readonly HistoryRow[]>;
}

const MESSAGES = `messages m LEFT JOIN recipients c ON m.recipient IS NULL AND c.request = m.id LEFT JOIN outbox o ON o.id = m.id`;
/** The requests of a committed list are queued a moment later. */
const STORED = `SELECT DISTINCT coalesce(m.recipient, c.recipient) AS number FROM ${MESSAGES} LEFT JOIN jobs j ON j.id = m.job
  WHERE (coalesce(o.state, '') <> 'staging' OR j.committed = 1) AND coalesce(m.recipient, c.recipient) IS NOT NULL`;
const HISTORY = `SELECT m.client_id AS "clientId", coalesce(m.recipient, c.recipient) AS number, coalesce(o.state, 'emitted') AS state,
  m.outcome, m.settled_by AS "settledBy", coalesce(c.delivery, m.delivery) AS delivery, i.process AS pid FROM ${MESSAGES}
  LEFT JOIN instances i ON i.id = coalesce(o.owner, m.late_owner)
  WHERE coalesce(o.state, '') <> 'staging' AND coalesce(m.recipient, c.recipient) IS NOT NULL`;

export const NO_STORE: StoreReader = { findStored: async () => null, readHistory: async () => [] };

/** Reads a copy of the file of a process that has ended, so that the next process finds what the last one left. */
export function sqliteReader(folder: string): StoreReader {
  const query = async <Found = Row>(statement: string): Promise<readonly Found[]> => {
    const copy = mkdtempSync(join(tmpdir(), "messaging-chaos-"));
    try {
      for (const name of ["messages.db", "messages.db-wal"]) {
        if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
      }
      const { DatabaseSync } = await loadSqlite();
      const database = new DatabaseSync(join(copy, "messages.db"));
      try {
        const tables = database.prepare("SELECT name FROM sqlite_master WHERE name = 'messages'").all();
        return tables.length === 0 ? [] : (database.prepare(statement).all() as Found[]);
      } finally {
        database.close();
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  };
  return {
    findStored: async (numbers) => {
      const stored = new Set((await query(STORED)).map(({ number }) => String(number)));
      return new Set(numbers.filter((number) => stored.has(number)));
    },
    readHistory: () => query<HistoryRow>(HISTORY),
  };
}

const PATIENCE_MS = 120_000;
const PAUSE_MS = 100;

/** Reads a database past the proxies. It waits while the server is away. */
export function postgresqlReader(url: string): StoreReader {
  const query = async <Found extends object = Row>(
    statement: string,
    values: unknown[] = [],
  ): Promise<Found[]> => {
    for (const end = performance.now() + PATIENCE_MS; ; ) {
      const client = new Client({ connectionString: url, options: "-c search_path=messaging" });
      client.on("error", () => {});
      try {
        await client.connect();
        return (await client.query<Found & Row>(statement, values)).rows;
      } catch (error) {
        const { code = "" } = error as { code?: string };
        // 42 is a wrong statement, and 42P01 a table that the first process is about to create.
        if ((code.startsWith("42") && code !== "42P01") || performance.now() > end) throw error;
        await setTimeout(PAUSE_MS);
      } finally {
        await client.end().catch(() => {});
      }
    }
  };
  // What a killed process sent is in the database when the server has ended its connections, or never.
  const served = "SELECT pid FROM pg_stat_activity WHERE client_port = ANY($1) AND pid <> pg_backend_pid()";
  return {
    findStored: async (numbers, ports) => {
      while ((await query(served, [ports])).length > 0) await setTimeout(PAUSE_MS);
      const rows = await query(`${STORED} AND coalesce(m.recipient, c.recipient) = ANY($1)`, [numbers]);
      return new Set(rows.map(({ number }) => String(number)));
    },
    readHistory: () => query<HistoryRow>(HISTORY),
  };
}
