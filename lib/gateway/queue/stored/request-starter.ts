import { UnderWay } from "../../../shared/async/under-way";
import { FieldError, SetupError } from "../../../shared/messaging-error";
import { StoreError } from "../../../store/engine/store-error";
import type { ClaimedRequest } from "../../../store/request-claims";
import type { PreparedRequest } from "../../codec/prepare-request";
import { fieldVerdict, localVerdict, type Verdict, withoutDetail } from "../../codec/verdict";
import type { StoredLane } from "../queue-handle";
import { answerOf } from "../stored-content";
import type { HeldBack } from "./held-back";
import { type LeavingListener, LeavingRequest } from "./leaving-request";
import type { OutcomeWriter } from "./outcome-writer";
import type { PutBack } from "./put-back";
import type { QueueParts } from "./stored-messages";

/** ms until a request that the set-up does not allow is tried again. */
const SET_UP_PAUSE = 30_000;
/** ms that a request may wait for a connection. Later its rules are asked again, with a new claim: somebody may have opted out meanwhile. */
const LONGEST_WAIT = 1_000;

/** The parts of a queue that a start needs. */
export interface StarterParts {
  readonly lane: StoredLane;
  readonly writer: OutcomeWriter;
  readonly putBack: PutBack;
  readonly heldBack: HeldBack;
  /** A request has its answer. */
  readonly onAnswer: () => void;
  /** A place is free that no end of a request tells of. */
  readonly freed: () => void;
  /** The set-up does not allow a request. Must not throw. */
  readonly failed: (error: unknown) => void;
}

/** Gives claimed requests to the dispatcher, and their answers to whoever writes them. */
export class RequestStarter implements LeavingListener {
  /** Requests that the dispatcher has. */
  readonly #leaving = new UnderWay();

  constructor(
    private readonly queue: QueueParts,
    private readonly parts: StarterParts,
  ) {}

  /** Resolves when the dispatcher has none. The last verdicts come in later turns. */
  idle(): Promise<void> {
    return this.#leaving.idle();
  }

  /** Starts a claimed request, unless rules hold it back. @param latest see `Begin` */
  start(claimed: ClaimedRequest, latest: number): void {
    const { contents, rules, place } = this.queue;
    const { putBack, heldBack, lane } = this.parts;
    const request = contents.open(claimed);
    putBack.hold(request);
    const held = rules.hold(request);
    if (held.length > 0) {
      heldBack.hold(request, held);
      this.parts.freed();
      return;
    }
    const prepared = this.#prepare(request);
    if (prepared === null) {
      putBack.put(request, SET_UP_PAUSE, request.attempts);
      this.parts.freed();
    } else if ("outcome" in prepared) {
      this.answered(request, prepared);
      this.parts.freed();
    } else {
      const until = lane.idle > 0 ? latest : Math.min(latest, performance.now() + LONGEST_WAIT);
      const leaving = new LeavingRequest(this, place.instances, request, until);
      this.#leaving.begin();
      lane.start(prepared, leaving, request.attempts);
    }
  }

  /** @returns null where the message is not to blame */
  #prepare(request: ClaimedRequest): PreparedRequest | Verdict | null {
    try {
      return this.queue.contents.prepare(request, this.parts.lane);
    } catch (error) {
      if (error instanceof SetupError || error instanceof StoreError) {
        this.parts.failed(error);
        return null;
      }
      return error instanceof FieldError
        ? fieldVerdict(error)
        : localVerdict("INTERNAL_FAULT", (error as Error).message);
    }
  }

  ended(): void {
    this.#leaving.end();
  }

  onVerdict(request: ClaimedRequest, verdict: Verdict): void {
    this.parts.onAnswer();
    this.answered(request, verdict);
  }

  putBack(request: ClaimedRequest, delay: number, attempts: number): void {
    this.parts.putBack.put(request, delay, attempts);
  }

  /** The outcome of a request is known, which may have left or not. */
  answered(request: ClaimedRequest, verdict: Verdict): void {
    const { contents, simulated } = this.queue;
    const { outcome, transferId, attempts } = verdict;
    this.parts.writer.add({
      request,
      verdict,
      answeredAt: Date.now(),
      settled: {
        id: request.id,
        outcome,
        transferId,
        attempts,
        answer: answerOf(
          request.operation,
          request.sensitive ? withoutDetail(request.operation, verdict) : verdict,
          contents.isTest(request),
          simulated,
        ),
        emitted: false,
        guarded: this.isGuarded(request),
        keyed: request.rules.once,
      },
    });
  }

  /** Whether it has taken once keys or a part of a limit. */
  isGuarded({ rules }: ClaimedRequest): boolean {
    return rules.once || this.queue.rules.guard().limits !== null;
  }
}
