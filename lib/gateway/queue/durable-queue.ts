import { UnderWay } from "../../shared/async/under-way";
import { rulesOf } from "../../store/guards/request-rules";
import type { LeavingRequest as TakenRequest, NewJob, NewRequest, StoredRequest } from "../../store/jobs";
import type { ClaimedRequest } from "../../store/request-claims";
import { queueTopic } from "../../store/topics";
import type { StoredLane } from "./queue-handle";
import { ClaimLoop } from "./stored/claim-loop";
import { HeldBack } from "./stored/held-back";
import { OutcomeWriter } from "./stored/outcome-writer";
import { PutBack } from "./stored/put-back";
import { QueueTimers } from "./stored/queue-timers";
import { RequestStarter } from "./stored/request-starter";
import { StoreHealth } from "./stored/store-health";
import type { QueueParts } from "./stored/stored-messages";

/**
 * The queue of an account in the store, with the settings of one deploy. It claims as many requests as the dispatcher can start at once,
 * so that as few as possible are marked as leaving when the process ends, and writes their outcomes.
 */
export class DurableQueue {
  readonly #lane: StoredLane;
  readonly #writer: OutcomeWriter;
  readonly #health: StoreHealth;
  readonly #timers = new QueueTimers(() => this.wake());
  readonly #putBack: PutBack;
  readonly #heldBack: HeldBack;
  readonly #starter: RequestStarter;
  readonly #loop: ClaimLoop;
  /** Requests that are being taken and claimed in one. */
  readonly #departing = new UnderWay();
  readonly #work = new Set<Promise<unknown>>();
  readonly #stopListening: () => void;

  constructor(private readonly parts: QueueParts) {
    const { place, memory, openLane, contents, results, listener, simulated } = parts;
    const { store, instances, account } = place;
    const now = parts.now ?? Date.now;
    const track = (work: Promise<unknown>): void => this.#track(work);
    const failed = (error: unknown): void => this.#failed(error);
    this.#lane = openLane(() => this.#loop.pump());
    this.#health = new StoreHealth(listener.fault);
    this.#putBack = new PutBack(place, memory, {
      isGuarded: (request) => this.#starter.isGuarded(request),
      claimed: (id) => this.#loop.claimed(id),
      track,
      due: (delay) => this.#timers.wakeIn(delay),
      failed,
    });
    const written = {
      fault: (error: Error | null) => (error === null ? this.#health.works() : this.#health.failed(error)),
      settled: (id: number) => this.#putBack.forget(id),
      marked: (ids: readonly number[]) => results.marked(ids),
      late: listener.late,
    };
    // While others are claimed no connection waits for an outcome to be written.
    const enough = (): number => (this.#lane.waiting > 0 ? this.#loop.together : 1);
    const { id } = instances;
    this.#writer = new OutcomeWriter(store.settlements, id, memory.pending, results, written, enough);
    this.#heldBack = new HeldBack(place, this.#putBack, contents, results, simulated, {
      answered: (request, verdict) => this.#starter.answered(request, verdict),
      track,
      wake: () => this.wake(),
      failed,
      now,
    });
    this.#starter = new RequestStarter(parts, {
      lane: this.#lane,
      writer: this.#writer,
      putBack: this.#putBack,
      heldBack: this.#heldBack,
      onAnswer: () => this.#loop.answered(),
      // Not before all of the same claim have begun.
      freed: () => queueMicrotask(() => this.#loop.pump()),
      failed: (error) => this.#health.failed(error),
    });
    this.#loop = new ClaimLoop(parts, {
      lane: this.#lane,
      health: this.#health,
      timers: this.#timers,
      putBack: this.#putBack,
      heldBack: this.#heldBack,
      starter: this.#starter,
      departing: this.#departing,
      track,
      failed,
    });
    this.#stopListening = store.engine.listen(queueTopic(account), () => this.wake());
  }

  /** Writes what this process knows and could not write before, so that it is not emitted once more. @throws StoreError */
  recover(): Promise<void> {
    return this.#writer.recover();
  }

  /** Somebody else has seen the store fail: it is asked until it works. */
  noteFault(error: Error): void {
    this.#failed(error);
  }

  /** Starts to send, as soon as no queue before it claims anything; until then requests can only be put into the store. */
  start(): void {
    void this.parts.memory.claims.quiet.then(() => this.#loop.start());
  }

  /** There may be something to send. */
  wake(): void {
    this.#loop.wake();
  }

  /** Whether a new request may be taken with `takeLeaving`: nothing waits before it, and the dispatcher can start it. */
  get mayTakeLeaving(): boolean {
    return this.#loop.isIdle && this.#lane.free && this.#loop.room > 0;
  }

  /**
   * Takes a message of one request, and sends it. To be called only while `mayTakeLeaving`.
   * @throws StoreError; where it is uncertain and the store has the message all the same, it leaves as others do
   */
  async takeLeaving(job: NewJob, request: NewRequest): Promise<void> {
    const { place, rules } = this.parts;
    const { id: owner } = place.instances;
    this.#departing.begin();
    let leaving: TakenRequest | null = null;
    try {
      leaving = await place.store.jobs.takeLeaving(job, request, owner, this.#lane.origin, rules.guard());
    } catch (error) {
      this.#putBack.noteClaim(error);
      throw error;
    } finally {
      this.#departing.end();
      if (leaving === null) {
        // It waits like others: the account is paused, or another process was told to make a pause.
        this.wake();
      } else {
        this.#starter.start(claimedOf(job, request, leaving), Number.POSITIVE_INFINITY);
      }
    }
  }

  /** Whether so many wait that nobody notices when one is accepted a moment later. */
  get isBusy(): boolean {
    return this.#lane.waiting > 0;
  }

  /** These requests of this process are in the store, and wait like others. */
  accepted(stored: readonly StoredRequest[], keyed: boolean): void {
    this.#loop.accepted(stored, keyed);
  }

  /** The result of this request has left its node. */
  emitted(id: number): void {
    this.#writer.emitted(id);
  }

  /** Claims nothing more, waits up to `grace` ms for answers, and writes what is known. */
  async close(grace: number): Promise<void> {
    const { claims } = this.parts.memory;
    this.#stopListening();
    this.#timers.stop();
    for (const request of this.#loop.stop()) {
      this.#putBack.put(request, 0, request.attempts);
    }
    this.#lane.stop();
    // Requests that a claim brings now are put back, which is work as well.
    const quiet = this.#settled().then(() => this.#settled());
    const before = claims.quiet;
    claims.quiet = before.then(() => quiet);
    await quiet;
    await this.#lane.close(grace);
    await this.#starter.idle();
    await this.#settled();
    await this.#writer.close();
  }

  async #settled(): Promise<void> {
    await Promise.allSettled([...this.#work, this.#departing.idle()]);
  }

  #track(work: Promise<unknown>): void {
    this.#work.add(work);
    const end = (): void => void this.#work.delete(work);
    work.then(end, (error: unknown) => {
      end();
      this.#health.failed(error);
    });
  }

  /** The store has failed, and is asked again later. */
  #failed(error: unknown): void {
    this.#health.failed(error);
    this.#timers.retry();
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
