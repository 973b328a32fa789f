import { temporaryFolder } from "../../../test/support/node-red/packed-package";
import type { Call, Engine } from "../../../lib/store/engine/engine";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import type { SharedEngine } from "../../../lib/store/engine/shared-engines";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import { statement } from "../../../lib/store/schema/statement";
import type { HistoryFilter } from "../../../lib/store/history/history-filter";
import { Store } from "../../../lib/store/store";
import { ACCOUNT, DAY, fillVolume, MESSAGES, QUEUED, SLICE } from "../fill-volume";
import { DEPLOYED, SEARCHED, SLOWEST, VOLUME } from "../report/goals";
import { sendBesideSearches } from "../send-beside-searches";
import { withPostgresql } from "../sending";
import { figure } from "../report/statistics";
import type { BenchRow, Figure, Situation } from "./row";

/** Slices of a cleaning that are measured. */
const SLICES = 10;
const NODES = Array.from({ length: 20 }, (_unused, at) => `n${at}`);

const POSTPONE = statement(
  "bench_postpone",
  () => "UPDATE requests SET postponed = 1, due = due + ?1 WHERE state = 'queued' AND id > ?2 AND id <= ?3",
);

/** ms of this process's processor time; where the database is a server, of the clock. */
const timeOf = (engine: Engine): number => {
  const { user, system } = process.cpuUsage();
  return engine.exclusive ? (user + system) / 1000 : performance.now();
};

/** An engine that notes the longest time of an operation. Nothing else runs meanwhile. */
function timed(engine: Engine) {
  const slowest = { ms: 0, names: "" };
  const watched = new Proxy(engine, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (name !== "run" && name !== "read") {
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (calls: readonly Call[], wake?: readonly string[]) => {
        const began = timeOf(target);
        const found = await target[name](calls, wake);
        const ms = timeOf(target) - began;
        if (ms > slowest.ms) {
          Object.assign(slowest, { ms, names: calls.map((each) => each.statement.name).join(", ") });
        }
        return found;
      };
    },
  });
  return { watched, slowest };
}

/** Filling takes long on a busy machine. */
const PATIENT = { statementTimeout: 120_000, answerTimeout: 130_000 };

const FILTERS: Readonly<Record<string, HistoryFilter>> = {
  "no filter": {},
  number: { number: "417940000" },
  outcome: { outcome: "rejected" },
  "rare outcome": { outcome: "unknown" },
  node: { node: "n3" },
  "client message id": { clientMessageId: "c777777" },
  "transfer id": { transferId: "t777777" },
  period: { from: Date.now() - 15 * DAY, to: Date.now() - 14 * DAY },
};

async function* volume(engine: Engine, label: string): AsyncIterable<Situation> {
  const { watched, slowest } = timed(engine);
  const clock = { now: () => Date.now(), elapsed: () => performance.now() };
  const store = new Store(watched, { keepTexts: false, clock });
  await store.probe();
  process.stderr.write(`${label}: filling\n`);
  await fillVolume(engine);
  const later = new Store(watched, {
    keepTexts: false,
    clock: { ...clock, now: () => Date.now() + 31 * DAY },
  });
  const me = store.instances("me");
  await me.start();
  const figures: Figure[] = [];
  let worst = 0;
  const step = async (name: string, work: () => Promise<unknown>, isTimer = true): Promise<void> => {
    Object.assign(slowest, { ms: 0, names: "" });
    const began = performance.now();
    await work();
    const total = performance.now() - began;
    process.stderr.write(
      `${label}: ${name}: ${slowest.ms.toFixed(1)} of ${total.toFixed(0)} ms, ${slowest.names}\n`,
    );
    figures.push(
      figure(`${name}: slowest operation`, "ms", [slowest.ms]),
      figure(`${name}: all`, "ms", [total]),
    );
    worst = isTimer ? Math.max(worst, slowest.ms) : worst;
  };
  const clean = async (of: Store): Promise<void> => {
    for (let slice = 0; slice < SLICES && (await of.retention.deleteOld(ACCOUNT, 30 * DAY)); slice++);
  };
  await step("cleaning, nothing is old", () => clean(store));
  await step("cleaning of duplicates, nothing is old", () => store.forgetDuplicates(30 * DAY));
  await step("events are linked", () => store.deliveries.link(10 * 60_000));
  await step("next due", () => store.backlog.nextDue(ACCOUNT));
  await step("delays are limited", () => store.backlog.limitDelays(ACCOUNT, 120_000));
  let searched = 0;
  for (const [name, filter] of Object.entries(FILTERS)) {
    await step(
      `search, ${name}`,
      () => store.history.search({ account: ACCOUNT, ...filter }, null, 50),
      false,
    );
    searched = Math.max(searched, slowest.ms);
  }
  const besides = await sendBesideSearches(store, ACCOUNT, me.id);
  let deployed = 0;
  const deploy = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    await step(`deploy, ${name}`, work);
    deployed += performance.now() - began;
  };
  await deploy("adoption", () => store.recovery.adopt(me.id, ACCOUNT, NODES));
  await deploy("nodes that are gone", () => store.queue.park(ACCOUNT, NODES));
  await deploy("who waits", () => store.recovery.waiting(ACCOUNT, me.id, 0));
  await deploy("results", () => store.recovery.settled(ACCOUNT, me.id, NODES, 0, 200));
  await step("ten claims, 100000 are due", async () => {
    for (let at = 0; at < 10; at++) {
      await store.claims.claim(ACCOUNT, me.id, 32);
    }
  });
  for (let from = MESSAGES; from < MESSAGES + QUEUED; from += SLICE) {
    await engine.run([{ statement: POSTPONE, values: [40 * DAY, from, from + SLICE] }]);
  }
  await step("what waits for a rule is looked at again", () => store.backlog.lookAgain(ACCOUNT));
  await step("cleaning, all is old", () => clean(later));
  yield {
    situation: `${VOLUME}, ${label}`,
    figures: [
      figure(SLOWEST, "ms", [worst]),
      figure(SEARCHED, "ms", [searched]),
      figure(DEPLOYED, "s", [deployed / 1000]),
      ...besides,
      ...figures,
    ],
  };
}

async function* inEngine(shared: SharedEngine, label: string): AsyncIterable<Situation> {
  try {
    yield* volume(shared.engine, label);
  } finally {
    await shared.release();
  }
}

/** A long history and a long queue: what timers, searches and deploys take of the store's time. */
export const VOLUME_ROW: BenchRow = {
  id: "volume",
  run: async function* () {
    yield* inEngine(await shareSqlite(await temporaryFolder("bench-volume")), "SQLite");
    yield* withPostgresql(async function* ({ url }) {
      const place = { url, schema: "messaging", tls: null, ...PATIENT };
      yield* inEngine(await sharePostgresql(place), "PostgreSQL");
    });
  },
};
