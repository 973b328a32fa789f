import { temporaryFolder } from "../../../test/support/node-red/packed-package";
import { STORED_BULK, STORED_LOAD, STORED_ONE, STORED_RESTART } from "../goals";
import type { BenchOptions } from "../options";
import { cpu, load, rate } from "../load";
import type { BulkSample, LoadSample } from "../processes/send-process";
import type { SeenRecipients } from "../processes/stub-gateway-process";
import type { SendClientName } from "../send-clients";
import { Sending } from "../sending";
import { figure } from "../statistics";
import type { Worker } from "../worker";
import type { BenchRow, Figure, Situation } from "./row";

const MB = 1e6;
const WARM_UP_SECONDS = 5;
const RECIPIENTS = 1_000_000;
const QUEUED = 100_000;
const CONNECTIONS = 32;
/** Requests a second that keep a queue as it is. */
const STANDING = 0.001;

const MEMORY: SendClientName = "sms-send";
const STORED: SendClientName = "sms-send stored";

async function* sends(sending: Sending, options: BenchOptions): AsyncIterable<Situation> {
  const workers: [SendClientName, Worker][] = [];
  for (const name of [MEMORY, STORED]) {
    const worker = await sending.client(name);
    await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
    await worker.ask("sample", { inFlight: CONNECTIONS, seconds: WARM_UP_SECONDS });
    workers.push([name, worker]);
  }
  for (const [situation, inFlight] of [
    [STORED_LOAD, CONNECTIONS],
    [STORED_ONE, 1],
  ] as const) {
    const samples = await load(workers, inFlight, options);
    const memory = samples.get(MEMORY) ?? [];
    const stored = samples.get(STORED) ?? [];
    const pairs = <Result>(of: (one: LoadSample, other: LoadSample) => Result): Result[] =>
      stored.map((sample, round) => of(sample, memory[round] as LoadSample));
    const figures: Figure[] = [
      figure("memory", "messages/s", memory.map(rate)),
      figure("stored", "messages/s", stored.map(rate)),
      figure("memory CPU", "µs/message", memory.map(cpu)),
      figure("stored CPU", "µs/message", stored.map(cpu)),
    ];
    yield {
      situation,
      figures:
        inFlight === 1
          ? [
              ...figures,
              figure(
                "added latency",
                "ms",
                pairs((one, other) => 1000 / rate(one) - 1000 / rate(other)),
              ),
            ]
          : [
              ...figures,
              figure(
                "stored ÷ memory",
                "",
                pairs((one, other) => rate(one) / rate(other)),
              ),
              figure(
                "longest standstill",
                "ms",
                stored.map(({ standstill }) => standstill.own),
              ),
              figure(
                "longest standstill in memory mode",
                "ms",
                memory.map(({ standstill }) => standstill.own),
              ),
            ],
    };
  }
}

async function bulk(sending: Sending, { rounds }: BenchOptions): Promise<Situation> {
  const samples: (BulkSample & { readonly seen: SeenRecipients })[] = [];
  for (let round = 0; round < Math.min(3, rounds); round++) {
    const worker = await sending.client(STORED);
    await worker.ask("prepare", { url: sending.addresses.http, connections: 8 });
    await worker.ask("burst", 500);
    await sending.gateway.ask("expect", RECIPIENTS);
    const sample = await worker.ask<BulkSample>("bulk", RECIPIENTS);
    samples.push({ ...sample, seen: await sending.gateway.ask<SeenRecipients>("seen") });
    await worker.stop();
  }
  const of = (name: string, unit: string, what: (sample: BulkSample) => number): Figure =>
    figure(name, unit, samples.map(what));
  return {
    situation: STORED_BULK,
    figures: [
      of("time to accept", "s", ({ first }) => first.seconds),
      of("memory growth to accept", "MB", ({ first }) => first.growth / MB),
      of("time", "s", ({ seconds }) => seconds),
      of("memory growth", "MB", ({ growth }) => growth / MB),
      of("longest standstill", "ms", ({ standstill }) => standstill.own),
      of("failed", "batches", ({ failed }) => failed),
      {
        name: "recipients not reached exactly once",
        value: Math.max(...samples.map(({ seen }) => seen.never + seen.moreOften)),
        unit: "",
      },
    ],
  };
}

async function restart(sending: Sending, { rounds }: BenchOptions): Promise<Situation> {
  const resumed: number[] = [];
  const url = sending.addresses.http;
  for (let round = 0; round < Math.min(3, rounds); round++) {
    const env = { BENCH_STORE: await temporaryFolder("bench-store") };
    const client: SendClientName = "whatsapp-send stored";
    const before = await sending.client(client, env);
    await before.ask("prepare", { url, connections: 1, rate: STANDING });
    // Its first result comes when all of them are in the store.
    await before.ask("accept", QUEUED);
    await before.kill();
    const after = await sending.client(client, env);
    resumed.push(await after.ask<number>("resume", { url, connections: CONNECTIONS }));
    await after.kill();
  }
  return { situation: STORED_RESTART, figures: [figure("time to the first send", "s", resumed)] };
}

async function* run(options: BenchOptions): AsyncIterable<Situation> {
  const sending = await Sending.begin();
  try {
    yield* sends(sending, options);
    yield await bulk(sending, options);
    yield await restart(sending, options);
  } finally {
    await sending.end();
  }
}

/** The same messages with and without a store, side by side. */
export const STORE_ROW: BenchRow = { id: "store", run };
