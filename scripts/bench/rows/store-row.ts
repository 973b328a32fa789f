import { statSync } from "node:fs";
import { join } from "node:path";
import { memoryFolder } from "../../../test/support/memory-folder";
import { ROOT, temporaryFolder } from "../../../test/support/node-red/packed-package";
import { commitTime } from "../disk";
import {
  FIRST_SEND,
  LEDGER,
  STORED_BULK,
  STORED_LOAD,
  STORED_ONE,
  STORED_REPORTED,
  STORED_RESTART,
  UNSYNCED_LOAD,
} from "../report/goals";
import { bundleLedger } from "../ledger-bundle";
import { addedLatency, cpu, load, loadSample, rate } from "../load";
import type { BenchOptions } from "../options";
import { packagesFolder } from "../packages";
import type { LedgerSample } from "../processes/ledger-process";
import type { SendClientName } from "../send-clients";
import { type BulkMeasured, type Sending, withSending } from "../sending";
import { figure, figuresAgainst, figuresOf, inTurns, ratioOf } from "../report/statistics";
import { Worker } from "../worker";
import { MB, notReachedOnce } from "./bulk-row";
import type { BenchRow, Situation } from "./row";

/** Messages that wait when a process ends. */
export const QUEUED = 100_000;
/** Requests a second that keep a queue as it is. */
export const STANDING = 0.001;
const CONNECTIONS = 32;
const PREPARATION = { connections: CONNECTIONS, seconds: 5 };
/** Messages of one sample of the store alone. */
const LEDGER_MESSAGES = 10_000;

const MEMORY: SendClientName = "sms-send";
const STORED: SendClientName = "sms-send stored";
const UNSYNCED = "in a file without a disk";

async function* sends(sending: Sending, options: BenchOptions): AsyncIterable<Situation> {
  const workers = new Map([
    ["memory", await sending.ready(MEMORY, PREPARATION)],
    ["stored", await sending.ready(STORED, PREPARATION)],
  ]);
  const folder = memoryFolder("bench-store");
  if (folder !== null) {
    workers.set(UNSYNCED, await sending.ready(STORED, { ...PREPARATION, env: { BENCH_STORE: folder } }));
  }
  for (const [situation, inFlight] of [
    [STORED_LOAD, CONNECTIONS],
    [STORED_ONE, 1],
  ] as const) {
    const commits = [await commitTime()];
    const samplesOf = await load(workers, inFlight, options);
    commits.push(await commitTime());
    const [memory, stored] = [figuresOf(samplesOf("memory")), figuresOf(samplesOf("stored"))];
    const against = figuresAgainst(samplesOf("stored"), samplesOf("memory"));
    const common = [...workers.keys()].flatMap((kind) => {
      const of = figuresOf(samplesOf(kind));
      return [of(kind, "messages/s", rate), of(`${kind} CPU`, "µs/message", cpu)];
    });
    const compared =
      inFlight === 1
        ? [against("added latency", "ms", addedLatency)]
        : [
            against("stored ÷ memory", "", ratioOf(rate)),
            stored("longest standstill", "ms", ({ standstill }) => standstill.own),
            memory("longest standstill in memory mode", "ms", ({ standstill }) => standstill.own),
          ];
    yield { situation, figures: [figure("a commit of the disk", "ms", commits), ...common, ...compared] };
    if (inFlight !== 1 && folder !== null) {
      const unsynced = figuresAgainst(samplesOf(UNSYNCED), samplesOf("memory"));
      yield { situation: UNSYNCED_LOAD, figures: [unsynced("stored ÷ memory", "", ratioOf(rate))] };
    }
  }
}

/** The same with a report of each message: until the last report is taken. */
async function reported(sending: Sending, { rounds, seconds }: BenchOptions): Promise<Situation> {
  const workers = new Map<string, readonly [Worker, webhook: string]>();
  for (const [kind, name] of [
    ["memory", "sms-send memory reported"],
    ["stored", "sms-send stored reported"],
  ] as const satisfies readonly (readonly [string, SendClientName])[]) {
    const worker = await sending.ready(name, PREPARATION);
    workers.set(kind, [worker, await worker.ask<string>("webhook")]);
  }
  const ratesOf = await inTurns([...workers.keys()], rounds, async (kind) => {
    const [worker, webhook] = workers.get(kind) as readonly [Worker, string];
    await sending.gateway.ask("report", webhook);
    const began = performance.now();
    const { messages } = await loadSample(worker, CONNECTIONS, seconds);
    const refused = await sending.gateway.ask<number>("reported");
    if (refused > 0) {
      throw new Error(`${refused} reports were not accepted`);
    }
    return (messages * 1000) / (performance.now() - began);
  });
  await sending.gateway.ask("report", null);
  for (const [worker] of workers.values()) {
    await worker.stop();
  }
  const [memory, stored] = [ratesOf("memory"), ratesOf("stored")];
  return {
    situation: STORED_REPORTED,
    figures: [
      figure("memory", "messages/s", memory),
      figure("stored", "messages/s", stored),
      figuresAgainst(stored, memory)("stored ÷ memory", "", (one, other) => one / other),
    ],
  };
}

/** A store without Node-RED and service. */
class LoneStore {
  private constructor(
    private readonly worker: Worker,
    private readonly place: string,
  ) {}

  static async open(keepTexts: boolean): Promise<LoneStore> {
    const place = await temporaryFolder("bench-ledger");
    const worker = new Worker("ledger-process.ts");
    await worker.ask("open", { modules: bundleLedger(ROOT, await packagesFolder()), place, keepTexts });
    return new LoneStore(worker, place);
  }

  /** @returns µs and bytes a message */
  async sample(): Promise<{ readonly cpu: number; readonly bytes: number }> {
    const before = await this.#size();
    const { messages, cpu: time } = await this.worker.ask<LedgerSample>("sample", {
      messages: LEDGER_MESSAGES,
      queued: false,
    });
    return { cpu: time / messages, bytes: ((await this.#size()) - before) / messages };
  }

  async #size(): Promise<number> {
    await this.worker.ask("settleDown");
    return statSync(join(this.place, "messages.db")).size;
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }
}

async function ledger({ rounds }: BenchOptions): Promise<Situation> {
  const [without, withTexts] = [await LoneStore.open(false), await LoneStore.open(true)];
  try {
    const stores = [without, withTexts];
    await Promise.all(stores.map((store) => store.sample()));
    const samplesOf = await inTurns(stores, rounds, (store) => store.sample());
    const of = figuresOf(samplesOf(without));
    const against = figuresAgainst(samplesOf(withTexts), samplesOf(without));
    return {
      situation: LEDGER,
      figures: [
        of("CPU", "µs/message", ({ cpu }) => cpu),
        of("kept of a message", "bytes", ({ bytes }) => bytes),
        against("CPU with texts ÷ without", "", ({ cpu }, { cpu: other }) => cpu / other),
        against(
          "kept of a message with its text",
          "bytes more",
          ({ bytes }, { bytes: other }) => bytes - other,
        ),
      ],
    };
  } finally {
    await Promise.all([without, withTexts].map((store) => store.stop()));
  }
}

async function bulk(sending: Sending, { rounds }: BenchOptions): Promise<Situation> {
  const samples: BulkMeasured[] = [];
  for (let round = 0; round < Math.min(3, rounds); round++) {
    samples.push(await sending.bulk(STORED));
  }
  const of = figuresOf(samples);
  return {
    situation: STORED_BULK,
    figures: [
      of("time to accept", "s", ({ first }) => first.seconds),
      of("memory growth to accept", "MB", ({ first }) => first.growth / MB),
      of("time", "s", ({ seconds }) => seconds),
      of("memory growth", "MB", ({ growth }) => growth / MB),
      of("longest standstill", "ms", ({ standstill }) => standstill.own),
      of("failed", "batches", ({ failed }) => failed),
      notReachedOnce(samples),
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
  return { situation: STORED_RESTART, figures: [figure(FIRST_SEND, "s", resumed)] };
}

/** The same messages with and without a store, side by side. */
export const STORE_ROW: BenchRow = {
  id: "store",
  run: (options) =>
    withSending(async function* (sending) {
      yield* sends(sending, options);
      yield await reported(sending, options);
      yield await ledger(options);
      yield await bulk(sending, options);
      yield await restart(sending, options);
    }),
};
