import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import { processTimes } from "../test/support/processor-time";
import { linkInto, ROOT, temporaryFolder } from "../test/support/node-red/packed-package";
import { type PostgresqlServer, startPostgresql } from "../test/support/store/postgresql-server";
import { waitFor } from "../test/support/wait-for";
import type { FlowTask } from "./bench/node-red";
import { openWorker, type Sample, type SampleTask, SMS_PATH, type Worker } from "./bench/processes";

/**
 * Measures the package beside a hand-written loop and Node-RED's own nodes, in turns of one run. `--rows stored,events` selects rows,
 * `--compare <commit>` measures a commit beside this state. A run of all rows writes `docs/contributing/benchmarks.md`.
 */

const ALL_ROWS = "stored,list,postgresql,events,start";
const { values: options } = parseArgs({
  options: {
    rows: { type: "string", default: ALL_ROWS },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    compare: { type: "string" },
  },
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);
const NODES = join(__dirname, "bench", "nodes");
const RECIPIENTS = 100_000;

/** A state of the code, installed for Node-RED. */
interface State {
  readonly name: string;
  readonly packages: string;
}

/** A figure with its goal, as in "≤ 1.7". */
type Row = readonly [figure: string, value: number, unit: string, goal: string];

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

const send = (worker: Worker, inFlight: number) => (): Promise<Sample> =>
  worker.ask<Sample>("sample", { inFlight, seconds: SECONDS } satisfies SampleTask);

const workers: Worker[] = [];
function open(script: string, env: Readonly<Record<string, string>> = {}): Worker {
  const worker = openWorker(script, env);
  workers.push(worker);
  return worker;
}

async function openNodeRed(
  state: State,
  kind: FlowTask["kind"],
  settings: FlowTask["settings"] = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Worker> {
  const worker = open("node-red.ts", env);
  await worker.ask("start", { packages: state.packages, nodes: NODES });
  const storeFolder = await temporaryFolder("bench-store");
  await worker.ask("deploy", { kind, settings: { storeFolder, ...settings } });
  return worker;
}

/** Stored messages beside the loop and beside core's node, in a file and in memory. */
async function measureStored(state: State): Promise<readonly Row[]> {
  const url = await open("stub-service.ts").ask<string>("listen");
  const core = await openNodeRed(state, "core http", { url: `${url}${SMS_PATH}` });
  const rows: Row[] = [];
  for (const [storage, keepMessages] of [
    ["file", "computer"],
    ["memory", "memory"],
  ] as const) {
    const loop = open("loop.ts");
    await loop.ask("start", { url, storage });
    const own = await openNodeRed(state, "sms-send", { serviceAddress: url, connections: 32, keepMessages });
    const many = await takeTurns([own, loop, core].map((worker) => send(worker, 32)));
    const single = await takeTurns([own, loop].map((worker) => send(worker, 1)));
    const added = single((one, other) => 1000 / getRate(one) - 1000 / getRate(other as Sample));
    rows.push(
      [`${storage}: messages`, many(getRate), "/s", ""],
      [`${storage}: processor time`, many(getCpu), "µs", ""],
      [`${storage}: processor time ÷ loop`, many(divide(getCpu, 1)), "", "≤ 1.7"],
      [`${storage}: rate ÷ loop`, many(divide(getRate, 1)), "", "≥ 0.6"],
      [`${storage}: rate ÷ core`, many(divide(getRate, 2)), "", "≥ 4"],
      [`${storage}: processor time ÷ core`, many(divide(getCpu, 2)), "", "≤ 0.25"],
      [`${storage}: one in flight, rate ÷ loop`, single(divide(getRate, 1)), "", "≥ 0.7"],
      [`${storage}: one in flight, added latency`, added, "ms", "≤ 1"],
    );
  }
  return rows;
}

/** One message to many recipients, and the first request after a restart with a full queue. */
async function measureList(state: State): Promise<readonly Row[]> {
  const service = open("stub-service.ts");
  const url = await service.ask<string>("listen");
  const settings = { serviceAddress: url, connections: 32, keepMessages: "computer" };
  const sender = await openNodeRed(state, "sms-send", settings);
  await send(sender, 32)();
  const standstills: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    standstills.push(await sender.ask<number>("sendMany", { recipients: RECIPIENTS }));
  }
  return [
    ["100,000 recipients: longest standstill", Math.max(...standstills), "ms", "≤ 20"],
    ["100,000 queued: first request after a restart", await measureRestart(state), "s", "≤ 1"],
  ];
}

/** Kills a Node-RED with a full queue. @returns seconds from the deploy of the next one to its first request */
async function measureRestart(state: State): Promise<number> {
  const service = open("stub-service.ts");
  const url = await service.ask<string>("listen");
  await service.ask("delay", 3_600_000);
  const folder = await temporaryFolder("bench-queue");
  const settings = { serviceAddress: url, connections: 32, keepMessages: "computer", storeFolder: folder };
  const before = await openNodeRed(state, "sms-send", settings);
  await before.ask("flood", { count: RECIPIENTS });
  const log = join(folder, "messages.db-wal");
  const getAge = (): number => Date.now() - (statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  await waitFor("the queue to be written", () => getAge() > 5_000);
  await before.kill();
  const after = open("node-red.ts");
  await after.ask("start", { packages: state.packages, nodes: NODES });
  const sent = service.ask("next");
  const start = performance.now();
  await Promise.all([sent, after.ask("deploy", { kind: "sms-send", settings })]);
  return (performance.now() - start) / 1000;
}

/** Node-REDs with one database, whose service responds after 20 ms. */
async function measurePostgresql(state: State): Promise<readonly Row[]> {
  const server = await startPostgresql({ max_connections: "100" });
  if (server === null) return [];
  const service = open("stub-service.ts");
  const url = await service.ask<string>("listen");
  await service.ask("delay", 20);
  const settings = { serviceAddress: url, connections: 8, keepMessages: "postgresql" };
  const groups: Worker[][] = [];
  for (const size of [1, 3]) {
    const env = { BENCH_STORE_URL: await server.newDatabase() };
    groups.push(
      await Promise.all(Array.from({ length: size }, () => openNodeRed(state, "sms-send", settings, env))),
    );
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
  return [
    ["PostgreSQL: processor time of the server, a message", figures(({ time }) => time), "µs", "≤ 250"],
    ["PostgreSQL: three Node-REDs ÷ one", figures((one, three) => three.rate / one.rate), "", "≥ 2.2"],
  ];
}

/** @returns µs of all processes of a server */
const getServerTime = (server: PostgresqlServer): number =>
  server.processes().reduce((sum, pid) => {
    const times = processTimes(pid);
    return sum + 1000 * (times ? times.own + times.ended : 0);
  }, 0);

/** Events beside core's node. */
async function measureEvents(state: State): Promise<readonly Row[]> {
  const kinds = ["webhook-in", "core http in"] as const;
  const urls = await Promise.all(kinds.map((kind) => openReceiver(state, kind)));
  const rate = await takeTurns(urls.map((url) => () => callWith(url)));
  return [["event: rate ÷ core http in", rate((own, core) => own / core), "", "≥ 1"]];
}

async function openReceiver(state: State, kind: FlowTask["kind"]): Promise<string> {
  const worker = open("node-red.ts");
  await worker.ask("start", { packages: state.packages, nodes: NODES });
  return `${await worker.ask<string>("deploy", { kind, settings: {} })}/events`;
}

/** @returns events a second */
async function callWith(url: string): Promise<number> {
  const result = await autocannon({
    url,
    method: "POST",
    connections: 32,
    duration: SECONDS,
    headers: { "content-type": "application/json", "x-bench-secret": "only-for-measuring" },
    requests: [
      {
        setupRequest: (request) => {
          const event = { type: "whatsapp", sender: "+41791234567", content: "Yes", id: randomUUID() };
          return { ...request, body: JSON.stringify({ ...event, notificationId: event.id }) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} refused ${result.non2xx} events`);
  return result["2xx"] / result.duration;
}

/** The start of Node-RED with the package and without it. */
async function measureStart(state: State): Promise<readonly Row[]> {
  const empty = await temporaryFolder("bench-empty");
  mkdirSync(join(empty, "node_modules"));
  writeFileSync(join(empty, "package.json"), '{ "name": "empty", "private": true }');
  const added = await takeTurns(
    [state.packages, empty].map((packages) => async () => {
      const worker = open("node-red.ts");
      const figures = await worker.ask<{ ms: number; memory: number }>("start", { packages, nodes: NODES });
      await worker.kill();
      return figures;
    }),
  );
  return [
    ["start: added time", added((own, bare) => own.ms - bare.ms), "ms", "≤ 60"],
    ["start: added memory", added((own, bare) => own.memory - bare.memory) / 1e6, "MB", "≤ 10"],
  ];
}

const MEASUREMENTS: Readonly<Record<string, (state: State) => Promise<readonly Row[]>>> = {
  stored: measureStored,
  list: measureList,
  postgresql: measurePostgresql,
  events: measureEvents,
  start: measureStart,
};

const run = (command: string, parameters: readonly string[], cwd: string): string =>
  execFileSync(command, parameters, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

/** Builds a state and links it into a folder for Node-RED. @param root folder of its sources */
async function install(name: string, root: string): Promise<State> {
  run(join(ROOT, "node_modules", ".bin", "tsx"), ["scripts/build.ts"], root);
  const packages = await temporaryFolder("bench-packages");
  await linkInto(packages, root);
  return { name, packages };
}

async function checkOut(commit: string): Promise<State> {
  const root = await temporaryFolder("bench-commit");
  run("sh", ["-c", `git archive ${commit} | tar -x -C "${root}"`], ROOT);
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  return install(commit, root);
}

const round = (value: number): string => String(Number(value.toPrecision(3)));

/** @returns a Markdown table, a column for each state */
function format(states: readonly State[], results: readonly (readonly Row[])[]): string {
  const head = ["Figure", "Goal", ...states.map(({ name }) => name)];
  const lines = (results[0] ?? []).map(([figure, , unit, goal]) => {
    const values = results.map((rows) => rows.find((row) => row[0] === figure)?.[1]);
    return [`${figure}${unit && `, ${unit}`}`, goal, ...values.map((each) => (each ? round(each) : ""))];
  });
  const cells = [head, ["---", "---", ...states.map(() => "--:")], ...lines];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const INTRODUCTION = `# Benchmarks

\`npm run bench\` writes this page. It measures the package in turns with a hand-written loop of undici and SQLite of the same durability,
and with Node-RED's own nodes. Ratios are medians over rounds of one run. \`--compare <commit>\` measures another commit beside this one.
`;

async function main(): Promise<void> {
  const states = [await install("now", ROOT)];
  if (options.compare !== undefined) states.push(await checkOut(options.compare));
  const results: Row[][] = states.map(() => []);
  for (const name of options.rows.split(",")) {
    const measure = MEASUREMENTS[name];
    if (!measure) throw new Error(`there is no row ${name}: ${Object.keys(MEASUREMENTS).join(", ")}`);
    for (const [at, state] of states.entries()) {
      const rows = await measure(state);
      results[at]?.push(...rows);
      for (const worker of workers.splice(0)) await worker.kill();
      for (const [figure, value, unit, goal] of rows)
        console.log(`${state.name}  ${figure}: ${round(value)} ${unit}  ${goal}`);
    }
  }
  const table = format(states, results);
  console.log(`\n${table}`);
  if (options.compare !== undefined || options.rows !== ALL_ROWS) return;
  const commit = run("git", ["rev-parse", "--short", "HEAD"], ROOT);
  const machine = `Node.js ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"})`;
  const when = new Date().toISOString().slice(0, 10);
  const page = `${INTRODUCTION}\nState ${commit}, ${when}, ${machine}, ${ROUNDS} rounds of ${SECONDS} s.\n\n${table}\n`;
  writeFileSync(join(ROOT, "docs", "contributing", "benchmarks.md"), page);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
