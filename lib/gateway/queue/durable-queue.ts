import { rulesOf } from "../../store/guards/request-rules";
import type { LeavingRequest as TakenRequest, NewJob, NewRequest } from "../../store/jobs/jobs";
import type { ClaimedRequest } from "../../store/jobs/request-claims";
import { queueTopic } from "../../store/schema/topics";
import { ClaimLoop } from "./stored/claim-loop";
import { BlockedRequests } from "./stored/blocked-requests";
import { OutcomeWriter } from "./stored/outcome-writer";
import { PutBack } from "./stored/put-back";
import { QueueWork } from "./stored/queue-work";
import { RequestStarter } from "./stored/request-starter";
import { claimGuard, type QueueCore, type QueueParts } from "./stored/stored-messages";

/** The queue of an account in the store. It claims only what can start at once: what is leaving when a process ends is `unknown`. */
export class DurableQueue {
  readonly #core: QueueCore;
  readonly #writer: OutcomeWriter;
  readonly #putBack: PutBack;
  readonly #starter: RequestStarter;
  readonly #loop: ClaimLoop;
  readonly #stopListening: () => void;
  readonly #unwatch: () => void;

  constructor(parts: QueueParts) {
    const { place, openForStore, listener, now = Date.now } = parts;
    const { store, account } = place;
    const dispatcher = openForStore(() => this.#loop.pump());
    const work = new QueueWork(listener.fault, () => this.wake());
    const core: QueueCore = { ...parts, dispatcher, work, now };
    const putBack = new PutBack(core);
    this.#writer = new OutcomeWriter(core, putBack, () => this.#loop.isGathering);
    const blocked = new BlockedRequests(core, putBack, this.#writer);
    // Not before all of the same claim have begun.
    const freed = (): void => queueMicrotask(() => this.#loop.pump());
    this.#starter = new RequestStarter(core, putBack, blocked, this.#writer, freed);
    this.#loop = new ClaimLoop(core, putBack, blocked, this.#starter);
    this.#core = core;
    this.#putBack = putBack;
    this.#stopListening = store.engine.listen(queueTopic(account), () => this.wake());
    this.#unwatch = parts.signIns.watch(() => this.wake());
  }

  /** Writes what this process knows and could not write before, so that it is not emitted twice. @throws StoreError */
  recover(): Promise<void> {
    return this.#writer.recover();
  }

  /** Somebody else has seen the store fail: it is asked until it works. */
  noteFault(error: Error): void {
    this.#core.work.failed(error);
  }

  /** Starts to send, as soon as no queue before it claims anything; until then requests can only be put into the store. */
  start(): void {
    void this.#core.memory.claims.quiet.then(() => this.#loop.start());
  }

  /** There may be something to send. */
  wake(): void {
    this.#loop.wake();
  }

  /** Whether a new request may be taken with `acceptSending`: nothing waits before it, and the dispatcher can start it. */
  mayAcceptSending(operation: string): boolean {
    const { dispatcher, signIns } = this.#core;
    const isOpen = !signIns.isPaused(operation);
    return isOpen && this.#loop.isIdle && dispatcher.limiter.free && this.#loop.room > 0;
  }

  /** Accepts a message of one request and sends it, while `mayAcceptSending`. @throws StoreError; where uncertain, it may leave as others do */
  async acceptSending(job: NewJob, request: NewRequest): Promise<void> {
    const { place, dispatcher, work } = this.#core;
    const { id: owner } = place.instances;
    work.departing.begin();
    let leaving: TakenRequest | null;
    try {
      leaving = await place.store.jobs.acceptSending(
        job,
        request,
        owner,
        dispatcher.origin,
        claimGuard(this.#core),
      );
    } catch (error) {
      this.#putBack.noteClaim(error);
      work.departing.end();
      // Its place is free, and where that is uncertain it is in the store all the same.
      this.wake();
      throw error;
    }
    work.departing.end();
    if (leaving === null) {
      // It waits like others: the account is paused, or another process was told to make a pause.
      this.wake();
    } else {
      this.#starter.start(claimedOf(job, request, leaving));
    }
  }

  /** Whether so many wait that nobody notices when one is accepted a moment later. */
  get isBusy(): boolean {
    return this.#loop.isBehind;
  }

  /** The result of this request has left its node. */
  emitted(id: number): void {
    this.#writer.emitted(id);
  }

  /** Claims nothing more, waits up to `grace` ms for answers, and writes what is known. */
  async close(grace: number): Promise<void> {
    const { memory, work, dispatcher } = this.#core;
    const { claims } = memory;
    this.#stopListening();
    this.#unwatch();
    work.timers.stop();
    for (const request of this.#loop.stop()) {
      this.#putBack.put(request, 0, request.attempts);
    }
    dispatcher.stop();
    // Requests that a claim brings now are put back, which is work as well.
    const quiet = work.settled().then(() => work.settled());
    const before = claims.quiet;
    claims.quiet = before.then(() => quiet);
    await quiet;
    await dispatcher.close(grace);
    await this.#starter.idle();
    await work.settled();
    await this.#writer.close();
  }
}

/** The request as if a claim had given it. */
function claimedOf({ node, resultOwner }: NewJob, request: NewRequest, sent: TakenRequest): ClaimedRequest {
  const { part, operation, priority, clientMessageId, content, recipients, rules } = request;
  return {
    id: sent.id,
    job: sent.id,
    held: sent.held,
    resultOwner,
    node,
    part,
    operation,
    priority,
    attempts: 0,
    clientMessageId,
    content,
    recipients,
    rules: rulesOf(rules),
  };
}
