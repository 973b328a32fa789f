import type { BenchOptions } from "../options";
import type { BenchRow, Situation } from "./row";
import type { BulkSample } from "../processes/send-process";
import { Sending } from "../sending";
import { figure } from "../statistics";
import type { SeenRecipients } from "../processes/stub-gateway-process";

const RECIPIENTS = 1_000_000;
const CONNECTIONS = 8;
const MB = 1e6;

interface Measured extends BulkSample {
  readonly seen: SeenRecipients;
}

async function bulk(sending: Sending): Promise<Measured> {
  const worker = await sending.client("sms-send");
  await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
  // A Node-RED that has sent before.
  await worker.ask("burst", 500);
  await sending.gateway.ask("expect", RECIPIENTS);
  const sample = await worker.ask<BulkSample>("bulk", RECIPIENTS);
  const seen = await sending.gateway.ask<SeenRecipients>("seen");
  await worker.stop();
  return { ...sample, seen };
}

async function* run({ rounds }: BenchOptions): AsyncIterable<Situation> {
  const sending = await Sending.begin();
  try {
    const samples: Measured[] = [];
    for (let round = 0; round < rounds; round++) {
      samples.push(await bulk(sending));
    }
    yield {
      situation: `one message to ${RECIPIENTS}`,
      figures: [
        figure(
          "time",
          "s",
          samples.map(({ seconds }) => seconds),
        ),
        figure(
          "longest standstill",
          "ms",
          samples.map(({ standstill }) => standstill.own),
        ),
        figure(
          "longest standstill by the clock",
          "ms",
          samples.map(({ standstill }) => standstill.byClock),
        ),
        figure(
          "memory growth",
          "MB",
          samples.map(({ growth }) => growth / MB),
        ),
        figure(
          "failed",
          "batches",
          samples.map(({ failed }) => failed),
        ),
        {
          name: "recipients not reached exactly once",
          value: Math.max(...samples.map(({ seen }) => seen.never + seen.moreOften)),
          unit: "",
        },
      ],
    };
  } finally {
    await sending.end();
  }
}

/** One message with a list that becomes a thousand requests. */
export const BULK_ROW: BenchRow = { id: "bulk", run };
