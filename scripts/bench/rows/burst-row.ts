import type { BenchOptions } from "../options";
import type { BenchRow, Situation } from "./row";
import type { SendClientName } from "../send-clients";
import type { BurstSample } from "../processes/send-process";
import { Sending } from "../sending";
import { figure, shuffled } from "../statistics";
import type { GatewayCounts } from "../stub-gateway";

const MESSAGES = 10_000;
const CONNECTIONS = 64;
const LATENCY = 20;
const WARM_UP = 500;
const MB = 1e6;

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

async function* run({ rounds }: BenchOptions): AsyncIterable<Situation> {
  const sending = await Sending.begin();
  try {
    await sending.gateway.ask("delay", LATENCY);
    const core: Measured[] = [];
    const ours: Measured[] = [];
    const raw: Measured[] = [];
    const clients = [
      ["raw undici", raw],
      ["core http", core],
      ["sms-send", ours],
    ] as const;
    for (let round = 0; round < rounds; round++) {
      for (const [name, samples] of shuffled(clients)) {
        samples.push(await burst(sending, name));
      }
    }
    const failed = ours.reduce((sum, sample) => sum + sample.failed, 0);
    if (failed > 0) {
      throw new Error(`${failed} messages of the bursts were not accepted`);
    }
    const ideal = ({ seen }: Measured): number => (MESSAGES / CONNECTIONS) * (seen.held / 1000);
    const growth = ({ growth }: Measured): number => growth / MB;
    yield {
      situation: `burst of ${MESSAGES}`,
      figures: [
        ...clients.flatMap(([name, samples]) => [
          figure(
            `${name} time`,
            "s",
            samples.map(({ seconds }) => seconds),
          ),
          figure(
            `${name} sockets at once`,
            "",
            samples.map(({ seen }) => seen.most),
          ),
          figure(
            `${name} sockets opened`,
            "",
            samples.map(({ seen }) => seen.opened),
          ),
          figure(`${name} memory growth`, "MB", samples.map(growth)),
          figure(
            `${name} failed`,
            "",
            samples.map(({ failed }) => failed),
          ),
        ]),
        figure(
          "sms-send time ÷ ideal",
          "",
          ours.map((sample) => sample.seconds / ideal(sample)),
        ),
        figure(
          "sms-send time ÷ raw undici time",
          "",
          ours.map((sample, round) => sample.seconds / (raw[round] as Measured).seconds),
        ),
        figure(
          "sms-send memory growth ÷ core http",
          "",
          ours.map((sample, round) => sample.growth / (core[round] as Measured).growth),
        ),
        // The worst of all rounds: one socket too many is one too many.
        {
          name: "sms-send sockets beyond the account's",
          value: Math.max(0, ...ours.map(({ seen }) => seen.most - CONNECTIONS)),
          unit: "",
        },
      ],
    };
  } finally {
    await sending.end();
  }
}

/** Everything at once, as after a loop in a flow. */
export const BURST_ROW: BenchRow = { id: "burst", run };
