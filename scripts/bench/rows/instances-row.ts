import type { PostgresqlServer } from "../../../test/support/store/postgresql-server";
import { INSTANCES_LATENCY, INSTANCES_LOAD } from "../report/goals";
import { loadSample, type Others, withOthers } from "../load";
import type { BenchOptions } from "../options";
import type { LatencyTask, LoadSample } from "../processes/send-process";
import type { SendClientName } from "../send-clients";
import { type Sending, withPostgresql, withSending } from "../sending";
import { figure, figuresAgainst, figuresOf, inTurns, median, ratioOf } from "../report/statistics";
import type { Worker } from "../worker";
import type { BenchRow, Situation } from "./row";

const WARM_UP_SECONDS = 3;
const CONNECTIONS = 8;
/** Messages of each Node-RED that wait or are at the service: there is always one for a free connection. */
const IN_FLIGHT = 32;
/** ms for which the service holds each request. */
const SERVICE = 20;
/** Messages of one latency sample. */
const LIGHT: LatencyTask = { messages: 50, pause: 20 };

const GROUPS = ["one", "two", "three"] as const;
type Group = (typeof GROUPS)[number];

interface GroupSample {
  readonly rate: number;
  readonly messages: number;
  /** µs of processor time of all Node-REDs, and of their main threads. */
  readonly cpu: number;
  readonly thread: number;
}

async function together(workers: readonly Worker[], seconds: number): Promise<GroupSample> {
  const samples = await Promise.all(workers.map((worker) => loadSample(worker, IN_FLIGHT, seconds)));
  const sum = (of: (sample: LoadSample) => number): number =>
    samples.reduce((all, each) => all + of(each), 0);
  const messages = sum((sample) => sample.messages);
  return {
    rate: messages / Math.max(...samples.map((sample) => sample.seconds)),
    messages,
    cpu: sum(({ cpu }) => cpu),
    thread: sum(({ thread }) => thread),
  };
}

/** So many Node-REDs that share a database, and have sent for a while. */
async function start(
  sending: Sending,
  name: SendClientName,
  count: number,
  url: string,
): Promise<readonly Worker[]> {
  const env = { BENCH_STORE_URL: url };
  const preparation = { connections: CONNECTIONS, inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS, env };
  const workers: Worker[] = [];
  while (workers.length < count) {
    workers.push(await sending.ready(name, preparation));
  }
  return workers;
}

async function groups(
  sending: Sending,
  server: PostgresqlServer,
  { rounds, seconds }: BenchOptions,
): Promise<Situation> {
  // A group has a database of its own: the Node-REDs of another one would take part of its work.
  const members = new Map<Group, readonly Worker[]>();
  for (const [at, group] of GROUPS.entries()) {
    members.set(group, await start(sending, "sms-send postgresql", at + 1, await server.newDatabase()));
  }
  const samplesOf = await inTurns(GROUPS, rounds, (group) =>
    withOthers(sending, server, () => together(members.get(group) ?? [], seconds)),
  );
  for (const worker of [...members.values()].flat()) {
    await worker.stop();
  }
  const figures = GROUPS.flatMap((group) => {
    const of = figuresOf<GroupSample & Others>(samplesOf(group));
    return [
      of(group, "messages/s", ({ rate }) => rate),
      of(`${group}: CPU of the Node-REDs`, "µs/message", ({ cpu, messages }) => cpu / messages),
      of(`${group}: CPU of their main threads`, "µs/message", ({ thread, messages }) => thread / messages),
      of(`${group}: CPU of the server`, "µs/message", ({ server: time, messages }) => time / messages),
      of(`${group}: CPU of the service`, "µs/message", ({ service, messages }) => service / messages),
    ];
  });
  const ratios = (["two", "three"] as const).map((group) =>
    figuresAgainst(samplesOf(group), samplesOf("one"))(
      `${group} ÷ one`,
      "",
      ratioOf(({ rate }) => rate),
    ),
  );
  return { situation: INSTANCES_LOAD, figures: [...figures, ...ratios] };
}

/** The value below which so many of a hundred are. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

async function latency(
  sending: Sending,
  server: PostgresqlServer,
  { rounds }: BenchOptions,
): Promise<Situation> {
  const clients = { memory: "sms-send", PostgreSQL: "sms-send postgresql" } as const;
  const kinds = ["memory", "PostgreSQL"] as const;
  const url = await server.newDatabase();
  const workers = new Map<string, Worker>();
  for (const kind of kinds) {
    workers.set(kind, (await start(sending, clients[kind], 1, url))[0] as Worker);
  }
  const timesOf = await inTurns(kinds, rounds, (kind) =>
    (workers.get(kind) as Worker).ask<number[]>("latencies", LIGHT),
  );
  const against = figuresAgainst(timesOf("PostgreSQL"), timesOf("memory"));
  return {
    situation: INSTANCES_LATENCY,
    figures: [
      ...kinds.flatMap((kind) => [
        figure(`${kind}: median`, "ms", timesOf(kind).map(median)),
        // Of all rounds together: one has too few messages for it.
        { name: `${kind}: 99 of 100`, value: percentile(timesOf(kind).flat(), 99), unit: "ms" },
      ]),
      against("added by PostgreSQL", "ms", (stored, memory) => median(stored) - median(memory)),
    ],
  };
}

/** Several Node-REDs that share an account in PostgreSQL, against one; and what PostgreSQL adds to the time of a message. */
export const INSTANCES_ROW: BenchRow = {
  id: "instances",
  run: (options) =>
    withPostgresql(
      (server) =>
        withSending(async function* (sending) {
          await sending.gateway.ask("delay", SERVICE);
          yield await groups(sending, server, options);
          yield await latency(sending, server, options);
        }),
      { max_connections: "100" },
    ),
};
