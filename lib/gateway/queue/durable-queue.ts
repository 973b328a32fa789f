import { FieldError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import type { ClaimGuard } from "../../store/guards/guard-calls";
import { rulesOf } from "../../store/guards/request-rules";
import type { Instances } from "../../store/instances";
import type { LeavingRequest as TakenRequest, NewJob, NewRequest, StoredRequest } from "../../store/jobs";
import type { ClaimedRequest, ReleasedRequest } from "../../store/requests";
import type { Store } from "../../store/store";
import { queueTopic } from "../../store/topics";
import type { PreparedRequest } from "../codec/prepare-request";
import { fieldVerdict, localVerdict, type Verdict, withoutDetail } from "../codec/verdict";
import { ClaimAhead } from "./claim-ahead";
import { OutcomeWriter } from "./outcome-writer";
import type { HeldPart } from "./held-part";
import { LeavingRequest } from "./leaving-request";
import { OwnRequests } from "./own-requests";
import { OwnPace } from "./own-pace";
import type { Pace } from "./pace";
import type { StoredLane } from "./queue-handle";
import { type QueueOwner, queueOwner } from "./queue-owner";
import { SharedPace } from "./shared-pace";
import { answerOf, provenVerdict } from "./stored-content";
import { UnderWay } from "../../shared/async/under-way";
import { type Unwritten, unwrittenOf } from "./unwritten";

/** ms until a store that failed is asked again. */
const RETRY = 1_000;
/** ms after which the store is asked for what nobody has told of. */
const LONGEST_WAIT = 30_000;
/** ms until a request that the set-up does not allow is tried again. */
const SET_UP_PAUSE = 30_000;
/** No request waits longer than this many ms for its next try. Above every pause of the retry policy. */
export const LONGEST_PAUSE = 120_000;

/** Knows the messages of stored requests. */
export interface StoredMessages {
  /** Fetches what `open` needs for these requests; null where it needs nothing, which is nearly always so. Never rejects. */
  ready(requests: readonly ClaimedRequest[]): Promise<void> | null;
  /** The request with its content decrypted where that can be done; nearly always the same object. Must not throw. */
  open(request: ClaimedRequest): ClaimedRequest;
  /**
   * The request as it leaves, or the verdict of a part that is not sent.
   * @throws FieldError, SetupError, StoreError where it cannot be sent with today's settings
   */
  prepare(request: ClaimedRequest, lane: StoredLane): PreparedRequest | Verdict;
  /** The parts of a claimed request that do not leave now; none where all of it may leave. Must not throw. */
  hold(request: ClaimedRequest): readonly HeldPart[];
  /** What the claims of the account have to keep to. */
  readonly guard: () => ClaimGuard;
  /** Whether the send is a test, which the service only simulates. */
  isTest(request: ClaimedRequest): boolean;
  /**
   * The outcome of the request is known; it is on the disk unless the store is away. Must not throw.
   * @param taker instance that emits it: this process, or another one that has been told
   */
  settled(request: ClaimedRequest, verdict: Verdict, taker: string, answeredAt: number): void;
  /** Recipients of the request have become requests of their own. @param count of those requests */
  divided(request: ClaimedRequest, count: number): void;
  /** These requests are marked as emitted on the disk. */
  marked(ids: readonly number[]): void;
  /** Results are on the disk now that could not be emitted when they were known. */
  late(): void;
  /** The database does not know this process, because another file is in its place. The queue sends nothing more. */
  lost(): void;
}

/** What a durable queue works on. */
export interface QueueStore {
  readonly account: string;
  readonly store: Store;
  /** This process. */
  readonly instances: Instances;
}

/**
 * The queue of an account in the store. It claims as many requests as the dispatcher can start at once, so that as few as possible
 * are marked as leaving when the process ends, and writes their outcomes.
 */
export class DurableQueue {
  readonly #lane: StoredLane;
  readonly #writer: OutcomeWriter;
  readonly #stopListening: () => void;
  readonly #owner: QueueOwner;
  readonly #unwritten: Unwritten;
  /** Requests that the dispatcher has. */
  readonly #leaving = new UnderWay();
  /** Requests that are being taken and claimed in one. */
  readonly #departing = new UnderWay();
  /** Whether a request may wait for its time. */
  #mayWait = true;
  readonly #pace: Pace;
  readonly #ahead: ClaimAhead;
  readonly #own = new OwnRequests();
  /** Requests that the running claim asked for. */
  #claiming = 0;
  /** Whether there may be something to claim, and whether that was said during the running claim. */
  #mayHave = true;
  #wokenInClaim = false;
  /** Epoch ms at which a limit was found to keep everything of the account from leaving, and until when it does. */
  #limitedSince = 0;
  #limited = 0;
  #lost = false;
  /** Whether people were told of a fault. */
  #failing = false;
  /** Whether the store has failed since it last proved that it works and knows this process. */
  #doubtful = false;
  #retryTimer: NodeJS.Timeout | null = null;
  #dueTimer: NodeJS.Timeout | null = null;
  #dueAt = Number.POSITIVE_INFINITY;
  #started = false;
  #stopped = false;
  readonly #work = new Set<Promise<unknown>>();

  /**
   * @param openLane gives access to the dispatcher
   * @param simulated whether the service is the built-in simulator
   * @param fault told of each failure of the store, and with null when it works again
   */
  constructor(
    private readonly place: QueueStore,
    openLane: (onIdle: () => void) => StoredLane,
    private readonly messages: StoredMessages,
    private readonly simulated: boolean,
    private readonly fault: (error: Error | null) => void,
    /** Epoch ms. */
    private readonly now: () => number = Date.now,
  ) {
    const { store, instances, account } = place;
    this.#lane = openLane(() => this.#pump());
    this.#owner = queueOwner(instances, account);
    this.#unwritten = unwrittenOf(store.engine.place, account);
    this.#ahead = new ClaimAhead(store.engine.exclusive ? 0 : this.#lane.concurrency);
    const listener = {
      fault: (error: Error | null) => (error === null ? this.#works() : this.#failed(error)),
      settled: (id: number) => this.#owner.held.delete(id),
      marked: (ids: readonly number[]) => this.messages.marked(ids),
      late: () => this.messages.late(),
    };
    // While others are claimed no connection waits for an outcome to be written.
    const enough = (): number => (this.#lane.waiting > 0 ? this.#together : 1);
    this.#writer = new OutcomeWriter(store.requests, instances.id, this.#unwritten, listener, enough);
    const paced = {
      account,
      owner: instances.id,
      onTurn: () => this.#pump(),
      guard: () => ({ ...messages.guard(), simulated }),
      giveBack: (request: ClaimedRequest) => this.putBack(request, 0, request.attempts),
    };
    this.#pace = store.engine.exclusive
      ? new OwnPace(this.#lane, store.requests, paced)
      : new SharedPace(this.#lane, store, paced);
    this.#stopListening = store.engine.listen(queueTopic(account), () => this.wake());
  }

  /** Writes what this process knows and could not write before, so that it is not emitted once more. @throws StoreError */
  recover(): Promise<void> {
    return this.#writer.recover();
  }

  /** Somebody else has seen the store fail: it is asked until it works. */
  noteFault(error: Error): void {
    this.#failed(error);
    this.#tryLater();
  }

  /** Starts to send; until then requests can only be put into the store. */
  start(): void {
    void this.#owner.quiet.then(() => {
      this.#started = true;
      this.wake();
    });
  }

  /** Whether a new request may be taken with `takeLeaving`: nothing waits before it, and the dispatcher can start it. */
  get mayTakeLeaving(): boolean {
    return (
      this.#started &&
      !this.#stopped &&
      !this.#lost &&
      !this.#lane.paused &&
      !this.#doubtful &&
      !this.#owner.uncertain &&
      !this.#mayHave &&
      this.#retryTimer === null &&
      this.#limitedFor <= 0 &&
      this.#lane.free &&
      this.#room > 0
    );
  }

  /**
   * Takes a message of one request, and sends it. To be called only while `mayTakeLeaving`.
   * @throws StoreError; where it is uncertain and the store has the message all the same, it leaves as others do
   */
  async takeLeaving(job: NewJob, request: NewRequest): Promise<void> {
    const { store, instances } = this.place;
    const { id: owner } = instances;
    this.#departing.begin();
    let leaving: TakenRequest | null = null;
    try {
      leaving = await store.jobs.takeLeaving(job, request, owner, this.#lane.origin, this.messages.guard());
    } catch (error) {
      this.#owner.uncertain ||= error instanceof StoreError && error.uncertain;
      throw error;
    } finally {
      this.#departing.end();
      if (leaving === null) {
        // It waits like others: the account is paused, or another process was told to make a pause.
        this.wake();
      } else {
        this.#begin(claimedOf(job, request, leaving), Number.POSITIVE_INFINITY);
      }
    }
  }

  /** Whether so many wait that nobody notices when one is accepted a moment later. */
  get isBusy(): boolean {
    return this.#lane.waiting > 0;
  }

  /** These requests of this process are in the store, and wait like others. */
  accepted(stored: readonly StoredRequest[], keyed: boolean): void {
    if (!this.place.store.engine.exclusive && this.#lane.interval === 0) {
      for (const { id } of stored) {
        if (!this.#owner.held.has(id)) {
          this.#own.add(id, keyed);
        }
      }
    }
  }

  /** ms for which nothing of the account leaves; asks the store again after the computer's clock was set back. */
  get #limitedFor(): number {
    const now = this.now();
    return now < this.#limitedSince ? 0 : this.#limited - now;
  }

  /** Requests that the dispatcher could start at once beyond those that were claimed for it. */
  get #idle(): number {
    const { reserved, waiting } = this.#pace;
    return this.#lane.idle - reserved - waiting - this.#claiming - this.#departing.count;
  }

  /** Requests that are claimed while no connection is free for them, beyond those that were. */
  get #most(): number {
    return this.#lane.free ? this.#ahead.most(performance.now()) : 0;
  }

  /** Requests that are claimed together, and outcomes that are written together, while no connection waits for them. */
  get #together(): number {
    return Math.max(1, Math.ceil(this.#most / 2));
  }

  /** Requests that can be claimed. */
  get #room(): number {
    const room = this.#idle + this.#most - this.#lane.waiting;
    return this.#idle > 0 || room >= this.#together ? room : 0;
  }

  /** There may be something to send. */
  wake(): void {
    this.#mayHave = true;
    this.#wokenInClaim = true;
    this.#pump();
  }

  /** The result of this request has left its node. */
  emitted(id: number): void {
    this.#writer.emitted(id);
  }

  /** Claims nothing more, waits up to `grace` ms for answers, and writes what is known. */
  async close(grace: number): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    clearTimeout(this.#retryTimer ?? undefined);
    clearTimeout(this.#dueTimer ?? undefined);
    for (const request of this.#pace.stop()) {
      this.putBack(request, 0, request.attempts);
    }
    this.#lane.stop();
    // Requests that a claim brings now are put back, which is work as well.
    const quiet = this.#settled().then(() => this.#settled());
    const before = this.#owner.quiet;
    this.#owner.quiet = before.then(() => quiet);
    await quiet;
    await this.#lane.close(grace);
    // The last verdicts come in later turns.
    await this.#leaving.idle();
    await this.#settled();
    await this.#writer.close();
  }

  async #settled(): Promise<void> {
    await Promise.allSettled([...this.#work, this.#departing.idle()]);
  }

  #pump(): void {
    const mayClaim = this.#started && !this.#stopped && !this.#lost && !this.#lane.paused;
    if (!mayClaim || this.#retryTimer !== null) {
      return;
    }
    const limited = this.#limitedFor;
    if (limited > 0) {
      this.#wakeIn(limited);
      return;
    }
    const room = this.#mayHave ? this.#room : 0;
    if (room > 0) {
      this.#pace.reserve(room);
    }
    if (this.#pace.reserved > 0 && this.#claiming === 0) {
      this.#claiming = this.#pace.use();
      this.#track(this.#claim(this.#claiming));
    }
  }

  #track(work: Promise<unknown>): void {
    this.#work.add(work);
    const end = (): void => void this.#work.delete(work);
    work.then(end, (error: unknown) => {
      end();
      this.#failed(error);
    });
  }

  async #claim(most: number): Promise<void> {
    const { store } = this.place;
    this.#wokenInClaim = false;
    let claimed: readonly ClaimedRequest[] = [];
    try {
      if (await this.#isSound()) {
        await this.#putBackAll();
        const own = this.#own.next(most, performance.now());
        const { requests, drained } = await this.#pace.claim(most, own);
        claimed = requests;
        if (own === null) {
          this.#own.found(requests, this.place.instances.id);
        }
        if (!this.#doubtful) {
          this.#works();
        }
        if (drained) {
          this.#mayHave = this.#wokenInClaim;
          if (this.#mayWait || !store.engine.exclusive) {
            this.#track(this.#scheduleNextDue());
          }
        }
      }
    } catch (error) {
      this.#owner.uncertain ||= error instanceof StoreError && error.uncertain;
      this.#failed(error);
      this.#tryLater();
    }
    for (const request of claimed) {
      this.#hold(request);
    }
    const preparing = this.messages.ready(claimed);
    if (preparing !== null) {
      await preparing;
    }
    if (this.#stopped) {
      for (const request of claimed) {
        this.putBack(request, 0, request.attempts);
      }
      return;
    }
    // A request that ends within its start frees its worker before the others have started.
    this.#claiming = claimed.length;
    this.#pace.start(claimed, (request, latest) => this.#begin(request, latest));
    this.#claiming = 0;
    this.#pump();
  }

  #hold(request: ClaimedRequest): void {
    this.#owner.held.set(request.id, request);
    this.#own.delete(request.id);
    // Only what was put back can be claimed.
    this.#unwritten.releases.delete(request.id);
  }

  /** Whether the store works and knows this process. A claim of nothing would not show it, because it writes nothing. */
  async #isSound(): Promise<boolean> {
    if (this.#doubtful) {
      this.#doubtful = false;
      if (!(await this.place.instances.beat())) {
        this.#lost = true;
        this.messages.lost();
      }
    }
    return !this.#lost;
  }

  /** Puts back what could not be put back before, and what a claim has taken whose answer was lost. @throws StoreError */
  async #putBackAll(): Promise<void> {
    const { store, instances, account } = this.place;
    await this.#unwritten.writeReleases(store.requests, (id) => this.#owner.held.delete(id));
    if (this.#owner.uncertain) {
      // No new ones begin while it is.
      await this.#departing.idle();
      await store.requests.releaseOthers(account, instances.id, [...this.#owner.held.keys()]);
      this.#owner.uncertain = false;
    }
  }

  #tryLater(): void {
    if (!this.#stopped) {
      this.#retryTimer ??= setTimeout(() => {
        this.#retryTimer = null;
        this.wake();
      }, RETRY);
    }
  }

  #begin(claimed: ClaimedRequest, latest: number): void {
    const request = this.messages.open(claimed);
    this.#hold(request);
    const held = this.messages.hold(request);
    if (held.length > 0) {
      this.#holdBack(request, held);
      this.#passPlaceOn();
      return;
    }
    let prepared: PreparedRequest | Verdict;
    try {
      prepared = this.messages.prepare(request, this.#lane);
    } catch (error) {
      if (error instanceof SetupError || error instanceof StoreError) {
        // The message is not to blame.
        this.#failed(error);
        this.putBack(request, SET_UP_PAUSE, request.attempts);
        this.#passPlaceOn();
        return;
      }
      prepared =
        error instanceof FieldError
          ? fieldVerdict(error)
          : localVerdict("INTERNAL_FAULT", (error as Error).message);
    }
    if ("outcome" in prepared) {
      this.answered(request, prepared);
      this.#passPlaceOn();
    } else {
      const leaving = new LeavingRequest(this, this.place.instances, request, latest);
      this.#leaving.begin();
      this.#lane.start(prepared, leaving, request.attempts);
    }
  }

  /** The place of a request that does not leave is for another one: no end of a request tells of it. */
  #passPlaceOn(): void {
    // Not before all of the same claim have begun.
    queueMicrotask(() => this.#pump());
  }

  /** Parts of a request that do not leave now: the whole of it, or some of its recipients. */
  #holdBack(request: ClaimedRequest, held: readonly HeldPart[]): void {
    const [first, ...others] = held as [HeldPart, ...HeldPart[]];
    const count = held.reduce((sum, { recipients }) => sum + recipients.length, 0);
    if (count < request.recipients.length) {
      this.#track(this.#divide(request, held, null));
    } else if (others.length > 0) {
      this.#track(this.#divide(request, others, first));
    } else {
      this.#holdAll(request, first);
    }
  }

  #holdAll(request: ClaimedRequest, { verdict, until, all }: HeldPart): void {
    if (verdict !== null) {
      this.answered(request, verdict);
    } else {
      if (all) {
        this.#limitedSince = this.now();
        this.#limited = until;
      }
      const wait = all ? 0 : Math.max(1, until - this.now());
      this.#track(this.#release(request, wait, request.attempts, wait > 0));
    }
  }

  /** @param kept what stays of the request and is held back too; null where the rest of it leaves */
  async #divide(request: ClaimedRequest, held: readonly HeldPart[], kept: HeldPart | null): Promise<void> {
    const { store, instances, account } = this.place;
    const groups = held.map(({ recipients, verdict, until, all }) => ({
      recipients,
      settled:
        verdict === null
          ? null
          : {
              outcome: verdict.outcome,
              answer: answerOf(request.operation, verdict, this.messages.isTest(request), this.simulated),
            },
      until: all ? null : until,
    }));
    const isLast = (): boolean => this.#owner.held.get(request.id) === request;
    let isMine = false;
    try {
      isMine = await store.divisions.divide(request, account, instances.id, groups, kept === null);
    } catch (error) {
      // Whole or divided, it is looked at again. Not put back at once: divided it may have been claimed again, which nobody may undo.
      if (isLast()) {
        this.#unwritten.releases.set(request.id, {
          owner: instances.id,
          released: this.#released(request, 0, request.attempts, false),
        });
      }
      this.#mayWait = true;
      this.#failed(error);
      this.#tryLater();
      return;
    }
    this.#mayWait = true;
    if (isMine) {
      this.messages.divided(request, groups.length);
    }
    if (isMine && kept !== null) {
      const rest = { ...request, recipients: kept.recipients };
      this.#hold(rest);
      this.#holdAll(rest, kept);
      return;
    }
    if (isLast()) {
      this.#owner.held.delete(request.id);
    }
    this.wake();
  }

  ended(): void {
    this.#leaving.end();
  }

  answered(request: ClaimedRequest, verdict: Verdict): void {
    const { outcome, transferId, attempts } = verdict;
    this.#ahead.answered(performance.now());
    const answeredAt = Date.now();
    this.#writer.add({
      settled: {
        id: request.id,
        outcome,
        transferId,
        attempts,
        answer: answerOf(
          request.operation,
          request.sensitive ? withoutDetail(request.operation, verdict) : verdict,
          this.messages.isTest(request),
          this.simulated,
        ),
        emitted: false,
        guarded: this.#isGuarded(request),
        keyed: request.rules.once,
      },
      onWritten: (written) => {
        const taker = written === null ? request.taker : written.taker;
        if (taker !== null) {
          const proved = written?.outcome === "sent" && outcome === "unknown";
          this.messages.settled(request, proved ? provenVerdict(verdict) : verdict, taker, answeredAt);
        }
      },
    });
  }

  putBack(request: ClaimedRequest, delay: number, attempts: number): void {
    this.#track(this.#release(request, delay, attempts, false));
  }

  /** Whether it has taken once keys or a part of a limit. */
  #isGuarded({ rules }: ClaimedRequest): boolean {
    return rules.once || this.messages.guard().limits !== null;
  }

  #released(request: ClaimedRequest, delay: number, attempts: number, postponed: boolean): ReleasedRequest {
    const guarded = this.#isGuarded(request);
    return { id: request.id, delay, priority: attempts, attempts, guarded, postponed };
  }

  async #release(
    request: ClaimedRequest,
    delay: number,
    attempts: number,
    postponed: boolean,
  ): Promise<void> {
    this.#mayWait = true;
    const { store, instances, account } = this.place;
    const { id } = request;
    const released = this.#released(request, delay, attempts, postponed);
    const isLast = (): boolean => this.#owner.held.get(id) === request;
    try {
      await store.requests.release(account, instances.id, [released]);
      if (isLast()) {
        this.#owner.held.delete(id);
      }
      this.#wakeIn(delay);
    } catch (error) {
      // Where it was claimed again meanwhile, it had been put back in spite of the error.
      if (isLast()) {
        this.#unwritten.releases.set(id, { owner: instances.id, released });
      }
      this.#failed(error);
      this.#tryLater();
    }
  }

  async #scheduleNextDue(): Promise<void> {
    try {
      const { store, account } = this.place;
      this.#mayWait = false;
      const due = await store.requests.nextDue(account);
      this.#mayWait ||= due !== null;
      // Where the computer's clock was set back, pauses before another try are too long.
      const cut = due !== null && due > LONGEST_PAUSE ? await store.requests.limitDelays(account, RETRY) : 0;
      if (due !== null) {
        this.#wakeIn(cut > 0 ? RETRY : due);
      } else if (!store.engine.exclusive) {
        // What another process has put there, and nobody told of.
        this.#wakeIn(LONGEST_WAIT);
      }
    } catch (error) {
      this.#failed(error);
      this.#tryLater();
    }
  }

  #wakeIn(delay: number): void {
    const wait = Math.min(delay, LONGEST_WAIT);
    const at = performance.now() + wait;
    if (this.#stopped || at >= this.#dueAt) {
      return;
    }
    clearTimeout(this.#dueTimer ?? undefined);
    this.#dueAt = at;
    this.#dueTimer = setTimeout(() => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.wake();
      // A timer fires a moment early at times.
    }, wait + 1);
  }

  #failed(error: unknown): void {
    this.#failing = true;
    this.#doubtful ||= error instanceof StoreError;
    this.fault(error as Error);
  }

  #works(): void {
    if (this.#failing) {
      this.#failing = false;
      this.fault(null);
    }
  }
}

/** The request as if a claim had given it. Written out: what a spread makes has a hash table of its own, for each message. */
const claimedOf = (
  { key: jobKey, node, taker }: NewJob,
  { part, operation, priority, clientMessageId, content, recipients, rules }: NewRequest,
  { id, job, held }: TakenRequest,
): ClaimedRequest => ({
  id,
  job,
  jobKey,
  taker,
  node,
  part,
  operation,
  priority,
  attempts: 0,
  clientMessageId,
  content,
  recipients,
  rules: rulesOf(rules),
  held,
});
