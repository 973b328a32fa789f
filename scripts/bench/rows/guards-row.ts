import { GUARDS_MEMORY, GUARDS_STORED } from "../report/goals";
import { cpu, load, rate } from "../load";
import type { BenchOptions } from "../options";
import type { SendClientName } from "../send-clients";
import { type Sending, withSending } from "../sending";
import { figuresAgainst, figuresOf, ratioOf } from "../report/statistics";
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

async function* measure(sending: Sending, pair: Pair, options: BenchOptions): AsyncIterable<Situation> {
  const workers = new Map<SendClientName, Worker>();
  for (const name of [pair.none, pair.all]) {
    workers.set(name, await sending.ready(name, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS }));
  }
  const samplesOf = await load(workers, CONNECTIONS, options);
  await Promise.all([...workers.values()].map((worker) => worker.stop()));
  const [none, all] = [figuresOf(samplesOf(pair.none)), figuresOf(samplesOf(pair.all))];
  const against = figuresAgainst(samplesOf(pair.all), samplesOf(pair.none));
  yield {
    situation: pair.situation,
    figures: [
      none("none", "messages/s", rate),
      all("all", "messages/s", rate),
      none("none CPU", "µs/message", cpu),
      all("all CPU", "µs/message", cpu),
      against("all ÷ none", "", ratioOf(rate)),
      against("all CPU ÷ none CPU", "", ratioOf(cpu)),
    ],
  };
}

/** The same messages from an account with all guards and from one with none, side by side. */
export const GUARDS_ROW: BenchRow = {
  id: "guards",
  run: async function* (options) {
    for (const pair of PAIRS) {
      // Each pair with a service of its own, so that nobody is left in it from the one before.
      yield* withSending((sending) => measure(sending, pair, options));
    }
  },
};
