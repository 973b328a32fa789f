import { ROOT, temporaryFolder } from "../../../test/support/node-red/packed-package";
import { statSync } from "node:fs";
import { join } from "node:path";
import { packagesFolder } from "../packages";
import { memoryFolder } from "../../../test/support/memory-folder";
import { commitTime } from "../disk";
import { bundleLedger } from "../ledger-bundle";
import type { LedgerSample } from "../processes/ledger-process";
import {
  LEDGER,
  STORED_BULK,
  STORED_LOAD,
  STORED_ONE,
  STORED_REPORTED,
  STORED_RESTART,
  UNSYNCED_LOAD,
} from "../goals";
import type { BenchOptions } from "../options";
import { assertAccepted, cpu, load, rate } from "../load";
import type { BulkSample, LoadSample } from "../processes/send-process";
import type { SeenRecipients } from "../processes/stub-gateway-process";
import type { SendClientName } from "../send-clients";
import { Sending } from "../sending";
import { figure, shuffled } from "../statistics";
import { Worker } from "../worker";
import type { BenchRow, Figure, Situation } from "./row";

const MB = 1e6;
const WARM_UP_SECONDS = 5;
const RECIPIENTS = 1_000_000;
const QUEUED = 100_000;
const CONNECTIONS = 32;
/** Requests a second that keep a queue as it is. */
const STANDING = 0.001;
/** Messages of one sample of the store alone. */
const LEDGER_MESSAGES = 10_000;

const MEMORY: SendClientName = "sms-send";
const STORED: SendClientName = "sms-send stored";

/** A client that has sent for a while. */
async function ready(
  sending: Sending,
  name: SendClientName,
  env: Readonly<Record<string, string>> = {},
): Promise<Worker> {
  const worker = await sending.client(name, env);
  await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
  await worker.ask("sample", { inFlight: CONNECTIONS, seconds: WARM_UP_SECONDS });
  return worker;
}

const UNSYNCED = "in a file without a disk";
type Kind = "memory" | "stored" | typeof UNSYNCED;

async function* sends(sending: Sending, options: BenchOptions): AsyncIterable<Situation> {
  const workers: [Kind, Worker][] = [
    ["memory", await ready(sending, MEMORY)],
    ["stored", await ready(sending, STORED)],
  ];
  const folder = memoryFolder("bench-store");
  if (folder !== null) {
    workers.push([UNSYNCED, await ready(sending, STORED, { BENCH_STORE: folder })]);
  }
  for (const [situation, inFlight] of [
    [STORED_LOAD, CONNECTIONS],
    [STORED_ONE, 1],
  ] as const) {
    const commits = [await commitTime()];
    const samples = await load(workers, inFlight, options);
    commits.push(await commitTime());
    const of = (kind: Kind): readonly LoadSample[] => samples.get(kind) ?? [];
    const against = (
      kind: Kind,
      name: string,
      unit: string,
      compared: (one: LoadSample, other: LoadSample) => number,
    ): Figure =>
      figure(
        name,
        unit,
        of(kind).map((sample, round) => compared(sample, of("memory")[round] as LoadSample)),
      );
    const ratio = (one: LoadSample, other: LoadSample): number => rate(one) / rate(other);
    const common = workers.flatMap(([kind]) => [
      figure(kind, "messages/s", of(kind).map(rate)),
      figure(`${kind} CPU`, "µs/message", of(kind).map(cpu)),
    ]);
    const standstill = (name: string, kind: Kind): Figure =>
      figure(
        name,
        "ms",
        of(kind).map((sample) => sample.standstill.own),
      );
    yield {
      situation,
      figures: [
        figure("a commit of the disk", "ms", commits),
        ...common,
        ...(inFlight === 1
          ? [against("stored", "added latency", "ms", (one, other) => 1000 / rate(one) - 1000 / rate(other))]
          : [
              against("stored", "stored ÷ memory", "", ratio),
              standstill("longest standstill", "stored"),
              standstill("longest standstill in memory mode", "memory"),
            ]),
      ],
    };
    if (inFlight !== 1 && folder !== null) {
      yield { situation: UNSYNCED_LOAD, figures: [against(UNSYNCED, "stored ÷ memory", "", ratio)] };
    }
  }
}

/** The same with a report of each message: until the last report is taken. */
async function reported(sending: Sending, { rounds, seconds }: BenchOptions): Promise<Situation> {
  const kinds = [
    ["memory", "sms-send memory reported"],
    ["stored", "sms-send stored reported"],
  ] as const satisfies readonly (readonly [Kind, SendClientName])[];
  const workers: (readonly [Kind, Worker, string])[] = [];
  for (const [kind, name] of kinds) {
    const worker = await ready(sending, name);
    workers.push([kind, worker, await worker.ask<string>("webhook")]);
  }
  const rates = new Map<Kind, number[]>(kinds.map(([kind]) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, worker, webhook] of shuffled(workers)) {
      await sending.gateway.ask("report", webhook);
      const began = performance.now();
      const sample = await worker.ask<LoadSample>("load", { inFlight: CONNECTIONS, seconds });
      const refused = await sending.gateway.ask<number>("reported");
      assertAccepted(sample);
      if (refused > 0) {
        throw new Error(`${refused} reports were not accepted`);
      }
      rates.get(kind)?.push((sample.messages * 1000) / (performance.now() - began));
    }
  }
  await sending.gateway.ask("report", null);
  for (const [, worker] of workers) {
    await worker.stop();
  }
  const [memory, stored] = kinds.map(([kind]) => rates.get(kind) ?? []) as [number[], number[]];
  return {
    situation: STORED_REPORTED,
    figures: [
      figure("memory", "messages/s", memory),
      figure("stored", "messages/s", stored),
      figure(
        "stored ÷ memory",
        "",
        stored.map((value, round) => value / (memory[round] as number)),
      ),
    ],
  };
}

/** The store without Node-RED and service. */
async function ledger({ rounds }: BenchOptions): Promise<Situation> {
  const place = await temporaryFolder("bench-ledger");
  const worker = new Worker("ledger-process.ts");
  try {
    await worker.ask("open", { modules: bundleLedger(ROOT, await packagesFolder()), place });
    const size = async (): Promise<number> => {
      await worker.ask("settleDown");
      return statSync(join(place, "messages.db")).size;
    };
    const sample = (): Promise<LedgerSample> =>
      worker.ask<LedgerSample>("sample", { messages: LEDGER_MESSAGES, queued: false });
    await sample();
    const sizes = [await size()];
    const used: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { messages, cpu: time } = await sample();
      used.push(time / messages);
      sizes.push(await size());
    }
    const grown = sizes.slice(1).map((now, at) => (now - (sizes[at] as number)) / LEDGER_MESSAGES);
    return {
      situation: LEDGER,
      figures: [figure("CPU", "µs/message", used), figure("kept of a message", "bytes", grown)],
    };
  } finally {
    await worker.stop();
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
    yield await reported(sending, options);
    yield await ledger(options);
    yield await bulk(sending, options);
    yield await restart(sending, options);
  } finally {
    await sending.end();
  }
}

/** The same messages with and without a store, side by side. */
export const STORE_ROW: BenchRow = { id: "store", run };
