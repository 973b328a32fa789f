import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import type { Settled, SettledRequest } from "../../../store/jobs/settlements";
import { type Verdict, withoutDetail } from "../../codec/verdict";
import { answerOf, provenVerdict } from "../stored-content";
import type { PutBack } from "./put-back";
import { isGuarded, type QueueCore } from "./stored-messages";

/** Entries of one operation. */
const MOST = 250;
/** Operations under way at once: while one is written, the next one is already with the store. */
const AHEAD = 2;
/** ms until marks are written: many share one operation, and nobody waits for them. */
const MARK_DELAY = 20;
/** ms until what could not be written is tried again. */
const RETRY = 1_000;

/** A request that was answered. */
export interface Answered {
  readonly request: ClaimedRequest;
  readonly verdict: Verdict;
  /** Epoch ms. */
  readonly answeredAt: number;
  /** What is written of it. */
  readonly settled: SettledRequest;
}

/** The outcome of a request is known, which may have left or not. */
export function answeredNow(
  request: ClaimedRequest,
  verdict: Verdict,
  { contents, rules }: QueueCore,
): Answered {
  const { outcome, transferId, attempts } = verdict;
  const told = request.content === null ? withoutDetail(request.operation, verdict) : verdict;
  return {
    request,
    verdict,
    answeredAt: Date.now(),
    settled: {
      id: request.id,
      outcome,
      transferId,
      attempts,
      answer: answerOf(request.operation, told, contents.isTest(request)),
      emitted: false,
      guarded: isGuarded(request, rules),
      keyed: request.rules.once,
    },
  };
}

/** Writes outcomes, and what has left its node. While the store is away an outcome is emitted at once, kept, and written later. */
export class OutcomeWriter {
  #answers: Answered[] = [];
  #writing = 0;
  #scheduled = false;
  #marking = false;
  #timer: NodeJS.Timeout | null = null;
  #markTimer: NodeJS.Timeout | null = null;
  #idle: (() => void)[] = [];
  #closed = false;

  constructor(
    private readonly core: QueueCore,
    private readonly putBack: Pick<PutBack, "forget">,
    /** Whether outcomes may wait some ms for a transaction that is about to follow. */
    private readonly isPatient: () => boolean = () => false,
  ) {}

  add(answered: Answered): void {
    this.#answers.push(answered);
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#write();
      });
    }
  }

  /** The result of this request has left its node. */
  emitted(id: number): void {
    const { outcomes, marks } = this.core.memory.pending;
    const kept = outcomes.get(id);
    if (kept !== undefined) {
      // It is written as emitted.
      kept.emitted = true;
      return;
    }
    if (marks.push(id) >= MOST) {
      this.#markSoon();
    } else {
      this.#markLater();
    }
  }

  #markLater(): void {
    this.#markTimer ??= setTimeout(() => this.#markSoon(), MARK_DELAY);
  }

  /** Not before the next nodes have got what has left: Node-RED hands it over in a later turn of the event loop. */
  #markSoon(): void {
    setImmediate(() => void this.#mark());
  }

  /** Writes what this process could not write before. @throws StoreError */
  async recover(): Promise<void> {
    await this.#writeOutcomes();
    await this.#mark();
  }

  /** Resolves when everything is written, or has failed again: then it is left for the next queue of the account. */
  async close(): Promise<void> {
    while (this.#writing > 0 || this.#marking || this.#answers.length > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    this.#closed = true;
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    await this.#retry();
    while (this.#marking) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #write(): void {
    while (this.#writing < AHEAD && this.#answers.length > 0) {
      this.#writing++;
      void this.#settle(this.#answers.splice(0, MOST)).finally(() => {
        this.#writing--;
        this.#write();
        this.#rest();
      });
    }
  }

  #rest(): void {
    for (const resolve of this.#idle.splice(0)) {
      resolve();
    }
  }

  async #settle(answers: readonly Answered[]): Promise<void> {
    const { place, memory, work } = this.core;
    const { id: owner } = place.instances;
    let written = new Map<number, Settled>();
    try {
      const settled = answers.map((each) => each.settled);
      const found = await place.store.settlements.settle(owner, settled, this.isPatient());
      written = new Map(found.map((each) => [each.id, each]));
      work.health.works();
      for (const { id } of settled) {
        this.putBack.forget(id);
      }
    } catch (error) {
      for (const { settled } of answers) {
        memory.pending.outcomes.set(settled.id, { owner, settled, emitted: false });
      }
      work.health.failed(error);
      this.#later();
    }
    for (const answered of answers) {
      try {
        this.#leave(answered, written.get(answered.settled.id) ?? null);
      } catch (error) {
        // The others have to leave all the same.
        work.health.failed(error);
      }
    }
  }

  /** @param written null where it could not be written, or the store does not have the request */
  #leave({ request, verdict, answeredAt }: Answered, written: Settled | null): void {
    const resultOwner = written === null ? request.resultOwner : written.resultOwner;
    if (resultOwner !== null) {
      const proved = written?.outcome === "sent" && verdict.outcome === "unknown";
      this.core.results.settled(request, proved ? provenVerdict(verdict) : verdict, resultOwner, answeredAt);
    }
  }

  #later(): void {
    if (!this.#closed) {
      this.#timer ??= setTimeout(() => {
        this.#timer = null;
        void this.#retry();
      }, RETRY);
    }
  }

  async #retry(): Promise<void> {
    try {
      await this.#writeOutcomes();
    } catch (error) {
      this.core.work.health.failed(error);
      this.#later();
      return;
    }
    await this.#mark();
  }

  async #writeOutcomes(): Promise<void> {
    const { place, memory, listener } = this.core;
    let late = false;
    try {
      await memory.pending.writeOutcomes(place.store.settlements, (written) => {
        for (const { settled, emitted } of written) {
          this.putBack.forget(settled.id);
          late ||= !emitted;
        }
      });
    } finally {
      if (late) {
        listener.late();
      }
    }
  }

  async #mark(): Promise<void> {
    clearTimeout(this.#markTimer ?? undefined);
    this.#markTimer = null;
    if (this.#marking) {
      return;
    }
    this.#marking = true;
    const { place, memory, results, work } = this.core;
    const { marks } = memory.pending;
    let failed = false;
    // What leaves meanwhile has not reached the next nodes yet.
    for (let left = marks.length; left > 0 || (this.#closed && marks.length > 0); ) {
      const some = marks.splice(0, this.#closed ? MOST : Math.min(left, MOST));
      left -= some.length;
      try {
        await place.store.settlements.emitted(some);
        work.health.works();
        results.marked(some);
      } catch (error) {
        marks.unshift(...some);
        work.health.failed(error);
        this.#later();
        failed = true;
        break;
      }
    }
    this.#marking = false;
    if (marks.length > 0 && !failed) {
      this.#markLater();
    }
    this.#rest();
  }
}
