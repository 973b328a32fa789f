import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import type { answerOf as AnswerOf } from "../../../lib/gateway/queue/stored-content";
import type { judge as Judge } from "../../../lib/gateway/codec/verdict";
import type { OPERATIONS as Operations } from "../../../lib/gateway/contract/operations";
import type { newJobKey as NewJobKey } from "../../../lib/store/jobs/job-key";
import type { newUuid as NewUuid } from "../../../lib/runtime/send/new-uuid";
import type { sharePostgresql as SharePostgresql } from "../../../lib/store/engine/postgresql/shared-postgresql";
import type { shareSqlite as ShareSqlite } from "../../../lib/store/engine/sqlite/shared-sqlite";
import type { NewJob, NewRequest } from "../../../lib/store/jobs/jobs";
import type { Store as StoreClass } from "../../../lib/store/store";
import { processorTime } from "../processor-time";
import { serve } from "../serve";

/** Where the messages of a state are kept. */
export interface LedgerPlace {
  /** See `bundleLedger`. */
  readonly modules: string;
  /** A folder, or the URL of a database. */
  readonly place: string;
  /** Whether texts stay when their messages are done. */
  readonly keepTexts?: boolean;
}

/** What messages have cost. */
export interface LedgerSample {
  readonly messages: number;
  /** µs of processor time of this process. */
  readonly cpu: number;
}

const ACCOUNT = "a1b2c3d4e5f60718";
const NODE = "18f6e5d4c3b2a1f0";
const OPERATION = "sms-json";
const IN_FLIGHT = 32;
/** Messages of one claim. */
const CLAIMED = 16;
const ME = randomUUID();

let parts: {
  readonly store: StoreClass;
  readonly answer: string;
  readonly newJobKey: typeof NewJobKey;
  readonly newUuid: typeof NewUuid;
};

interface Modules {
  readonly Store: typeof StoreClass;
  readonly shareSqlite: typeof ShareSqlite;
  readonly sharePostgresql: typeof SharePostgresql;
  readonly judge: typeof Judge;
  readonly OPERATIONS: typeof Operations;
  readonly answerOf: typeof AnswerOf;
  readonly newJobKey: typeof NewJobKey;
  readonly newUuid: typeof NewUuid;
}

async function open({ modules, place, keepTexts = false }: LedgerPlace): Promise<void> {
  const { Store, shareSqlite, sharePostgresql, judge, OPERATIONS, answerOf, newJobKey, newUuid } =
    createRequire(__filename)(modules) as Modules;
  const { engine } = await (place.includes("://")
    ? sharePostgresql({ url: place, schema: "messaging", tls: null })
    : shareSqlite(place));
  const store = new Store(engine, { keepTexts });
  await store.instances(ME).start();
  const body = Buffer.from(JSON.stringify({ statusCode: 2000, transferId: "t", smsCount: 1 }));
  const verdict = judge(OPERATIONS[OPERATION], { answer: { status: 200, headers: {}, body } }, true, 0);
  // States of before knew no operation there.
  const answer =
    answerOf.length === 4
      ? answerOf(OPERATION, verdict, false, false)
      : (answerOf as unknown as (...given: unknown[]) => string)(verdict, false, false);
  parts = { store, answer, newJobKey, newUuid };
}

const newMessage = (): [NewJob, NewRequest] => [
  {
    key: parts.newJobKey(),
    account: ACCOUNT,
    node: NODE,
    resultOwner: ME,
    channel: "sms",
    snapshot:
      '{"_msgid":"8a7b6c5d4e3f2a1b","payload":"Your parcel is ready to be collected.","topic":"orders/4711"}',
  },
  {
    part: 0,
    operation: OPERATION,
    priority: 0,
    clientMessageId: parts.newUuid(),
    content: '{"messageContent":"Your parcel is ready to be collected."}',
    recipients: [`4179${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`],
  },
];

async function finish(ids: readonly number[]): Promise<void> {
  const { store, answer } = parts;
  const settled = ids.map((id) => ({
    id,
    outcome: "sent" as const,
    transferId: randomUUID(),
    attempts: 1,
    answer,
    emitted: false,
  }));
  await store.settlements.settle(ME, settled);
  await store.settlements.emitted(ids);
}

async function leaveAtOnce(): Promise<number> {
  const leaving = await parts.store.jobs.acceptSending(...newMessage(), ME);
  if (leaving === null) {
    throw new Error("a message was queued");
  }
  await finish([leaving.id]);
  return 1;
}

async function goThroughQueue(): Promise<number> {
  const { store } = parts;
  await Promise.all(
    Array.from({ length: CLAIMED }, () => {
      const [job, request] = newMessage();
      return store.jobs.take(job, [request]);
    }),
  );
  const claimed = await store.claims.claim(ACCOUNT, ME, CLAIMED);
  await Promise.all(claimed.map(({ id }) => finish([id])));
  return claimed.length;
}

async function sample({ messages, queued }: { messages: number; queued: boolean }): Promise<LedgerSample> {
  const before = processorTime();
  let done = 0;
  const one = queued ? goThroughQueue : leaveAtOnce;
  const work = async (): Promise<void> => {
    while (done < messages) {
      const count = await one();
      done += count;
    }
  };
  await Promise.all(Array.from({ length: queued ? IN_FLIGHT / CLAIMED : IN_FLIGHT }, work));
  return { messages: done, cpu: processorTime() - before };
}

/** Brings everything into the file. */
const settleDown = async (): Promise<void> => parts.store.engine.tidy();

serve({ open, sample, settleDown });
