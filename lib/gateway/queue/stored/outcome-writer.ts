import type { ClaimedRequest } from "../../../store/request-claims";
import type { Settled, SettledRequest, Settlements } from "../../../store/settlements";
import { type Verdict, withoutDetail } from "../../codec/verdict";
import { answerOf, provenVerdict } from "../stored-content";
import type { PendingWrites } from "./pending-writes";
import { isGuarded, type QueueCore, type QueueResults } from "./stored-messages";

/** Entries of one operation. */
const MOST = 250;
/** Operations under way at once: while one is written, the next one is already with the store. */
const AHEAD = 2;
/** ms until marks are written: many share one operation, and nobody waits for them. */
const MARK_DELAY = 20;
/** ms for which answers wait for further ones, where further ones are sure to come. */
const GATHERING = 5;
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
  { contents, rules, simulated }: QueueCore,
): Answered {
  const { outcome, transferId, attempts } = verdict;
  const told = request.sensitive ? withoutDetail(request.operation, verdict) : verdict;
  return {
    request,
    verdict,
    answeredAt: Date.now(),
    settled: {
      id: request.id,
      outcome,
      transferId,
      attempts,
      answer: answerOf(request.operation, told, contents.isTest(request), simulated),
      emitted: false,
      guarded: isGuarded(request, rules),
      keyed: request.rules.once,
    },
  };
}

/** Whom a writer tells what. None may throw. */
export interface WriterListener {
  /** The store has failed, or works: null. */
  readonly fault: (error: Error | null) => void;
  /** The outcome of the request is on the disk. */
  readonly settled: (id: number) => void;
  /** Outcomes are on the disk now that could not be emitted when they were known. */
  readonly late: () => void;
}

/** Writes outcomes, and what has left its node. While the store is away an outcome is emitted at once, kept, and written later. */
export class OutcomeWriter {
  #answers: Answered[] = [];
  #writing = 0;
  #scheduled = false;
  #gathering: NodeJS.Timeout | null = null;
  #marking = false;
  #timer: NodeJS.Timeout | null = null;
  #markTimer: NodeJS.Timeout | null = null;
  #idle: (() => void)[] = [];
  #closed = false;

  constructor(
    private readonly settlements: Settlements,
    private readonly owner: string,
    /** Outcomes that left without being written, and marks. */
    private readonly pending: PendingWrites,
    private readonly results: Pick<QueueResults, "settled" | "marked">,
    private readonly listener: WriterListener,
    /** Answers that are worth an operation; fewer wait a moment for others. */
    private readonly enough: () => number = () => 1,
  ) {}

  add(answered: Answered): void {
    this.#answers.push(answered);
    if (this.#answers.length >= this.enough()) {
      this.#writeSoon();
    } else {
      this.#gathering ??= setTimeout(() => this.#writeSoon(), GATHERING);
    }
  }

  #writeSoon(): void {
    clearTimeout(this.#gathering ?? undefined);
    this.#gathering = null;
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
    const kept = this.pending.outcomes.get(id);
    if (kept !== undefined) {
      // It is written as emitted.
      kept.emitted = true;
      return;
    }
    const { length } = this.pending.marks;
    this.pending.marks.push(id);
    if (length + 1 >= MOST) {
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

  /** Resolves when everything is written, or has failed once more: then it is left for the next queue of the account. */
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
    const { owner, listener } = this;
    let written = new Map<number, Settled>();
    try {
      const settled = answers.map((each) => each.settled);
      const found = await this.settlements.settle(owner, settled);
      written = new Map(found.map((each) => [each.id, each]));
      listener.fault(null);
      for (const { id } of settled) {
        listener.settled(id);
      }
    } catch (error) {
      for (const { settled } of answers) {
        this.pending.outcomes.set(settled.id, { owner, settled, emitted: false });
      }
      listener.fault(error as Error);
      this.#later();
    }
    for (const answered of answers) {
      try {
        this.#leave(answered, written.get(answered.settled.id) ?? null);
      } catch (error) {
        // The others have to leave all the same.
        listener.fault(error as Error);
      }
    }
  }

  /** @param written null where it could not be written, or the store does not have the request */
  #leave({ request, verdict, answeredAt }: Answered, written: Settled | null): void {
    const taker = written === null ? request.taker : written.taker;
    if (taker !== null) {
      const proved = written?.outcome === "sent" && verdict.outcome === "unknown";
      this.results.settled(request, proved ? provenVerdict(verdict) : verdict, taker, answeredAt);
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
      this.listener.fault(error as Error);
      this.#later();
      return;
    }
    await this.#mark();
  }

  async #writeOutcomes(): Promise<void> {
    const { listener } = this;
    let late = false;
    try {
      await this.pending.writeOutcomes(this.settlements, (written) => {
        for (const { settled, emitted } of written) {
          listener.settled(settled.id);
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
    const { marks } = this.pending;
    let failed = false;
    // What leaves meanwhile has not reached the next nodes yet.
    for (let left = marks.length; left > 0 || (this.#closed && marks.length > 0); ) {
      const some = marks.splice(0, this.#closed ? MOST : Math.min(left, MOST));
      left -= some.length;
      try {
        await this.settlements.emitted(some);
        this.listener.fault(null);
        this.results.marked(some);
      } catch (error) {
        marks.unshift(...some);
        this.listener.fault(error as Error);
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
