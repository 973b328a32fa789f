import { Batches } from "../engine/batches";
import type { Call, Engine, Value } from "../engine/engine";
import { call, changeInSlices, entryCall, rowOf, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { sliced } from "../engine/sliced";
import { nextClaim } from "../guards/claimed";
import {
  type BlockedNumber,
  type ClaimGuard,
  guardCalls,
  NO_GUARD,
  readBlocked,
} from "../guards/guard-calls";
import { dueOf, type RequestRules, ruleEntry } from "../guards/request-rules";
import type { State } from "../schema/expressions";
import { getScope, SIMULATOR } from "../schema/scope";
import type { Statement } from "../schema/statement";
import { queueTopic } from "../schema/topics";
import * as statements from "./job-statements";

/** A message of the flow, as it is accepted. */
export interface NewJob {
  /** By `MessageIds`. */
  readonly id: number;
  readonly account: string;
  /** Address of the service, or `SIMULATOR`. */
  readonly destination: string;
  /** Id of the node that emits its results. */
  readonly node: string;
  /** Instance that has the live message. */
  readonly resultOwner: string;
  readonly channel: string;
  /** The message as JSON, to restore it after a restart; null where it cannot be restored. */
  readonly snapshot: string | null;
}

/** One request to the service. Parts of a job count from 0 and are unique in it. */
export interface NewRequest {
  readonly part: number;
  readonly operation: string;
  /** Higher ones leave first; equal ones in the order in which they came. Usually 0. */
  readonly priority: number;
  readonly clientMessageId: string | null;
  /**
   * Its fields as JSON, without the recipients; null for a sensitive message, which only its result owner can send. Deleted when the
   * request is settled, unless texts are kept.
   */
  readonly content: string | null;
  /** Digits of each number, in the order in which they are sent. */
  readonly recipients: readonly string[];
  /** How many recipients of the same request were added before, on earlier pages. Only of a request with rules. */
  readonly after?: number | undefined;
  /** Without them it leaves as soon as it can, to everybody. */
  readonly rules?: RequestRules | undefined;
  /** Who it is for, by `writePerson`, where it is a row that has a name. */
  readonly person?: string | undefined;
}

/** A request that was taken and claimed in one. */
export interface LeavingRequest {
  readonly id: number;
  /** Recipients that it must not be sent to now. */
  readonly held: readonly BlockedNumber[];
}

interface AcceptedMessage {
  readonly job: NewJob;
  readonly requests: readonly NewRequest[];
  readonly patient: boolean;
}

interface SendingMessage {
  readonly job: NewJob;
  readonly request: NewRequest;
  readonly owner: string;
  readonly origin: string;
  readonly guard: ClaimGuard;
}

/** A request with its id. */
interface Numbered {
  readonly id: number;
  readonly job: NewJob;
  readonly request: NewRequest;
  /** Null where that of its job is kept. */
  readonly snapshot: string | null;
}

/** Who sends requests at once. */
interface Claim {
  readonly owner: string;
  readonly number: number;
}

const AT_ONCE = { due: null, postponed: 0 };

/** Whether a message may have several requests, now or when its recipients are divided. */
const isList = (requests: readonly NewRequest[]): boolean =>
  requests.length > 1 || requests[0]?.recipients.length !== 1;

type Entry = readonly Value[];

const jobEntry = ({ id, account, node, resultOwner, snapshot }: NewJob, committed: 0 | 1): Entry => {
  return [id, account, node, resultOwner, committed, snapshot];
};

/** The recipient of nearly all requests, which is in their row. */
const recipientOf = ({ recipients, after }: NewRequest): string | null =>
  recipients.length === 1 && after === undefined ? (recipients[0] ?? null) : null;

const requestValues = ({ id, job, request: { part, operation } }: Numbered): Entry => {
  return [id, job.id, part, job.account, job.node, operation];
};

function messageEntry(numbered: Numbered, acceptedAt: number): Entry {
  const { channel, destination } = numbered.job;
  const { request } = numbered;
  const simulated = destination === SIMULATOR ? 1 : 0;
  const whom = [recipientOf(request), request.person ?? null, request.clientMessageId];
  return [...requestValues(numbered), simulated, channel, acceptedAt, ...whom];
}

function outboxEntry(numbered: Numbered, now: number, state: State, claim: Claim | null): Entry {
  const { job, request, snapshot } = numbered;
  const { destination, resultOwner } = job;
  const { priority, content, rules } = request;
  const { due, postponed } = rules === undefined ? AT_ONCE : dueOf(rules, now);
  const times = [due, rules?.scheduled ?? null, postponed, 0];
  const before = [
    ...requestValues(numbered),
    destination,
    resultOwner,
    priority,
    ...times,
    content,
    snapshot,
  ];
  if (claim !== null && due === null) {
    return [...before, "sending", claim.owner, claim.number, now];
  }
  // Only its result owner has the text of a sensitive request.
  return [...before, state, content === null ? resultOwner : null, null, null];
}

const recipientEntries = (id: number, { recipients, after = 0 }: NewRequest): readonly Entry[] =>
  recipients.map((recipient, at) => [id, after + at, recipient]);

const unlessEmpty = (statement: Statement, entries: readonly Entry[]): readonly Call[] =>
  entries.length === 0 ? [] : [entryCall(statement, entries)];

/** Writes requests. @param claim for those that are sent at once; null where none is */
const addRequests = (
  all: readonly Numbered[],
  now: number,
  state: State,
  claim: Claim | null = null,
): readonly Call[] => [
  entryCall(
    statements.ADD_MESSAGES,
    all.map((each) => messageEntry(each, now)),
  ),
  ...unlessEmpty(
    statements.ADD_RECIPIENTS,
    all.flatMap(({ id, request }) => (recipientOf(request) === null ? recipientEntries(id, request) : [])),
  ),
  ...unlessEmpty(
    statements.ADD_POLICIES,
    all.flatMap(({ id, request: { rules } }) => (rules === undefined ? [] : [[id, ...ruleEntry(rules)]])),
  ),
  entryCall(
    statements.ADD_OUTBOX,
    all.map((each) => outboxEntry(each, now, state, claim)),
  ),
];

/** Queues the staged requests of a committed job: `Jobs.commit` does so, and recovery where a restart came between. */
export const queueStaged = (engine: Engine, job: number, account: string): Promise<number> =>
  changeInSlices(engine, statements.QUEUE_STAGED, [job], [queueTopic(account)]);

/**
 * Accepts messages into the store. A message is accepted when all of its requests are there: `accept` does that at once; `begin`,
 * `add` and `commit` do it page by page for long lists, of which nothing is sent before `commit`. Every call may throw StoreError.
 */
export class Jobs extends Repository {
  readonly #accepted = new Batches((all: readonly AcceptedMessage[]) => this.#acceptAll(all));
  readonly #sending = new Batches((all: readonly SendingMessage[]) => this.#acceptSendingAll(all));

  /**
   * Accepts a message whole. Its requests may be sent as soon as this resolves.
   * @param patient whether it may take some ms, to share its commit with others
   */
  async accept(job: NewJob, requests: readonly NewRequest[], patient = false): Promise<void> {
    await this.#accepted.add({ job, requests, patient });
  }

  /**
   * Accepts a message of one request that its owner sends at once: it is marked as sending with the same commit. Only while nothing that
   * came before it waits.
   * @param origin of the service, as for `RequestClaims.claim`
   * @returns null where it is queued like others, because it waits for its time, the account is paused, the owner has expired, or the
   * service is blocked
   * @throws StoreError. Where it is uncertain, the request may be sending without anybody's knowledge: see `RequestClaims.releaseOthers`
   */
  acceptSending(
    job: NewJob,
    request: NewRequest,
    owner: string,
    origin = "",
    guard = NO_GUARD,
  ): Promise<LeavingRequest | null> {
    return this.#sending.add({ job, request, owner, origin, guard });
  }

  /** Begins a message of several pages. */
  async begin(job: NewJob): Promise<void> {
    await this.engine.run([entryCall(statements.ADD_JOBS, [jobEntry(job, 0)])]);
  }

  /** Adds a page of about a thousand recipients to a message that was begun. A request may have further recipients on later pages. */
  async add(job: NewJob, requests: readonly NewRequest[]): Promise<void> {
    const [first] = requests;
    if (first?.after !== undefined && first.after > 0) {
      const row = await rowOf(this.engine, statements.FIND_REQUEST, job.id, first.part);
      await this.engine.run([entryCall(statements.ADD_RECIPIENTS, recipientEntries(Number(row?.id), first))]);
      return;
    }
    const now = this.clock.now();
    const ids = await this.ids.take(requests.length);
    const all = requests.map((request, at) => ({ id: ids[at] as number, job, request, snapshot: null }));
    await this.engine.run(addRequests(all, now, "staging"));
  }

  /**
   * The message is complete: from the first commit of this call on it is accepted, and its requests may be sent.
   * @returns false where it was removed, because others have taken this process for expired: nothing of it is sent
   */
  async commit(job: number, account: string): Promise<boolean> {
    const [, committed = []] = await this.engine.run([
      call(statements.COMMIT, job),
      call(statements.COMMITTED, job),
    ]);
    await queueStaged(this.engine, job, account);
    return committed.length > 0;
  }

  /** Removes a message that was begun and not committed. Nothing of it was sent. */
  async abandon(job: number): Promise<void> {
    await sliced(async (most) => {
      const dropped = await this.engine.run([
        call(statements.GIVE_UP, job),
        call(statements.DROP_RECIPIENTS, job, most),
        ...statements.DROP_REQUESTS.map((each) => call(each, job, most)),
        call(statements.DROP_JOB, job),
      ]);
      return Math.max(...dropped.map((rows) => rows.length));
    });
  }

  /** Those of the jobs that the database has, with the instance that emits their results, blank where all are emitted. */
  async known(jobs: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const rows = await rowsOf(this.engine, statements.KNOWN, JSON.stringify(jobs));
    return new Map(rows.map(({ job, resultOwner }) => [Number(job), String(resultOwner)]));
  }

  /** Those of the jobs that are not done. */
  async open(jobs: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await rowsOf(this.engine, statements.OPEN, JSON.stringify(jobs));
    return new Set(rows.map(({ job }) => Number(job)));
  }

  async #acceptAll(all: readonly AcceptedMessage[]): Promise<readonly undefined[]> {
    // A message of one request has its id.
    const missing = all.reduce((sum, { requests }) => sum + (requests.length > 1 ? requests.length : 0), 0);
    const ids = [...(await this.ids.take(missing))];
    const numbered = all.flatMap(({ job, requests }) =>
      requests.map((request) => ({
        id: requests.length > 1 ? (ids.shift() as number) : job.id,
        job,
        request,
        snapshot: isList(requests) ? null : job.snapshot,
      })),
    );
    const topics = [...new Set(all.map(({ job }) => queueTopic(job.account)))];
    const short = all.every(({ patient }) => patient) ? "patient" : "shared";
    const now = this.clock.now();
    await this.engine.run([...addLists(all), ...addRequests(numbered, now, "queued")], topics, short);
    return all.map(() => undefined);
  }

  async #acceptSendingAll(all: readonly SendingMessage[]): Promise<readonly (LeavingRequest | null)[]> {
    // All of them are of one account and one process.
    const [{ job, owner, origin, guard }] = all as readonly [SendingMessage, ...SendingMessage[]];
    const { limits, destination } = guard;
    const now = this.clock.now();
    const mayHaveKeys = all.some(({ request }) => request.rules?.once != null);
    const claim = nextClaim();
    const numbered = all.map(({ job: own, request }) => {
      const snapshot = isList([request]) ? null : own.snapshot;
      return { id: own.id, job: own, request, snapshot };
    });
    const before = [
      ...addLists(all.map((each) => ({ job: each.job, requests: [each.request] }))),
      ...addRequests(numbered, now, "queued", { owner, number: claim }),
    ];
    const scope = getScope(job.account, destination === SIMULATOR);
    const results = await this.engine.run(
      [
        ...before,
        call(statements.STOP_SENDING, owner, claim, job.account, origin),
        ...guardCalls(scope, owner, claim, now, limits, mayHaveKeys),
      ],
      [],
      limits !== null || mayHaveKeys ? "alone" : "shared",
    );
    const [stopped = [], ...found] = results.slice(before.length);
    const isStopped = new Set(stopped.map(({ id }) => Number(id)));
    const mayWait = ({ rules }: NewRequest): boolean => rules !== undefined && dueOf(rules, now).due !== null;
    const sending = numbered.filter(({ id, request }) => !isStopped.has(id) && !mayWait(request));
    const guarded = sending.map(({ id, request: { recipients, rules } }) => {
      return { id, recipients, cost: rules?.cost ?? 1 };
    });
    const held = readBlocked(found, guarded, mayHaveKeys, guard);
    const ids = new Set(sending.map(({ id }) => id));
    return numbered.map(({ id }) => (ids.has(id) ? { id, held: held.get(id) ?? [] } : null));
  }
}

/** Writes the messages of lists. */
const addLists = (all: readonly Pick<AcceptedMessage, "job" | "requests">[]): readonly Call[] =>
  unlessEmpty(
    statements.ADD_JOBS,
    all.filter(({ requests }) => isList(requests)).map(({ job }) => jobEntry(job, 1)),
  );
