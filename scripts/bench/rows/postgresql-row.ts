import { waitFor } from "../../../test/support/wait-for";
import { type PostgresqlServer, startPostgresql } from "../../../test/support/store/postgresql-server";
import { FIRST_SEND, POSTGRESQL_LOAD, POSTGRESQL_ONE, POSTGRESQL_RESTART } from "../goals";
import { cpu, load, rate, type WithOthers } from "../load";
import type { BenchOptions } from "../options";
import { timeOf } from "../processor-time";
import type { SendClientName } from "../send-clients";
import { Sending } from "../sending";
import { figure } from "../statistics";
import type { Worker } from "../worker";
import type { BenchRow, Figure, Situation } from "./row";

const WARM_UP_SECONDS = 8;
const CONNECTIONS = 32;
const QUEUED = 100_000;
/** Requests a second that keep a queue as it is. */
const STANDING = 0.001;

const CLIENTS = {
  memory: "sms-send",
  sqlite: "sms-send stored",
  postgresql: "sms-send postgresql",
} as const satisfies Readonly<Record<string, SendClientName>>;
type Kind = keyof typeof CLIENTS;
const LABELS: Readonly<Record<Kind, string>> = {
  memory: "memory",
  sqlite: "SQLite",
  postgresql: "PostgreSQL",
};
const KINDS = Object.keys(CLIENTS) as Kind[];

type Parts = WithOthers<"server" | "service">;

async function* sends(
  sending: Sending,
  server: PostgresqlServer,
  options: BenchOptions,
): AsyncIterable<Situation> {
  const workers: [Kind, Worker][] = [];
  for (const kind of KINDS) {
    const worker = await sending.client(CLIENTS[kind], { BENCH_STORE_URL: server.url });
    await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
    await worker.ask("sample", { inFlight: CONNECTIONS, seconds: WARM_UP_SECONDS });
    workers.push([kind, worker]);
  }
  const others = async (): Promise<Record<"server" | "service", number>> => ({
    server: timeOf(server.processes()),
    service: await sending.gateway.ask<number>("cpu"),
  });
  for (const [situation, inFlight] of [
    [POSTGRESQL_LOAD, CONNECTIONS],
    [POSTGRESQL_ONE, 1],
  ] as const) {
    const samples = await load(workers, inFlight, options, others);
    const of = (kind: Kind): readonly Parts[] => samples.get(kind) ?? [];
    const figures: Figure[] = KINDS.flatMap((kind) => {
      const name = LABELS[kind];
      const part = (what: string, time: (sample: Parts) => number): Figure =>
        figure(
          `${name}: CPU ${what}`,
          "µs/message",
          of(kind).map((sample) => time(sample) / sample.messages),
        );
      return [
        figure(name, "messages/s", of(kind).map(rate)),
        figure(`${name}: CPU of Node-RED`, "µs/message", of(kind).map(cpu)),
        part("of its main thread", ({ thread }) => thread),
        part("of the service", ({ service }) => service),
        ...(kind === "postgresql" ? [part("of the server", ({ server: time }) => time)] : []),
      ];
    });
    const against = (
      name: string,
      unit: string,
      kind: Kind,
      of_: (one: Parts, other: Parts) => number,
    ): void => {
      const others_ = of(kind);
      figures.push(
        figure(
          name,
          unit,
          of("postgresql").map((sample, round) => of_(sample, others_[round] as Parts)),
        ),
      );
    };
    if (inFlight === 1) {
      against("added latency", "ms", "memory", (one, other) => 1000 / rate(one) - 1000 / rate(other));
      against(
        "added latency to SQLite",
        "ms",
        "sqlite",
        (one, other) => 1000 / rate(one) - 1000 / rate(other),
      );
    } else {
      against("PostgreSQL ÷ memory", "", "memory", (one, other) => rate(one) / rate(other));
      against("PostgreSQL ÷ SQLite", "", "sqlite", (one, other) => rate(one) / rate(other));
      figures.push(
        figure(
          "longest standstill",
          "ms",
          of("postgresql").map(({ standstill }) => standstill.own),
        ),
      );
    }
    yield { situation, figures };
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

async function* run(options: BenchOptions): AsyncIterable<Situation> {
  const server = await startPostgresql();
  if (server === null) {
    return;
  }
  try {
    const sending = await Sending.begin();
    try {
      yield* sends(sending, server, options);
      yield await restart(sending, server, options);
    } finally {
      await sending.end();
    }
  } finally {
    await server.remove();
  }
}

/** The same messages in memory, in a file and in PostgreSQL, side by side. The server runs on the same computer. */
export const POSTGRESQL_ROW: BenchRow = { id: "postgresql", run };
