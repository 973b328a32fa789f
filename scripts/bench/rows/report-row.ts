import { temporaryFolder } from "../../../test/support/node-red/packed-package";
import { countReport } from "../../../lib/runtime/log/count-report";
import { reportOf } from "../../../lib/runtime/log/log-report";
import { sharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import type { SharedEngine } from "../../../lib/store/engine/shared-engines";
import { shareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { Engine } from "../../../lib/store/engine/engine";
import { call } from "../../../lib/store/engine/query";
import type { NewEvent } from "../../../lib/store/events/deliveries";
import { CountAhead } from "../../../lib/store/history/count-ahead";
import { statement } from "../../../lib/store/schema/statement";
import { Store } from "../../../lib/store/store";
import { ACCOUNT, fillVolume, MESSAGES } from "../fill-volume";
import { load, rate } from "../load";
import type { BenchOptions } from "../options";
import {
  LOOKED_AT,
  REPORT_AGAIN,
  REPORT_AHEAD,
  REPORT_BESIDE,
  REPORT_FIRST,
  REPORT_STANDSTILL,
  REPORTED,
} from "../report/goals";
import { figure, figuresAgainst, figuresOf, ratioOf } from "../report/statistics";
import type { SendClientName } from "../send-clients";
import { withPostgresql, withSending } from "../sending";
import { StandstillWatch } from "../standstill";
import type { Worker } from "../worker";
import type { BenchRow, Situation } from "./row";

const ZONE = "Europe/Zurich";
const FORGET_ALL = statement("bench_forget_days")`DELETE FROM day_counts`;
const ROUNDS = 5;
/** Messages of the last day that events are about. */
const TODAY = 5_000;
const CONNECTIONS = 32;
/** Filling takes long on a busy machine. */
const PATIENT = { statementTimeout: 120_000, answerTimeout: 130_000 };

/** Events of messages of the last day, one after the other. @returns ends them, and says how many there were */
function writes(store: Store): () => Promise<number> {
  let [ended, count] = [false, 0];
  const writing = (async () => {
    for (; !ended; count++) {
      const event: NewEvent = {
        key: `beside-${count}`,
        kind: "report",
        number: null,
        clientMessageId: null,
        transferId: `t${MESSAGES - (count % TODAY)}`,
        status: "delivered",
        at: null,
        body: null,
        optOut: null,
        reply: null,
      };
      await store.deliveries.note(ACCOUNT, [event]);
    }
  })();
  return async () => {
    ended = true;
    await writing;
    return count;
  };
}

/** Counts all days that are over, without the pauses between two of them. @returns ms */
async function countAhead(engine: Engine, now: number) {
  const [watch, began, counting] = [
    new StandstillWatch(),
    performance.now(),
    new CountAhead(engine, ACCOUNT),
  ];
  let longest = 0;
  for (let more = true; more; ) {
    const from = performance.now();
    more = await counting.step(ZONE, now);
    longest = Math.max(longest, performance.now() - from);
  }
  return { ms: performance.now() - began, longest, standstill: watch.stop().own };
}

async function report({ engine, release }: SharedEngine, label: string): Promise<Situation> {
  try {
    const store = new Store(engine, { keepTexts: false });
    await store.probe();
    process.stderr.write(`${label}: filling\n`);
    // The last day goes on, as today does: it is counted each time.
    const now = await fillVolume(engine);
    const standstills: number[] = [];
    /** All days that there are. @returns ms */
    const ask = async (): Promise<number> => {
      const [watch, began] = [new StandstillWatch(), performance.now()];
      const sum = await countReport(engine, ACCOUNT, { from: null, to: now, step: "day" }, ZONE, now);
      const { messages } = reportOf(sum);
      const ms = performance.now() - began;
      standstills.push(watch.stop().own);
      if (messages !== MESSAGES) {
        throw new Error(`${messages} messages`);
      }
      return ms;
    };
    const first = await ask();
    await engine.run([call(FORGET_ALL)]);
    const ahead = await countAhead(engine, now);
    const afterwards = await ask();
    const again: number[] = [];
    const beside: number[] = [];
    let written = 0;
    for (let round = 0; round < ROUNDS; round++) {
      again.push(await ask());
      const end = writes(store);
      beside.push(await ask());
      written += await end();
    }
    return {
      situation: `${REPORTED}, ${label}`,
      figures: [
        figure(REPORT_FIRST, "ms", [first]),
        figure(REPORT_AHEAD, "ms", [afterwards]),
        figure("counting ahead: all days", "ms", [ahead.ms]),
        figure("counting ahead: longest step", "ms", [ahead.longest]),
        figure("counting ahead: longest standstill", "ms", [ahead.standstill]),
        figure(REPORT_AGAIN, "ms", again),
        figure(REPORT_BESIDE, "ms", beside),
        figure("events meanwhile", "", [written]),
        figure(REPORT_STANDSTILL, "ms", [Math.max(...standstills)]),
      ],
    };
  } finally {
    await release();
  }
}

const NAMES = ["sms-send stored", "sms-send stored asked"] as const satisfies readonly SendClientName[];

/** What it costs the sender that somebody asks how the account stands. */
async function* asked(options: BenchOptions): AsyncIterable<Situation> {
  yield* withSending(async function* (sending) {
    const workers = new Map<SendClientName, Worker>();
    for (const name of NAMES) {
      workers.set(name, await sending.ready(name, { connections: CONNECTIONS, seconds: 5 }));
    }
    const samplesOf = await load(workers, CONNECTIONS, options);
    const [without, by] = NAMES.map(samplesOf) as [
      ReturnType<typeof samplesOf>,
      ReturnType<typeof samplesOf>,
    ];
    yield {
      situation: LOOKED_AT,
      figures: [
        figuresOf(without)("not asked", "messages/s", rate),
        figuresOf(by)("asked", "messages/s", rate),
        figuresAgainst(by, without)("asked ÷ not asked", "", ratioOf(rate)),
      ],
    };
  });
}

/** Reports of a long history, and the state of an account that sends. */
export const REPORT_ROW: BenchRow = {
  id: "report",
  run: async function* (options) {
    yield await report(await shareSqlite(await temporaryFolder("bench-report")), "SQLite");
    yield* withPostgresql(async function* ({ url }) {
      yield await report(
        await sharePostgresql({ url, schema: "messaging", tls: null, ...PATIENT }),
        "PostgreSQL",
      );
    });
    yield* asked(options);
  },
};
