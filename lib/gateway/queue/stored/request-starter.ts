import { UnderWay } from "../../../shared/async/under-way";
import { FieldError, SetupError } from "../../../shared/messaging-error";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { PreparedRequest } from "../../codec/prepare-request";
import { fieldVerdict, localVerdict, type Verdict } from "../../codec/verdict";
import type { StoredWaiter } from "../queue-handle";
import type { BlockedRequests } from "./blocked-requests";
import { answeredNow, type OutcomeWriter } from "./outcome-writer";
import type { PutBack } from "./put-back";
import type { QueueCore } from "./stored-messages";

/** ms until a request that the set-up does not allow is tried again. */
const SET_UP_PAUSE = 30_000;
/** ms for which a request is put back at least while this process may not send. */
const RETRY = 1_000;

/** Gives claimed requests to the dispatcher, and their answers to whoever writes them. */
export class RequestStarter {
  /** Requests that the dispatcher has. */
  readonly #sending = new UnderWay();

  constructor(
    private readonly core: QueueCore,
    private readonly putBack: PutBack,
    private readonly blocked: BlockedRequests,
    private readonly writer: OutcomeWriter,
    /** A place is free that no end of a request tells of. */
    private readonly freed: () => void,
  ) {}

  /** Resolves when the dispatcher has none. The last verdicts come in later turns. */
  idle(): Promise<void> {
    return this.#sending.idle();
  }

  /** Starts a claimed request, unless rules hold it back. */
  start(request: ClaimedRequest): void {
    const { rules, dispatcher, signIns } = this.core;
    this.putBack.claimed(request);
    const held = rules.hold(request);
    if (held.length > 0) {
      this.blocked.hold(request, held);
      this.freed();
      return;
    }
    const prepared = this.#prepare(request);
    if (prepared === null) {
      this.putBack.put(request, SET_UP_PAUSE, request.attempts);
      this.freed();
    } else if ("outcome" in prepared) {
      this.#answered(request, prepared);
      this.freed();
    } else if (dispatcher.workers.idle === 0 || !signIns.admit(request)) {
      this.putBack.put(request, 0, request.attempts);
      this.freed();
    } else {
      this.#sending.begin();
      dispatcher.start(prepared, new SendingRequest(this, request), request.attempts);
    }
  }

  /** @returns null where the message is not to blame */
  #prepare(request: ClaimedRequest): PreparedRequest | Verdict | null {
    const { contents, dispatcher, work } = this.core;
    try {
      return contents.prepare(request, dispatcher);
    } catch (error) {
      if (error instanceof SetupError) {
        work.health.failed(error);
        return null;
      }
      return error instanceof FieldError
        ? fieldVerdict(error)
        : localVerdict("INTERNAL_FAULT", (error as Error).message);
    }
  }

  #answered(request: ClaimedRequest, verdict: Verdict): void {
    this.writer.add(answeredNow(request, verdict, this.core));
  }

  /** Whether this process may send. */
  get mayLeave(): boolean {
    return this.core.place.instances.mayLeave;
  }

  /** Whether a request keeps to the rate if its first byte is sent now. It may have waited for a token or a connection. */
  get keepsRate(): boolean {
    return this.core.dispatcher.limiter.depart();
  }

  /** Whether a started request may still be sent. */
  maySend(request: ClaimedRequest): boolean {
    return this.mayLeave && this.core.signIns.mayLeave(request);
  }

  /** The dispatcher has ended a request with this verdict. */
  ended(request: ClaimedRequest, verdict: Verdict): void {
    if (this.core.signIns.keeps(request, verdict)) {
      this.putBack.put(request, 0, request.attempts);
    } else {
      this.#answered(request, verdict);
    }
    this.#sending.end();
  }

  /** The dispatcher gives a request back, of which nothing has left. */
  gaveBack(request: ClaimedRequest, delay: number, attempts: number): void {
    if (attempts === request.attempts) {
      this.core.signIns.unsent(request);
    }
    // A process that may not send now would claim it again at once.
    this.putBack.put(request, this.mayLeave ? delay : Math.max(delay, RETRY), attempts);
    this.#sending.end();
  }
}

/** A request that this process has claimed, and that its dispatcher has. */
class SendingRequest implements StoredWaiter {
  #isInRate = false;

  constructor(
    private readonly starter: RequestStarter,
    private readonly request: ClaimedRequest,
  ) {}

  mayLeave(): boolean {
    return this.starter.maySend(this.request);
  }

  holdsLease(): boolean {
    // A repetition with a new token follows at once.
    this.#isInRate ||= this.starter.mayLeave && this.starter.keepsRate;
    return this.#isInRate && this.starter.mayLeave;
  }

  onVerdict(verdict: Verdict): void {
    this.starter.ended(this.request, verdict);
  }

  putBack(delay: number, attempts: number): void {
    this.starter.gaveBack(this.request, delay, attempts);
  }
}
