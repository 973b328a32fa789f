import type { BenchOptions } from "../options";
import type { BenchRow, Figure, Situation } from "./row";
import type { SendClientName } from "../send-clients";
import type { Sample } from "../processes/send-process";
import { Sending } from "../sending";
import { figure, shuffled } from "../statistics";
import type { GatewayCounts } from "../stub-gateway";
import type { Worker } from "../worker";

interface Setting {
  readonly scheme: "http" | "https";
  /** ms */
  readonly latency: number;
  readonly inFlight: number;
}

interface Measured extends Sample {
  readonly seen: GatewayCounts;
}

type Samples = ReadonlyMap<SendClientName, readonly Measured[]>;

/** What the goals speak of. */
const MAIN: readonly Setting[] = [
  { scheme: "https", latency: 0, inFlight: 32 },
  { scheme: "http", latency: 0, inFlight: 32 },
  { scheme: "http", latency: 20, inFlight: 64 },
];
const ALL: readonly Setting[] = (["https", "http"] as const).flatMap((scheme) =>
  [0, 20, 100].flatMap((latency) => [1, 8, 32, 64].map((inFlight) => ({ scheme, latency, inFlight }))),
);
const CLIENTS: readonly SendClientName[] = ["raw undici", "core http", "sms-send", "whatsapp-send"];
const OURS: readonly SendClientName[] = ["sms-send", "whatsapp-send"];
/** Enough for the engine to have compiled what matters; a slow client gets no further in its seconds. */
const WARM_UP = { messages: 20_000, seconds: 10 };

const rate = ({ messages, seconds }: Sample): number => messages / seconds;
const cpu = ({ messages, cpu }: Sample): number => cpu / messages;

async function sampleOf(
  sending: Sending,
  worker: Worker,
  inFlight: number,
  seconds: number,
): Promise<Measured> {
  await sending.counts();
  const sample = await worker.ask<Sample>("sample", { inFlight, seconds });
  if (sample.failed > 0) {
    throw new Error(`${sample.failed} of ${sample.messages} messages were not accepted`);
  }
  return { ...sample, seen: await sending.counts() };
}

async function warmUp(worker: Worker): Promise<void> {
  const until = performance.now() + WARM_UP.seconds * 1000;
  for (let sent = 0; sent < WARM_UP.messages && performance.now() < until; ) {
    sent += (await worker.ask<Sample>("sample", { inFlight: 32, seconds: 0.5 })).messages;
  }
}

/** All clients in turns, so that whatever else the machine does meets all of them. */
async function measure(
  sending: Sending,
  workers: ReadonlyMap<SendClientName, Worker>,
  { scheme, latency, inFlight }: Setting,
  { rounds, seconds }: BenchOptions,
): Promise<Samples> {
  await sending.gateway.ask("delay", latency);
  const service = { url: sending.addresses[scheme], connections: inFlight };
  for (const worker of workers.values()) {
    await worker.ask("prepare", service);
    await sampleOf(sending, worker, inFlight, Math.min(0.5, seconds));
  }
  const samples = new Map<SendClientName, Measured[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, worker] of shuffled([...workers])) {
      samples.set(name, [...(samples.get(name) ?? []), await sampleOf(sending, worker, inFlight, seconds)]);
    }
  }
  return samples;
}

/** Each round of the one against the same round of the other. */
function figures(samples: Samples, { inFlight }: Setting): Figure[] {
  const of = (name: SendClientName): readonly Measured[] => samples.get(name) ?? [];
  const ratio = (one: SendClientName, other: SendClientName, what: (sample: Measured) => number) =>
    of(one).map((sample, round) => what(sample) / what(of(other)[round] as Measured));
  const alone = [...samples.keys()].flatMap((name) => [
    figure(`${name}`, "messages/s", of(name).map(rate)),
    figure(`${name} CPU`, "µs/message", of(name).map(cpu)),
    figure(
      `${name} sockets used`,
      "",
      of(name).map(({ seen }) => seen.used),
    ),
  ]);
  const compared = OURS.flatMap((name) =>
    (["raw undici", "core http"] as const).flatMap((other) => [
      figure(`${name} ÷ ${other}`, "", ratio(name, other, rate)),
      figure(`${name} CPU ÷ ${other} CPU`, "", ratio(name, other, cpu)),
    ]),
  );
  // Of what the connections can carry when each has its next request on it at once.
  const share = (sample: Measured): number => rate(sample) / ((inFlight * 1000) / sample.seen.held);
  const waits = of("raw undici").some(({ seen }) => seen.held > 0);
  const shares = waits
    ? [
        ...[...samples.keys()].map((name) => figure(`${name} ÷ ideal`, "", of(name).map(share))),
        ...OURS.map((name) =>
          figure(`${name} share ÷ raw undici share`, "", ratio(name, "raw undici", share)),
        ),
      ]
    : [];
  return [...alone, ...compared, ...shares];
}

async function* run(options: BenchOptions): AsyncIterable<Situation> {
  const sending = await Sending.begin();
  try {
    const workers = new Map<SendClientName, Worker>();
    for (const name of CLIENTS) {
      const worker = await sending.client(name);
      workers.set(name, worker);
      await worker.ask("prepare", { url: sending.addresses.http, connections: 32 });
      await warmUp(worker);
    }
    for (const setting of options.full ? ALL : MAIN) {
      const { scheme, latency, inFlight } = setting;
      yield {
        situation: `${scheme}, ${latency} ms, ${inFlight} in flight`,
        figures: figures(await measure(sending, workers, setting, options), setting),
      };
    }
  } finally {
    await sending.end();
  }
}

/** Messages with one recipient, one request each. */
export const SENDS_ROW: BenchRow = { id: "sends", run };
