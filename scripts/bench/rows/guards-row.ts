import { GUARDS_MEMORY, GUARDS_STORED } from "../goals";
import { cpu, load, rate } from "../load";
import type { BenchOptions } from "../options";
import type { LoadSample } from "../processes/send-process";
import type { SendClientName } from "../send-clients";
import { Sending } from "../sending";
import { figure } from "../statistics";
import type { Worker } from "../worker";
import type { BenchRow, Situation } from "./row";

const WARM_UP_SECONDS = 5;
const CONNECTIONS = 32;

/** An account without guards and one with all of them. */
interface Pair {
  readonly situation: string;
  readonly none: SendClientName;
  readonly all: SendClientName;
}

const PAIRS: readonly Pair[] = [
  { situation: GUARDS_STORED, none: "sms-send stored unguarded", all: "sms-send stored guarded" },
  { situation: GUARDS_MEMORY, none: "sms-send unguarded", all: "sms-send guarded" },
];

async function measure(sending: Sending, pair: Pair, options: BenchOptions): Promise<Situation> {
  const workers: [SendClientName, Worker][] = [];
  for (const name of [pair.none, pair.all]) {
    const worker = await sending.client(name);
    await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
    await worker.ask("sample", { inFlight: CONNECTIONS, seconds: WARM_UP_SECONDS });
    workers.push([name, worker]);
  }
  const samples = await load(workers, CONNECTIONS, options);
  await Promise.all(workers.map(([, worker]) => worker.stop()));
  const none = samples.get(pair.none) ?? [];
  const all = samples.get(pair.all) ?? [];
  const ratios = (what: (sample: LoadSample) => number): readonly number[] =>
    all.map((sample, round) => what(sample) / what(none[round] as LoadSample));
  return {
    situation: pair.situation,
    figures: [
      figure("none", "messages/s", none.map(rate)),
      figure("all", "messages/s", all.map(rate)),
      figure("none CPU", "µs/message", none.map(cpu)),
      figure("all CPU", "µs/message", all.map(cpu)),
      figure("all ÷ none", "", ratios(rate)),
      figure("all CPU ÷ none CPU", "", ratios(cpu)),
    ],
  };
}

async function* run(options: BenchOptions): AsyncIterable<Situation> {
  for (const pair of PAIRS) {
    // Each pair with a service of its own, so that nobody is left in it from the one before.
    const sending = await Sending.begin();
    try {
      yield await measure(sending, pair, options);
    } finally {
      await sending.end();
    }
  }
}

/** The same messages from an account with all guards and from one with none, side by side. */
export const GUARDS_ROW: BenchRow = { id: "guards", run };
