import { execFileSync } from "node:child_process";
import { cpSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import type { Pool } from "workerpool";
import { processTimes } from "../test/support/processor-time";
import { linkInto, ROOT, temporaryFolder } from "../test/support/node-red/packed-package";
import { type PostgresqlServer, startPostgresql } from "../test/support/store/postgresql-server";
import { waitFor } from "../test/support/wait-for";
import type { FlowTask } from "./bench/node-red";
import { openWorker, type Sample, type SampleTask, SMS_PATH } from "./bench/processes";
import { runMain } from "./run-main";

/**
 * Measures the package beside a hand-written loop and Node-RED's own nodes, in turns of one run. `--rows stored,events` selects rows,
 * `--compare <commit>` measures a commit beside this state. A run of all rows writes `docs/contributing/benchmarks.md`.
 */

const { values: options } = parseArgs({
  options: {
    rows: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    compare: { type: "string" },
  },
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);
const RECIPIENTS = 100_000;

/** Lines of the table, by figure and goal. Each state adds a value. */
const table = new Map<string, string[]>();
function record(figure: string, goal: string, value: number): void {
  const values = table.get(`${figure} | ${goal}`) ?? [];
  table.set(`${figure} | ${goal}`, [...values, String(Number(value.toPrecision(3)))]);
}

const getMedian = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const getRate = ({ messages, seconds }: Sample): number => messages / seconds;
const getCpu = ({ messages, cpu }: Sample): number => cpu / messages;

type Get = (sample: Sample) => number;
/** Divides a figure of the first contestant by that of another one. */
const divide =
  (get: Get, other: number) =>
  (...samples: Sample[]): number =>
    get(samples[0] as Sample) / get(samples[other] as Sample);

/** Lets contestants take turns. @returns a function that gives the median over the rounds of a figure of their results */
async function takeTurns<Result>(contestants: readonly (() => Promise<Result>)[]) {
  const rounds: Result[][] = [];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const results: Result[] = [];
    for (const contestant of contestants) results.push(await contestant());
    if (round > 0) rounds.push(results);
  }
  return (get: (...results: Result[]) => number): number => getMedian(rounds.map((round) => get(...round)));
}

const send = (worker: Pool, inFlight: number) => (): Promise<Sample> =>
  worker.exec("sample", [{ inFlight, seconds: SECONDS } satisfies SampleTask]);

const workers: Pool[] = [];
function open(script: string): Pool {
  const worker = openWorker(script);
  workers.push(worker);
  return worker;
}

async function openService(delayMs = 0): Promise<{ service: Pool; url: string }> {
  const service = open("stub-service.ts");
  return { service, url: await service.exec("listen", [delayMs]) };
}

async function openNodeRed(packages: string): Promise<Pool> {
  const worker = open("node-red.ts");
  await worker.exec("start", [await temporaryFolder("bench-user-dir"), packages]);
  return worker;
}

const DEFAULTS = { BENCH_STORAGE: "computer", BENCH_CONNECTIONS: "32" };
const deploy = (worker: Pool, kind: FlowTask["kind"], settings: FlowTask["settings"] = {}) =>
  worker.exec("deploy", [{ kind, settings: { ...DEFAULTS, ...settings } } satisfies FlowTask]);

async function openSender(packages: string, settings: FlowTask["settings"]): Promise<Pool> {
  const worker = await openNodeRed(packages);
  const BENCH_FOLDER = await temporaryFolder("bench-store");
  await deploy(worker, "messaging-sms-send", { BENCH_FOLDER, ...settings });
  return worker;
}

/** Stored messages beside the loop and beside core's node, in a file and in memory. */
async function measureStored(packages: string): Promise<void> {
  const { url } = await openService();
  const core = await openNodeRed(packages);
  await deploy(core, "core http", { BENCH_URL: `${url}${SMS_PATH}` });
  for (const storage of ["file", "memory"]) {
    const loop = open("loop.ts");
    const file = storage === "file" ? join(await temporaryFolder("bench-loop"), "messages.db") : null;
    await loop.exec("start", [{ url, file }]);
    const BENCH_STORAGE = storage === "file" ? "computer" : "memory";
    const own = await openSender(packages, { BENCH_URL: url, BENCH_STORAGE });
    const many = await takeTurns([own, loop, core].map((worker) => send(worker, 32)));
    record(`${storage}: processor time ÷ loop`, "≤ 1.7", many(divide(getCpu, 1)));
    record(`${storage}: rate ÷ loop`, "≥ 0.6", many(divide(getRate, 1)));
    record(`${storage}: rate ÷ core`, "≥ 4", many(divide(getRate, 2)));
    record(`${storage}: processor time ÷ core`, "≤ 0.25", many(divide(getCpu, 2)));
    if (storage === "memory") continue;
    const single = await takeTurns([own, loop].map((worker) => send(worker, 1)));
    record("file: one in flight, rate ÷ loop", "≥ 0.7", single(divide(getRate, 1)));
    const added = single((one, other) => 1000 / getRate(one) - 1000 / getRate(other as Sample));
    record("file: one in flight, added latency, ms", "≤ 1", added);
  }
}

/** One message to many recipients. */
async function measureList(packages: string): Promise<void> {
  const { url } = await openService();
  const sender = await openSender(packages, { BENCH_URL: url });
  await send(sender, 32)();
  const standstills: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    standstills.push(await sender.exec("sendMany", [RECIPIENTS]));
  }
  record("100,000 recipients: longest standstill, ms", "≤ 20", Math.max(...standstills));
}

/** The first request after a restart with a full queue. */
async function measureRestart(packages: string): Promise<void> {
  const { service, url } = await openService(3_600_000);
  const settings = { BENCH_URL: url, BENCH_FOLDER: await temporaryFolder("bench-queue") };
  const before = await openSender(packages, settings);
  await before.exec("flood", [RECIPIENTS]);
  const log = join(settings.BENCH_FOLDER, "messages.db-wal");
  const getAge = (): number => Date.now() - (statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  await waitFor("the queue to be written", () => getAge() > 5_000);
  await before.terminate(true);
  const after = await openNodeRed(packages);
  const sent = service.exec("next");
  const start = performance.now();
  await Promise.all([sent, deploy(after, "messaging-sms-send", settings)]);
  record("100,000 queued: first request after a restart, s", "≤ 1", (performance.now() - start) / 1000);
}

/** Node-REDs with one database, whose service responds after 20 ms. */
async function measurePostgresql(packages: string): Promise<void> {
  const server = await startPostgresql({ max_connections: "100" });
  if (server === null) return;
  const { url } = await openService(20);
  const settings = { BENCH_URL: url, BENCH_STORAGE: "postgresql", BENCH_CONNECTIONS: "8" };
  const groups: Pool[][] = [];
  for (const size of [1, 3]) {
    const database = { ...settings, BENCH_DATABASE: await server.newDatabase() };
    groups.push(await Promise.all(Array.from({ length: size }, () => openSender(packages, database))));
  }
  const figures = await takeTurns(
    groups.map((group) => async () => {
      const start = getServerTime(server);
      const samples = await Promise.all(group.map((worker) => send(worker, 32)()));
      const sum = (get: Get): number => samples.reduce((all, each) => all + get(each), 0);
      return { rate: sum(getRate), time: (getServerTime(server) - start) / sum(({ messages }) => messages) };
    }),
  );
  await server.remove();
  const time = figures((one) => one.time);
  record("PostgreSQL: processor time of the server, µs a message", "≤ 250", time);
  const rate = figures((one, three) => three.rate / one.rate);
  record("PostgreSQL: three Node-REDs ÷ one", "≥ 2.2", rate);
}

/** @returns µs of all processes of a server */
const getServerTime = (server: PostgresqlServer): number =>
  server.processes().reduce((sum, pid) => {
    const times = processTimes(pid);
    return sum + 1000 * (times ? times.own + times.ended : 0);
  }, 0);

/** Events beside core's node. */
async function measureEvents(packages: string): Promise<void> {
  const kinds = ["messaging-webhook-in", "core http in"] as const;
  const urls = await Promise.all(
    kinds.map(async (kind): Promise<string> => deploy(await openNodeRed(packages), kind)),
  );
  const rate = await takeTurns(urls.map((url) => () => callWith(`${url}/events`)));
  record(
    "event: rate ÷ core http in",
    "≥ 1",
    rate((own, core) => own / (core as number)),
  );
}

const EVENT = { type: "whatsapp", sender: "+41791234567", content: "Yes", notificationId: "[<id>]" };

/** @returns events a second */
async function callWith(url: string): Promise<number> {
  const result = await autocannon({
    url,
    method: "POST",
    connections: 32,
    duration: SECONDS,
    headers: { "content-type": "application/json", "x-bench-secret": "only-for-measuring" },
    body: JSON.stringify(EVENT),
    idReplacement: true,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} refused ${result.non2xx} events`);
  return result["2xx"] / result.duration;
}

/** The start of Node-RED with the package and without it. */
async function measureStart(packages: string): Promise<void> {
  const empty = await temporaryFolder("bench-empty");
  const added = await takeTurns(
    [packages, empty].map((folder) => async (): Promise<{ ms: number; memory: number }> => {
      const worker = open("node-red.ts");
      const figures = await worker.exec("start", [await temporaryFolder("bench-user-dir"), folder]);
      await worker.terminate(true);
      return figures;
    }),
  );
  record(
    "start: added time, ms",
    "≤ 60",
    added((own, bare) => own.ms - bare.ms),
  );
  record("start: added memory, MB", "≤ 10", added((own, bare) => own.memory - bare.memory) / 1e6);
}

const MEASUREMENTS: Readonly<Record<string, (packages: string) => Promise<void>>> = {
  stored: measureStored,
  list: measureList,
  restart: measureRestart,
  postgresql: measurePostgresql,
  events: measureEvents,
  start: measureStart,
};

const run = (command: string, parameters: readonly string[], cwd: string): string =>
  execFileSync(command, parameters, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** Builds sources and links them. @returns folder of nodes for Node-RED */
async function install(root: string): Promise<string> {
  run(join(ROOT, "node_modules", ".bin", "tsx"), ["scripts/build.ts"], root);
  const packages = await temporaryFolder("bench-packages");
  await linkInto(packages, root);
  cpSync(join(__dirname, "bench", "nodes"), join(packages, "nodes"), { recursive: true });
  return packages;
}

async function checkOut(commit: string): Promise<string> {
  const root = await temporaryFolder("bench-commit");
  run("sh", ["-c", `git archive ${commit} | tar -x -C "${root}"`], ROOT);
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  return install(root);
}

const INTRODUCTION = `# Benchmarks

\`npm run bench\` writes this page. It measures the package in turns with a hand-written loop of undici and SQLite of the same durability,
and with Node-RED's own nodes. Ratios are medians over rounds of one run. \`--compare <commit>\` measures another commit beside this one.
`;

async function main(): Promise<number> {
  const states = new Map([["now", await install(ROOT)]]);
  if (options.compare !== undefined) states.set(options.compare, await checkOut(options.compare));
  for (const name of options.rows?.split(",") ?? Object.keys(MEASUREMENTS)) {
    const measure = MEASUREMENTS[name];
    if (!measure) throw new Error(`there is no row ${name}: ${Object.keys(MEASUREMENTS).join(", ")}`);
    for (const packages of states.values()) {
      await measure(packages);
      for (const worker of workers.splice(0)) await worker.terminate(true);
    }
    console.log(`measured ${name}`);
  }
  const names = [...states.keys()];
  const head = [["Figure | Goal", names] as const, ["--- | ---", names.map(() => "--:")] as const];
  const lines = [...head, ...table].map(([start, cells]) => `| ${start} | ${cells.join(" | ")} |`).join("\n");
  console.log(`\n${lines}`);
  if (options.compare !== undefined || options.rows !== undefined) return 0;
  const commit = run("git", ["rev-parse", "--short", "HEAD"], ROOT);
  const machine = `Node.js ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"})`;
  const when = new Date().toISOString().slice(0, 10);
  const page = `${INTRODUCTION}\nState ${commit}, ${when}, ${machine}, ${ROUNDS} rounds of ${SECONDS} s.\n\n${lines}\n`;
  writeFileSync(join(ROOT, "docs", "contributing", "benchmarks.md"), page);
  return 0;
}

runMain(main);
