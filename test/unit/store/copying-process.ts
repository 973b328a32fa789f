import "./made-up-steps";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StoreLife } from "../../../lib/runtime/store/store-life";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { call } from "../../../lib/store/engine/query";
import { statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { newJob, newRequest } from "./suite/store-under-test";

/**
 * A process of its own that uses a store, in a folder or at a URL, until it is killed: takes messages, and prints the key of each after its commit. In between it
 * prints how far the third step has come and who copies.
 */
const [place = "", name = ""] = process.argv.slice(2);

const PROGRESS = statement(
  "test_copying_progress",
)`SELECT (SELECT count(*) FROM notes) AS notes, worker, done_at FROM schema_steps ORDER BY version DESC LIMIT 1`;

async function use(): Promise<void> {
  const { engine } = place.includes("://")
    ? await sharePostgresql({ url: place, schema: "messaging", tls: null })
    : await shareSqlite(place, { thread: join(__dirname, "made-up-thread.ts") });
  await StoreLife.begin(engine, () => true);
  const store = new Store(engine, { keepTexts: false });
  for (let at = 0; ; at++) {
    const key = `${name}-${at}`;
    await store.jobs.take(newJob({ key, taker: name }), [newRequest()]);
    process.stdout.write(`taken ${key}\n`);
    const [[row] = []] = await engine.read([call(PROGRESS)]);
    process.stdout.write(`${row?.done_at === null ? "copied" : "done"} ${row?.notes} ${row?.worker}\n`);
    await pause(10);
  }
}

void use();
