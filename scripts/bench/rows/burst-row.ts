import type { BenchOptions } from "../options";
import type { BurstSample } from "../processes/send-process";
import type { SendClientName } from "../send-clients";
import { type Sending, withSending } from "../sending";
import { figuresAgainst, figuresOf, inTurns, ratioOf } from "../report/statistics";
import type { GatewayCounts } from "../stub-gateway";
import { MB } from "./bulk-row";
import type { BenchRow, Situation } from "./row";

const MESSAGES = 10_000;
const CONNECTIONS = 64;
const LATENCY = 20;
const WARM_UP = 500;
const CLIENTS = ["raw undici", "core http", "sms-send"] as const satisfies readonly SendClientName[];

interface Measured extends BurstSample {
  readonly seen: GatewayCounts;
}

/** One burst in a fresh process, for a process keeps the memory that it once had. */
async function burst(sending: Sending, name: SendClientName): Promise<Measured> {
  const worker = await sending.client(name);
  await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
  await worker.ask("burst", WARM_UP);
  await sending.counts();
  const sample = await worker.ask<BurstSample>("burst", MESSAGES);
  const seen = await sending.counts();
  await worker.stop();
  return { ...sample, seen };
}

async function* bursts(sending: Sending, { rounds }: BenchOptions): AsyncIterable<Situation> {
  await sending.gateway.ask("delay", LATENCY);
  const samplesOf = await inTurns(CLIENTS, rounds, (name) => burst(sending, name));
  const ours = samplesOf("sms-send");
  const failed = ours.reduce((sum, sample) => sum + sample.failed, 0);
  if (failed > 0) {
    throw new Error(`${failed} messages of the bursts were not accepted`);
  }
  const ideal = ({ seen }: Measured): number => (MESSAGES / CONNECTIONS) * (seen.held / 1000);
  const time = ({ seconds }: Measured): number => seconds;
  const growth = (sample: Measured): number => sample.growth / MB;
  const againstRaw = figuresAgainst(ours, samplesOf("raw undici"));
  const againstCore = figuresAgainst(ours, samplesOf("core http"));
  yield {
    situation: `burst of ${MESSAGES}`,
    figures: [
      ...CLIENTS.flatMap((name) => {
        const of = figuresOf(samplesOf(name));
        return [
          of(`${name} time`, "s", time),
          of(`${name} sockets at once`, "", ({ seen }) => seen.most),
          of(`${name} sockets opened`, "", ({ seen }) => seen.opened),
          of(`${name} memory growth`, "MB", growth),
          of(`${name} failed`, "", (sample) => sample.failed),
        ];
      }),
      figuresOf(ours)("sms-send time ÷ ideal", "", (sample) => sample.seconds / ideal(sample)),
      againstRaw("sms-send time ÷ raw undici time", "", ratioOf(time)),
      againstCore("sms-send memory growth ÷ core http", "", ratioOf(growth)),
      // The worst of all rounds: one socket too many is one too many.
      {
        name: "sms-send sockets beyond the account's",
        value: Math.max(0, ...ours.map(({ seen }) => seen.most - CONNECTIONS)),
        unit: "",
      },
    ],
  };
}

/** Everything at once, as after a loop in a flow. */
export const BURST_ROW: BenchRow = {
  id: "burst",
  run: (options) => withSending((sending) => bursts(sending, options)),
};
