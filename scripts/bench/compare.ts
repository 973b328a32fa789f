import { statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../test/support/node-red/packed-package";
import { type PostgresqlServer, startPostgresql } from "../../test/support/store/postgresql-server";
import { bundleLedger } from "./ledger-bundle";
import { cpu, warmUp } from "./load";
import type { BenchOptions } from "./options";
import type { LedgerSample } from "./processes/ledger-process";
import type { Sample } from "./processes/send-process";
import { timeOf } from "./processor-time";
import { Receiver } from "./receiving";
import { MB } from "./rows/bulk-row";
import type { SendClientName } from "./send-clients";
import { RECIPIENTS, Sending } from "./sending";
import type { State } from "./states";
import { inTurns, median } from "./report/statistics";
import { Worker } from "./worker";

/** What was measured of each state in turns. The less the better. */
export interface Comparison {
  readonly name: string;
  readonly unit: string;
  /** By state, in the order of the rounds. */
  readonly samples: readonly (readonly number[])[];
}

type Measure = Readonly<Record<string, number>>;

/** How something is measured of one state. */
interface Bench {
  readonly measure: () => Promise<Measure>;
  readonly end: () => Promise<void>;
}

interface Subject {
  readonly row: string;
  readonly name: string;
  readonly units: Readonly<Record<string, string>>;
  /** Rounds at most; any number if not given. */
  readonly most?: number;
  readonly begin: (state: State, sending: Sending, options: BenchOptions) => Promise<Bench>;
}

const CONNECTIONS = 32;
/** A longer one shows nothing more, and takes minutes. */
const BULK_ROUNDS = 3;

const sends = (client: SendClientName): Subject => ({
  row: client.includes("stored") ? "store" : "sends",
  name: client,
  units: { "CPU a message": "µs" },
  begin: async ({ packages }, sending, { seconds }) => {
    const worker = await sending.client(client, {}, packages);
    await worker.ask("prepare", { url: sending.addresses.http, connections: CONNECTIONS });
    const sample = (time: number): Promise<Sample> =>
      worker.ask<Sample>("sample", { inFlight: CONNECTIONS, seconds: time });
    await warmUp(async () => (await sample(0.5)).messages);
    return {
      measure: async () => ({ "CPU a message": cpu(await sample(seconds)) }),
      end: () => worker.stop(),
    };
  },
});

const bulk = (client: SendClientName): Subject => ({
  row: client.includes("stored") ? "store" : "bulk",
  name: `${client}, one message to ${RECIPIENTS}`,
  units: { "CPU a recipient": "µs", "longest standstill": "ms", "memory growth": "MB" },
  most: BULK_ROUNDS,
  begin: async ({ packages }, sending) => ({
    measure: async () => {
      const sample = await sending.bulk(client, packages);
      return {
        "CPU a recipient": sample.cpu / RECIPIENTS,
        "longest standstill": sample.standstill.own,
        "memory growth": sample.growth / MB,
      };
    },
    end: async () => {},
  }),
});

const WEBHOOK: Subject = {
  row: "webhook",
  name: "webhook-in",
  units: { "CPU an event": "µs" },
  begin: async ({ packages }, _sending, { seconds }) => {
    const caller = new Worker("caller-process.ts");
    const receiver = await Receiver.start({ name: "webhook-in", packages, adminRoot: false });
    await receiver.warmUp(caller);
    return {
      measure: async () => {
        const { calls, cpu: used } = await receiver.sample(caller, seconds);
        return { "CPU an event": used / calls };
      },
      end: async () => {
        await Promise.all([caller.stop(), receiver.stop()]);
      },
    };
  },
};

/** Messages of one sample of the store alone. */
const LEDGER_MESSAGES = 3_000;
const LEDGER_SIZE = `SELECT sum(pg_total_relation_size(c.oid)) AS size FROM pg_class c
  WHERE c.relnamespace = 'messaging'::regnamespace AND c.relkind = 'r'`;

let server: Promise<PostgresqlServer | null> | undefined;

/** The store without Node-RED and service: a message is accepted, claimed, settled and marked. The time of the server is in it. */
const ledger = (engine: "SQLite" | "PostgreSQL"): Subject => ({
  row: "ledger",
  name: `the store alone, ${engine}`,
  units: {
    "CPU a message that leaves at once": "µs",
    "CPU a message that is queued": "µs",
    "kept of a message": "bytes",
    ...(engine === "PostgreSQL" && {
      "CPU of the server, at once": "µs",
      "CPU of the server, queued": "µs",
    }),
  },
  begin: async ({ root, packages }) => {
    let postgresql: PostgresqlServer | null = null;
    if (engine === "PostgreSQL") {
      server ??= startPostgresql();
      postgresql = await server;
      if (postgresql === null) {
        throw new Error("there is no PostgreSQL here");
      }
    }
    const place =
      postgresql === null ? await temporaryFolder("bench-ledger") : await postgresql.newDatabase();
    const worker = new Worker("ledger-process.ts");
    await worker.ask("open", { modules: bundleLedger(root, packages), place });
    let kept = 0;
    const sample = async (queued: boolean): Promise<readonly [number, number]> => {
      const before = timeOf(postgresql?.processes() ?? []);
      const { messages, cpu: used } = await worker.ask<LedgerSample>("sample", {
        messages: LEDGER_MESSAGES,
        queued,
      });
      kept += messages;
      const ofServer = timeOf(postgresql?.processes() ?? []) - before;
      return [used / messages, ofServer / messages];
    };
    const size = async (): Promise<number> => {
      await worker.ask("settleDown");
      return postgresql === null
        ? statSync(join(place, "messages.db")).size
        : Number((await postgresql.query(LEDGER_SIZE, place))[0]?.size);
    };
    const empty = await size();
    await sample(false);
    await sample(true);
    return {
      measure: async () => {
        const [atOnce, serverAtOnce] = await sample(false);
        const [queued, serverQueued] = await sample(true);
        return {
          "CPU a message that leaves at once": atOnce + serverAtOnce,
          "CPU of the server, at once": serverAtOnce,
          "CPU a message that is queued": queued + serverQueued,
          "CPU of the server, queued": serverQueued,
          "kept of a message": ((await size()) - empty) / kept,
        };
      },
      end: () => worker.stop(),
    };
  },
});

const SUBJECTS: readonly Subject[] = [
  sends("sms-send"),
  sends("whatsapp-send"),
  sends("sms-send stored"),
  ledger("SQLite"),
  ledger("PostgreSQL"),
  WEBHOOK,
  bulk("sms-send"),
  bulk("sms-send stored"),
];

/** Rows of which something is compared. */
export const COMPARED: readonly string[] = [...new Set(SUBJECTS.map(({ row }) => row))];

/** Measures states in turns, so that whatever else the machine does meets all of them. */
export async function* compare(states: readonly State[], options: BenchOptions): AsyncIterable<Comparison> {
  const sending = await Sending.begin();
  try {
    for (const subject of SUBJECTS.filter(({ row }) => options.rows?.includes(row) ?? true)) {
      const benches = new Map<State, Bench>();
      for (const state of states) {
        benches.set(state, await subject.begin(state, sending, options));
      }
      const rounds = Math.min(options.rounds, subject.most ?? Number.POSITIVE_INFINITY);
      const samplesOf = await inTurns(states, rounds, (state) => (benches.get(state) as Bench).measure());
      for (const bench of benches.values()) {
        await bench.end();
      }
      for (const [name, unit] of Object.entries(subject.units)) {
        yield {
          name: `${subject.name}: ${name}`,
          unit,
          samples: states.map((state) => samplesOf(state).map((each) => each[name] as number)),
        };
      }
    }
  } finally {
    await sending.end();
    await (await server)?.remove();
  }
}

/**
 * The present state against another one: of the rounds' ratios and the ratio of the medians the one that is nearer to 1, so that few
 * rounds of a busy machine do not tell of a change.
 */
export function ratioTo({ samples }: Comparison, other: number): number {
  const now = samples[0] ?? [];
  const before = samples[other] ?? [];
  const rounds = median(now.map((value, round) => value / (before[round] as number)));
  const medians = median(now) / median(before);
  return Math.abs(Math.log(rounds)) < Math.abs(Math.log(medians)) ? rounds : medians;
}
