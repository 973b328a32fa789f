import { assertAccepted, cpu, rate, warmUp } from "../load";
import type { BenchOptions } from "../options";
import type { Sample } from "../processes/send-process";
import type { SendClientName } from "../send-clients";
import { type Sending, withSending } from "../sending";
import { figuresAgainst, figuresOf, inTurns, ratioOf } from "../report/statistics";
import type { GatewayCounts } from "../stub-gateway";
import type { Worker } from "../worker";
import type { BenchRow, Figure, Situation } from "./row";

interface Setting {
  readonly scheme: "http" | "https";
  /** ms */
  readonly latency: number;
  readonly inFlight: number;
}

interface Measured extends Sample {
  readonly seen: GatewayCounts;
}

type SamplesOf = (name: SendClientName) => readonly Measured[];

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

async function sampleOf(
  sending: Sending,
  worker: Worker,
  inFlight: number,
  seconds: number,
): Promise<Measured> {
  await sending.counts();
  const sample = await worker.ask<Sample>("sample", { inFlight, seconds });
  assertAccepted(sample);
  return { ...sample, seen: await sending.counts() };
}

async function measure(
  sending: Sending,
  workers: ReadonlyMap<SendClientName, Worker>,
  { scheme, latency, inFlight }: Setting,
  { rounds, seconds }: BenchOptions,
): Promise<SamplesOf> {
  await sending.gateway.ask("delay", latency);
  const service = { url: sending.addresses[scheme], connections: inFlight };
  for (const worker of workers.values()) {
    await worker.ask("prepare", service);
    await sampleOf(sending, worker, inFlight, Math.min(0.5, seconds));
  }
  return inTurns(CLIENTS, rounds, (name) =>
    sampleOf(sending, workers.get(name) as Worker, inFlight, seconds),
  );
}

/** Each round of the one against the same round of the other. */
function figures(samplesOf: SamplesOf, { inFlight }: Setting): Figure[] {
  const alone = CLIENTS.flatMap((name) => {
    const of = figuresOf(samplesOf(name));
    return [
      of(name, "messages/s", rate),
      of(`${name} CPU`, "µs/message", cpu),
      of(`${name} sockets used`, "", ({ seen }) => seen.used),
    ];
  });
  const compared = OURS.flatMap((name) =>
    (["raw undici", "core http"] as const).flatMap((other) => {
      const against = figuresAgainst(samplesOf(name), samplesOf(other));
      return [
        against(`${name} ÷ ${other}`, "", ratioOf(rate)),
        against(`${name} CPU ÷ ${other} CPU`, "", ratioOf(cpu)),
      ];
    }),
  );
  const raw = samplesOf("raw undici");
  if (!raw.some(({ seen }) => seen.held > 0)) {
    return [...alone, ...compared];
  }
  // Of what the connections can carry when each has its next request on it at once.
  const share = (sample: Measured): number => rate(sample) / ((inFlight * 1000) / sample.seen.held);
  return [
    ...alone,
    ...compared,
    ...CLIENTS.map((name) => figuresOf(samplesOf(name))(`${name} ÷ ideal`, "", share)),
    ...OURS.map((name) =>
      figuresAgainst(samplesOf(name), raw)(`${name} share ÷ raw undici share`, "", ratioOf(share)),
    ),
  ];
}

async function* sends(sending: Sending, options: BenchOptions): AsyncIterable<Situation> {
  const workers = new Map<SendClientName, Worker>();
  for (const name of CLIENTS) {
    const worker = await sending.client(name);
    workers.set(name, worker);
    await worker.ask("prepare", { url: sending.addresses.http, connections: 32 });
    await warmUp(async () => (await worker.ask<Sample>("sample", { inFlight: 32, seconds: 0.5 })).messages);
  }
  for (const setting of options.full ? ALL : MAIN) {
    const { scheme, latency, inFlight } = setting;
    yield {
      situation: `${scheme}, ${latency} ms, ${inFlight} in flight`,
      figures: figures(await measure(sending, workers, setting, options), setting),
    };
  }
}

/** Messages with one recipient, one request each. */
export const SENDS_ROW: BenchRow = {
  id: "sends",
  run: (options) => withSending((sending) => sends(sending, options)),
};
