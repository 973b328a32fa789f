import { waitFor } from "../../../test/support/wait-for";
import type { PostgresqlServer } from "../../../test/support/store/postgresql-server";
import { FIRST_SEND, POSTGRESQL_LOAD, POSTGRESQL_ONE, POSTGRESQL_RESTART } from "../report/goals";
import { addedLatency, cpu, loadSample, rate, withOthers, type WithOthers } from "../load";
import type { BenchOptions } from "../options";
import type { SendClientName } from "../send-clients";
import { type Sending, withPostgresql, withSending } from "../sending";
import { figure, figuresAgainst, figuresOf, inTurns, ratioOf } from "../report/statistics";
import type { Worker } from "../worker";
import type { BenchRow, Figure, Situation } from "./row";
import { QUEUED, STANDING } from "./store-row";

const WARM_UP_SECONDS = 8;
const CONNECTIONS = 32;

const CLIENTS = {
  memory: "sms-send",
  SQLite: "sms-send stored",
  PostgreSQL: "sms-send postgresql",
} as const satisfies Readonly<Record<string, SendClientName>>;
type Kind = keyof typeof CLIENTS;
const KINDS = Object.keys(CLIENTS) as Kind[];

async function* sends(
  sending: Sending,
  server: PostgresqlServer,
  { rounds, seconds }: BenchOptions,
): AsyncIterable<Situation> {
  const workers = new Map<Kind, Worker>();
  const env = { BENCH_STORE_URL: server.url };
  for (const kind of KINDS) {
    const preparation = { connections: CONNECTIONS, seconds: WARM_UP_SECONDS, env };
    workers.set(kind, await sending.ready(CLIENTS[kind], preparation));
  }
  for (const [situation, inFlight] of [
    [POSTGRESQL_LOAD, CONNECTIONS],
    [POSTGRESQL_ONE, 1],
  ] as const) {
    const samplesOf = await inTurns(KINDS, rounds, (kind) =>
      withOthers(sending, server, () => loadSample(workers.get(kind) as Worker, inFlight, seconds)),
    );
    const figures: Figure[] = KINDS.flatMap((kind) => {
      const of = figuresOf<WithOthers>(samplesOf(kind));
      const part = (what: string, time: (sample: WithOthers) => number): Figure =>
        of(`${kind}: CPU ${what}`, "µs/message", (sample) => time(sample) / sample.messages);
      return [
        of(kind, "messages/s", rate),
        of(`${kind}: CPU of Node-RED`, "µs/message", cpu),
        part("of its main thread", ({ thread }) => thread),
        part("of the service", ({ service }) => service),
        ...(kind === "PostgreSQL" ? [part("of the server", ({ server: time }) => time)] : []),
      ];
    });
    const againstMemory = figuresAgainst(samplesOf("PostgreSQL"), samplesOf("memory"));
    const againstSqlite = figuresAgainst(samplesOf("PostgreSQL"), samplesOf("SQLite"));
    const compared =
      inFlight === 1
        ? [
            againstMemory("added latency", "ms", addedLatency),
            againstSqlite("added latency to SQLite", "ms", addedLatency),
          ]
        : [
            againstMemory("PostgreSQL ÷ memory", "", ratioOf(rate)),
            againstSqlite("PostgreSQL ÷ SQLite", "", ratioOf(rate)),
            figuresOf(samplesOf("PostgreSQL"))(
              "longest standstill",
              "ms",
              ({ standstill }) => standstill.own,
            ),
          ];
    yield { situation, figures: [...figures, ...compared] };
  }
}

/** The one before has ended by force: its results wait until others call it dead, what it has queued does not. */
async function restart(
  sending: Sending,
  server: PostgresqlServer,
  { rounds }: BenchOptions,
): Promise<Situation> {
  const taken: number[] = [];
  const url = sending.addresses.http;
  for (let round = 0; round < Math.min(3, rounds); round++) {
    const database = await server.newDatabase();
    const env = { BENCH_STORE_URL: database };
    const before = await sending.client("whatsapp-send postgresql", env);
    await before.ask("prepare", { url, connections: 1, rate: STANDING });
    const accepting = before.ask("accept", QUEUED).catch(() => {});
    const count = "SELECT count(*) AS queued FROM messaging.requests WHERE state = 'queued'";
    await waitFor(
      "all messages to be queued",
      // The tables are not there at first.
      async () => Number((await server.query(count, database).catch(() => []))[0]?.queued ?? 0) >= QUEUED - 1,
      600_000,
    );
    await before.kill();
    await accepting;
    const after = await sending.client("whatsapp-send postgresql", env);
    const sent = sending.gateway.ask<number>("next");
    await after.ask("prepare", { url, connections: CONNECTIONS });
    const began = Date.now();
    taken.push(Math.max(0, (await sent) - began) / 1000);
    await after.kill();
  }
  return { situation: POSTGRESQL_RESTART, figures: [figure(FIRST_SEND, "s", taken)] };
}

/** The same messages in memory, in a file and in PostgreSQL, side by side. The server runs on the same computer. */
export const POSTGRESQL_ROW: BenchRow = {
  id: "postgresql",
  run: (options) =>
    withPostgresql((server) =>
      withSending(async function* (sending) {
        yield* sends(sending, server, options);
        yield await restart(sending, server, options);
      }),
    ),
};
