import { type PostgresqlServer, startPostgresql } from "../../../test/support/store/postgresql-server";
import { INSTANCES_LATENCY, INSTANCES_LOAD } from "../goals";
import { assertAccepted, difference } from "../load";
import type { BenchOptions } from "../options";
import type { LatencyTask, LoadSample } from "../processes/send-process";
import { timeOf } from "../processor-time";
import type { SendClientName } from "../send-clients";
import { Sending } from "../sending";
import { figure, median, shuffled } from "../statistics";
import type { Worker } from "../worker";
import type { BenchRow, Figure, Situation } from "./row";

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
  readonly server: number;
  readonly service: number;
}

async function together(
  workers: readonly Worker[],
  seconds: number,
  others: () => Promise<Record<"server" | "service", number>>,
): Promise<GroupSample> {
  const before = await others();
  const samples = await Promise.all(
    workers.map((worker) => worker.ask<LoadSample>("load", { inFlight: IN_FLIGHT, seconds })),
  );
  const after = await others();
  const sum = (of: (sample: LoadSample) => number): number =>
    samples.reduce((all, each) => all + of(each), 0);
  for (const sample of samples) {
    assertAccepted(sample);
  }
  const messages = sum((sample) => sample.messages);
  return {
    rate: messages / Math.max(...samples.map((sample) => sample.seconds)),
    messages,
    cpu: sum(({ cpu }) => cpu),
    thread: sum(({ thread }) => thread),
    ...difference(after, before),
  };
}

async function start(
  sending: Sending,
  name: SendClientName,
  count: number,
  url: string,
): Promise<readonly Worker[]> {
  const workers: Worker[] = [];
  for (let each = 0; each < count; each++) {
    const worker = await sending.client(name, { BENCH_STORE_URL: url });
    await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
    workers.push(worker);
  }
  await Promise.all(
    workers.map((worker) => worker.ask("sample", { inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS })),
  );
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
  const others = async (): Promise<Record<"server" | "service", number>> => ({
    server: timeOf(server.processes()),
    service: await sending.gateway.ask<number>("cpu"),
  });
  const samples = new Map<Group, GroupSample[]>(GROUPS.map((group) => [group, []]));
  for (let round = 0; round < rounds; round++) {
    for (const group of shuffled([...GROUPS])) {
      samples.get(group)?.push(await together(members.get(group) ?? [], seconds, others));
    }
  }
  for (const worker of [...members.values()].flat()) {
    await worker.stop();
  }
  const of = (group: Group): readonly GroupSample[] => samples.get(group) ?? [];
  const figures: Figure[] = GROUPS.flatMap((group) => {
    const part = (what: string, time: (sample: GroupSample) => number): Figure =>
      figure(
        `${group}: CPU ${what}`,
        "µs/message",
        of(group).map((sample) => time(sample) / sample.messages),
      );
    return [
      figure(
        group,
        "messages/s",
        of(group).map((sample) => sample.rate),
      ),
      part("of the Node-REDs", ({ cpu }) => cpu),
      part("of their main threads", ({ thread }) => thread),
      part("of the server", ({ server: time }) => time),
      part("of the service", ({ service }) => service),
    ];
  });
  const ratio = (group: Group): Figure =>
    figure(
      `${group} ÷ one`,
      "",
      of(group).map((sample, round) => sample.rate / (of("one")[round] as GroupSample).rate),
    );
  return { situation: INSTANCES_LOAD, figures: [...figures, ratio("two"), ratio("three")] };
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
  const clients = [
    ["memory", "sms-send"],
    ["PostgreSQL", "sms-send postgresql"],
  ] as const;
  const url = await server.newDatabase();
  const workers: (readonly [string, Worker])[] = [];
  for (const [kind, name] of clients) {
    workers.push([kind, (await start(sending, name, 1, url))[0] as Worker]);
  }
  const taken = new Map<string, number[][]>(clients.map(([kind]) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, worker] of shuffled(workers)) {
      taken.get(kind)?.push(await worker.ask<number[]>("latencies", LIGHT));
    }
  }
  const rows = clients.map(([kind]) => [kind, taken.get(kind) ?? []] as const);
  const added = (taken.get("PostgreSQL") ?? []).map(
    (times, round) => median(times) - median(taken.get("memory")?.[round] ?? []),
  );
  return {
    situation: INSTANCES_LATENCY,
    figures: [
      ...rows.flatMap(([kind, all]) => [
        figure(`${kind}: median`, "ms", all.map(median)),
        // Of all rounds together: one has too few messages for it.
        { name: `${kind}: 99 of 100`, value: percentile(all.flat(), 99), unit: "ms" },
      ]),
      figure("added by PostgreSQL", "ms", added),
    ],
  };
}

async function* run(options: BenchOptions): AsyncIterable<Situation> {
  const server = await startPostgresql({ max_connections: "100" });
  if (server === null) {
    return;
  }
  try {
    const sending = await Sending.begin();
    try {
      await sending.gateway.ask("delay", SERVICE);
      yield await groups(sending, server, options);
      yield await latency(sending, server, options);
    } finally {
      await sending.end();
    }
  } finally {
    await server.remove();
  }
}

/** Several Node-REDs that share an account in PostgreSQL, against one; and what PostgreSQL adds to the time of a message. */
export const INSTANCES_ROW: BenchRow = { id: "instances", run };
