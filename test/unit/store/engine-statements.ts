import assert from "node:assert/strict";
import type { Call, Engine } from "../../../lib/store/engine/engine";
import {
  PostgresqlEngine,
  type PostgresqlSettings,
} from "../../../lib/store/engine/postgresql/postgresql-engine";
import { call } from "../../../lib/store/engine/query";
import type { StoreError, StoreFault } from "../../../lib/store/engine/store-error";
import { type Statement, statement } from "../../../lib/store/schema/statement";

export const ADD = statement("test_add")`INSERT INTO paused_accounts VALUES (?1, 1)`;
export const LIST = statement("test_list")`SELECT account FROM paused_accounts ORDER BY account`;
export const SLEEP = statement("test_pg_sleep")`SELECT CAST(pg_sleep(?1) AS text)`;
export const RAISE = statement("test_pg_raise")`
  SELECT set_config('test.code', ?1, true), CAST(raise_code() AS text)`;
export const END_ME = statement("test_pg_end_me")`
  SELECT CAST(pg_terminate_backend(pg_backend_pid()) AS text)`;
export const TOUCH = statement("test_pg_touch")`UPDATE paused_accounts SET at = at + 1 WHERE account = ?1`;
export const SUM = statement("test_pg_sum")`SELECT sum(at) AS sum FROM paused_accounts`;
export const NEWER = statement(
  "test_newer",
)`INSERT INTO schema_migrations (version, hash, applied_at) VALUES (999, '', 1)`;

const made = new Map<string, Statement>();

/** A statement without parameters. Each text is made once, because an engine prepares it once. */
export function once(text: string): Call {
  const found = made.get(text) ?? statement(`test_once_${made.size}`, () => text);
  made.set(text, found);
  return { statement: found, values: [] };
}

export const add = (engine: Engine, ...names: readonly string[]) =>
  engine.run(names.map((name) => call(ADD, name)));

export const list = async (engine: Engine): Promise<unknown[]> =>
  (await engine.run([call(LIST)]))[0]!.map(({ account }) => account);

/** The error has this code, and nothing secret in it. */
export const fails = (promise: Promise<unknown>, code: StoreFault, uncertain = false) =>
  assert.rejects(promise, (error: StoreError) => {
    assert.deepEqual([error.code, error.uncertain], [code, uncertain], error.message);
    assert.doesNotMatch(`${error.message} ${error.stack}`, /right-password|wrong-password|"tester"|somebody/);
    return true;
  });

/** Engines that are closed after each test. */
export function useEngines(): (settings: Partial<PostgresqlSettings> & { url: string }) => PostgresqlEngine {
  const engines: PostgresqlEngine[] = [];
  afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));
  return (settings) => {
    const engine = new PostgresqlEngine({ schema: "messaging", tls: null, ...settings });
    engines.push(engine);
    return engine;
  };
}
