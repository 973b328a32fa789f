import { Batches } from "../engine/batches";
import type { Call, Engine, Short, Value } from "../engine/engine";
import { call, changeInSlices, rowsOf } from "../engine/query";
import { Repository } from "../engine/repository";
import { sliced } from "../engine/sliced";
import { nextClaim } from "../guards/claimed";
import {
  type ClaimGuard,
  guardCalls,
  type BlockedNumber,
  NO_GUARD,
  periodsOf,
  readHeld,
} from "../guards/guard-calls";
import { type RequestRules, ruleEntry } from "../guards/request-rules";
import * as statements from "./job-statements";
import { queueTopic } from "../schema/topics";
import { getScope, SIMULATOR } from "../schema/scope";

/** A message of the flow, as it is taken. */
export interface NewJob {
  /** Made by the caller, unique for ever: the same job taken twice, after an error for example, is taken once. */
  readonly key: string;
  readonly account: string;
  /** Address of the service, or `SIMULATOR`. */
  readonly destination: string;
  /** Id of the node whose outputs its results leave from. */
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
  readonly job: number;
  /** Recipients that it must not be sent to now. */
  readonly held: readonly BlockedNumber[];
}

/** A request that is in the store. */
export interface StoredRequest {
  readonly id: number;
  readonly part: number;
}

/** What a page of requests takes from its message. */
type PageJob = Pick<NewJob, "key" | "destination">;

interface TakenMessage {
  readonly job: NewJob;
  readonly requests: readonly NewRequest[];
  readonly patient: boolean;
}

interface LeavingMessage {
  readonly job: NewJob;
  readonly request: NewRequest;
  readonly owner: string;
  readonly origin: string;
  readonly guard: ClaimGuard;
}

/** Values of an entry without rules, of one with them, of a later page, and of one with the name of a person. */
const [PLAIN, WITH_RULES, WITH_AFTER] = [8, 9, 10];

function requestEntry({ key, destination }: PageJob, request: NewRequest, now: number): readonly unknown[] {
  const { part, operation, priority, clientMessageId, content, recipients, rules, after, person } = request;
  const entry = [key, part, operation, priority, clientMessageId, content, recipients, destination];
  if (person !== undefined) {
    return [...entry, rules === undefined ? null : ruleEntry(rules, now), after ?? 0, person];
  }
  if (rules === undefined) {
    return entry;
  }
  return after === undefined ? [...entry, ruleEntry(rules, now)] : [...entry, ruleEntry(rules, now), after];
}

/** Adds requests, the same entries without and with rules. @param values after the list */
function addRequests(entries: readonly (readonly unknown[])[], ...values: readonly Value[]): readonly Call[] {
  const list = JSON.stringify(entries);
  const most = entries.reduce((length, entry) => Math.max(length, entry.length), PLAIN);
  return [
    call(most > PLAIN ? statements.ADD_REQUESTS_WITH_RULES : statements.ADD_REQUESTS, list, ...values),
    call(
      most > WITH_AFTER
        ? statements.ADD_NAMED_RECIPIENTS
        : most > WITH_RULES
          ? statements.ADD_MORE_RECIPIENTS
          : statements.ADD_RECIPIENTS,
      list,
    ),
  ];
}

/** Queues what a sealed job still has to be queued: `Jobs.seal` does so, and recovery where a restart came between. */
export const queueFilled = (engine: Engine, key: string, account: string): Promise<number> =>
  changeInSlices(engine, statements.QUEUE_FILLED, [key], [queueTopic(account)]);

/**
 * Takes messages into the store. A message is taken when all of its requests are there: `take` does that at once; `begin`,
 * `add` and `seal` do it page by page for long lists, of which nothing leaves before `seal`. Every call may be repeated
 * after an error, and may throw StoreError.
 */
export class Jobs extends Repository {
  readonly #takes = new Batches((all: readonly TakenMessage[]) => this.#takeAll(all));
  readonly #departures = new Batches((all: readonly LeavingMessage[]) => this.#takeLeavingAll(all));

  /**
   * Takes a message whole. Its requests may leave as soon as this resolves.
   * @param patient whether it may take some ms, to share its commit with others
   * @returns its requests by part
   */
  take(job: NewJob, requests: readonly NewRequest[], patient = false): Promise<readonly StoredRequest[]> {
    return this.#takes.add({ job, requests, patient });
  }

  /**
   * Takes a message of one request that its owner sends at once: it is marked as leaving with the same commit. Only while nothing that
   * came before it waits.
   * @param origin of the service, as for `RequestClaims.claim`
   * @returns null where it is queued like others, because it waits for its time, the account is paused, the owner is not alive, or the
   * service is blocked
   * @throws StoreError. Where it is uncertain, the request may be leaving without anybody's knowledge: see `RequestClaims.releaseOthers`
   */
  acceptSending(
    job: NewJob,
    request: NewRequest,
    owner: string,
    origin = "",
    guard = NO_GUARD,
  ): Promise<LeavingRequest | null> {
    return this.#departures.add({ job, request, owner, origin, guard });
  }

  /** Begins a message of several pages. */
  async begin(job: NewJob): Promise<void> {
    await this.engine.run(this.#addJobs([job], 0));
  }

  /** Adds a page of about a thousand recipients to a message that was begun. */
  async add(job: PageJob, requests: readonly NewRequest[]): Promise<readonly StoredRequest[]> {
    const [stored = []] = await this.#store([], "filling", [{ job, requests }], []);
    return stored;
  }

  /**
   * The message is complete: from the first commit of this call on it is taken, and its requests may leave.
   * @returns false where it was removed, because others have taken this process for dead: nothing of it leaves
   */
  async seal(key: string, account: string): Promise<boolean> {
    const [, sealed = []] = await this.engine.run([call(statements.SEAL, key), call(statements.SEALED, key)]);
    await queueFilled(this.engine, key, account);
    return sealed.length > 0;
  }

  /** Removes a message that was begun and not sealed. Nothing of it has left. */
  async abandon(key: string): Promise<void> {
    await sliced(async (most) => {
      const [, recipients = [], requests = []] = await this.engine.run([
        call(statements.GIVE_UP, key),
        call(statements.DROP_RECIPIENTS, key, most),
        call(statements.DROP_REQUESTS, key, most),
        call(statements.DROP_SNAPSHOT, key),
        call(statements.DROP_JOB, key),
      ]);
      return Math.max(recipients.length, requests.length);
    });
  }

  /** Those of the keys that the database has, with the instance that emits their results. */
  async known(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await rowsOf(this.engine, statements.KNOWN, JSON.stringify(keys));
    return new Map(rows.map(({ job_key, resultOwner }) => [String(job_key), String(resultOwner)]));
  }

  /** Those of the keys whose jobs are not done. */
  async open(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await rowsOf(this.engine, statements.OPEN, JSON.stringify(keys));
    return new Set(rows.map(({ job_key }) => String(job_key)));
  }

  #takeAll(all: readonly TakenMessage[]): Promise<readonly (readonly StoredRequest[])[]> {
    const jobs = all.map(({ job }) => job);
    const topics = [...new Set(jobs.map(({ account }) => queueTopic(account)))];
    const short = all.every(({ patient }) => patient) ? "patient" : "own";
    return this.#store(this.#addJobs(jobs, 1), "queued", all, topics, short);
  }

  async #takeLeavingAll(all: readonly LeavingMessage[]): Promise<readonly (LeavingRequest | null)[]> {
    // All of them are of one account and one process.
    const [{ job, owner, origin, guard }] = all as readonly [LeavingMessage, ...LeavingMessage[]];
    const { limits } = guard;
    const now = this.clock.now();
    const entries = all.map((each) => requestEntry(each.job, each.request, now));
    const mayHaveKeys = all.some(({ request }) => request.rules?.once != null);
    const claim = nextClaim();
    const jobs = this.#addJobs(
      all.map((each) => each.job),
      1,
    );
    const results = await this.engine.run(
      [
        ...jobs,
        ...addRequests(entries, "queued", now, claim, ...periodsOf(guard), owner, origin),
        ...guardCalls(
          getScope(job.account, guard.destination === SIMULATOR),
          owner,
          claim,
          now,
          limits,
          mayHaveKeys,
        ),
      ],
      [],
      limits !== null || mayHaveKeys ? "contended" : "own",
    );
    const [rows = [], , ...found] = results.slice(jobs.length);
    const requests = new Map(all.map((each) => [each.job.key, each.request]));
    const leaving = rows
      .filter(({ state }) => state === "leaving")
      .map((row) => {
        const { recipients = [], rules } = requests.get(String(row.job_key)) ?? {};
        const [id, ofJob] = [Number(row.id), Number(row.job)];
        return { key: row.job_key, id, job: ofJob, recipients, cost: rules?.cost ?? 1 };
      });
    const held = readHeld(found, leaving, mayHaveKeys, guard);
    const byKey = new Map(
      leaving.map(({ key, id, job: ofJob }) => [key, { id, job: ofJob, held: held.get(id) ?? [] }]),
    );
    return all.map((each) => byKey.get(each.job.key) ?? null);
  }

  #addJobs(jobs: readonly NewJob[], sealed: 0 | 1): readonly Call[] {
    const entries = jobs.map(({ key, account, node, resultOwner, channel }) => [
      key,
      account,
      node,
      resultOwner,
      channel,
    ]);
    const snapshots = jobs.flatMap(({ key, snapshot }) => (snapshot === null ? [] : [[key, snapshot]]));
    return [
      call(statements.ADD_JOBS, JSON.stringify(entries), this.clock.now(), sealed),
      ...(snapshots.length === 0 ? [] : [call(statements.ADD_SNAPSHOTS, JSON.stringify(snapshots))]),
    ];
  }

  /** @returns the requests of each page, those that were there before included */
  async #store(
    first: readonly Call[],
    state: "queued" | "filling",
    pages: readonly { readonly job: PageJob; readonly requests: readonly NewRequest[] }[],
    wake: readonly string[],
    short?: Short,
  ): Promise<readonly (readonly StoredRequest[])[]> {
    const now = this.clock.now();
    const entries = pages.flatMap(({ job, requests }) =>
      requests.map((each) => requestEntry(job, each, now)),
    );
    const adding = addRequests(entries, state, now, null, null, null, null, "");
    let rows = (await this.engine.run([...first, ...adding], wake, short)).at(-2) ?? [];
    if (rows.length < entries.length) {
      // Some were there before.
      rows = await rowsOf(this.engine, statements.FIND_REQUESTS, JSON.stringify(entries));
    }
    const ids = new Map(rows.map((row) => [`${row.job_key} ${row.part}`, Number(row.id)]));
    return pages.map(({ job: { key }, requests }) =>
      requests.flatMap(({ part }) => {
        const id = ids.get(`${key} ${part}`);
        return id === undefined ? [] : [{ id, part }];
      }),
    );
  }
}
