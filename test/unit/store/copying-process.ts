import "./made-up-steps";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { StoreRegistration } from "../../../lib/runtime/store/store-registration";
import type { Engine } from "../../../lib/store/engine/engine";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { call } from "../../../lib/store/engine/query";
import { statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { newJob, newRequest } from "./suite/store-under-test";

/**
 * A process of its own that uses a store, in a folder or at a URL, until it is killed: takes messages, and prints the key of each after its commit. In between it
 * prints how far the third step has come and who copies. With the word `once` it copies one slice and never the next.
 */
const [place = "", name = "", slices = "all"] = process.argv.slice(2);

const PROGRESS = statement("test_copying_progress")`
  SELECT (SELECT count(*) FROM notes) AS notes, worker, done_at FROM schema_steps ORDER BY version DESC LIMIT 1`;

function holdAfterOneSlice(engine: Engine): void {
  const run = engine.run.bind(engine);
  let copied = 0;
  engine.run = (operations, ...more) =>
    operations[0]?.statement.name.startsWith("schema_copy_advance") && ++copied > 1
      ? new Promise(() => {})
      : run(operations, ...more);
}

async function use(): Promise<void> {
  const { engine } = place.includes("://")
    ? await sharePostgresql({ url: place, schema: "messaging", tls: null })
    : await shareSqlite(place, { thread: join(__dirname, "made-up-thread.ts") });
  if (slices === "once") holdAfterOneSlice(engine);
  await StoreRegistration.begin(engine, () => true);
  const store = new Store(engine, { keepTexts: false });
  for (let at = 0; ; at++) {
    const key = `${name}-${at}`;
    await store.jobs.take(newJob({ key, resultOwner: name }), [newRequest()]);
    process.stdout.write(`taken ${key}\n`);
    const [[row] = []] = await engine.read([call(PROGRESS)]);
    process.stdout.write(`${row?.done_at === null ? "copied" : "done"} ${row?.notes} ${row?.worker}\n`);
    await pause(10);
  }
}

void use();
