import type { Requests, SettledRequest } from "../../store/requests";
import type { Outcome } from "../../shared/outcomes";

/** Entries of one operation. */
const MOST = 250;
/** Operations under way at once: while one is written, the next one is already with the store. */
const AHEAD = 2;
/** ms until what could not be written is tried again. */
const RETRY = 1_000;

/** A request that was answered. */
export interface Answered {
  readonly settled: SettledRequest;
  /**
   * Called when the outcome is on the disk, or cannot be written now.
   * @param outcome `sent` in place of `unknown` where an event had proved it
   */
  readonly onWritten: (outcome: Outcome) => void;
}

/**
 * Writes outcomes, and what has left its node. An outcome is emitted after it is on the disk; while the store is away it is emitted at
 * once, kept, and written when the store is back.
 */
export class OutcomeWriter {
  #answers: Answered[] = [];
  #writing = 0;
  #scheduled = false;
  /** Outcomes that left without being written, by request. */
  readonly #kept = new Map<number, SettledRequest>();
  #marks: number[] = [];
  #marking = false;
  #timer: NodeJS.Timeout | null = null;
  #idle: (() => void)[] = [];

  /**
   * @param fault told of each failure of the store, and with null of a success
   * @param onSettled told of each request whose outcome is on the disk
   * @param onMarked told of requests that are marked as emitted on the disk
   */
  constructor(
    private readonly requests: Requests,
    private readonly owner: string,
    private readonly fault: (error: Error | null) => void,
    private readonly onSettled: (id: number) => void,
    private readonly onMarked: (ids: readonly number[]) => void,
  ) {}

  add(answered: Answered): void {
    this.#answers.push(answered);
    if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.#write();
      });
    }
  }

  /** The result of this request has left its node. */
  emitted(id: number): void {
    if (this.#kept.has(id)) {
      // It is written as emitted.
      return;
    }
    if (this.#marks.push(id) === 1 && !this.#marking) {
      setImmediate(() => void this.#mark());
    }
  }

  /** Resolves when everything is written or has failed once more. */
  async close(): Promise<void> {
    while (this.#writing > 0 || this.#marking || this.#answers.length > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    await this.#writeKept();
    await this.#mark();
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
    let written = new Map<number, Outcome>();
    try {
      const settled = answers.map((each) => each.settled);
      const found = await this.requests.settle(this.owner, settled);
      written = new Map(found.map(({ id, outcome }) => [id, outcome]));
      this.fault(null);
      for (const { id } of settled) {
        this.onSettled(id);
      }
    } catch (error) {
      for (const { settled } of answers) {
        this.#kept.set(settled.id, { ...settled, emitted: true });
      }
      this.fault(error as Error);
      this.#later();
    }
    for (const { settled, onWritten } of answers) {
      onWritten(written.get(settled.id) ?? settled.outcome);
    }
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#writeKept().then(() => this.#mark());
    }, RETRY);
  }

  async #writeKept(): Promise<void> {
    for (let kept = [...this.#kept.values()].slice(0, MOST); kept.length > 0; ) {
      try {
        await this.requests.settle(this.owner, kept);
      } catch (error) {
        this.fault(error as Error);
        this.#later();
        return;
      }
      for (const { id } of kept) {
        this.#kept.delete(id);
        this.onSettled(id);
        // An earlier try may have written it as not emitted, in spite of its error.
        this.#marks.push(id);
      }
      kept = [...this.#kept.values()].slice(0, MOST);
    }
  }

  async #mark(): Promise<void> {
    if (this.#marking) {
      return;
    }
    this.#marking = true;
    while (this.#marks.length > 0) {
      const marks = this.#marks.splice(0, MOST);
      try {
        await this.requests.emitted(marks);
        this.fault(null);
        this.onMarked(marks);
      } catch (error) {
        this.#marks.unshift(...marks);
        this.fault(error as Error);
        this.#later();
        break;
      }
    }
    this.#marking = false;
    this.#rest();
  }
}
