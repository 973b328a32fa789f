import type { KilledNodeRed } from "../support/crash/killed-node-red";
import { handOver, TAKEN } from "../support/crash/post";
import type { ServiceProcess } from "../support/crash/service-process";
import { peopleOf, type PlannedMessage } from "../support/crash/traffic";

/** Messages that are on their way to the flow at a time. */
const AT_ONCE = 12;
const PACE_MS = 5;

/** A message that was handed in and has not all of its results. */
interface Open {
  readonly message: PlannedMessage;
  answered: boolean;
  /** People without a result. */
  readonly missing: Set<string>;
}

/** Hands messages to the flow, and keeps account of them across kills. */
export class HandIn {
  /** Ids of messages that were taken. */
  readonly taken = new Set<string>();
  /** Messages that were handed in once more, each time counted. */
  again = 0;
  readonly #waiting: PlannedMessage[];
  readonly #open = new Map<string, Open>();
  /** Message of each person without a result. */
  readonly #messageOf = new Map<string, Open>();
  readonly #posts = new Set<Promise<void>>();

  constructor(
    private readonly nodeRed: KilledNodeRed,
    private readonly service: ServiceProcess,
    planned: readonly PlannedMessage[],
  ) {
    this.#waiting = [...planned];
  }

  /** Messages that are still to be handed in. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Messages that were handed in and have not all of their results. */
  get open(): number {
    return this.#open.size;
  }

  /** Hands in `count` messages, while at most `window` are open. Gives up when nothing has happened for `quiet` ms. */
  async handIn(count: number, window: number, quiet: number): Promise<void> {
    for (let left = Math.min(count, this.waiting); left > 0; ) {
      const free = this.#posts.size < AT_ONCE && this.open < window;
      const message = free ? this.#waiting.shift() : undefined;
      if (message !== undefined) {
        left--;
        const post = this.#post(message).finally(() => this.#posts.delete(post));
        this.#posts.add(post);
      } else if (!(await this.#change(quiet))) {
        return;
      }
    }
  }

  /** Waits until `count` of the open messages have all of their results, or until nothing has happened for `quiet` ms. */
  async untilDone(count: number, quiet: number): Promise<void> {
    const target = this.open - count;
    while (this.open > target && (await this.#change(quiet))) {}
  }

  /** The process has ended: what it has written until then counts, what it has not answered remains without an answer. */
  async afterEnd(): Promise<void> {
    await Promise.all(this.#posts);
    this.#count(this.nodeRed.log.nextLife());
  }

  /** The first number of each open message. */
  firstNumbers(): readonly string[] {
    return [...this.#open.values()].flatMap(({ message }) => message.recipients.slice(0, 1));
  }

  /**
   * Sorts the open messages: those in the store are taken, the others are handed in again.
   * @param stored first numbers of those in the store
   * @returns those that are not
   */
  takeBack(stored: ReadonlySet<string>): readonly PlannedMessage[] {
    const back: PlannedMessage[] = [];
    for (const { message, missing } of this.#open.values()) {
      if (stored.has(message.recipients[0] ?? "")) {
        this.taken.add(message.id);
      } else {
        back.push(message);
        this.#forget(message, missing);
      }
    }
    this.again += back.length;
    this.#waiting.unshift(...back);
    return back;
  }

  /** Without a store: what was answered is taken, and nothing more is to be expected of it. */
  keepAnswered(): void {
    for (const { message, answered, missing } of this.#open.values()) {
      if (answered) this.taken.add(message.id);
      this.#forget(message, missing);
    }
  }

  #forget({ id }: PlannedMessage, missing: ReadonlySet<string>): void {
    this.#open.delete(id);
    for (const person of missing) this.#messageOf.delete(person);
  }

  async #post(message: PlannedMessage): Promise<void> {
    const open = { message, answered: false, missing: new Set(peopleOf(message)) };
    this.#open.set(message.id, open);
    for (const person of open.missing) this.#messageOf.set(person, open);
    open.answered = (await handOver(this.service, this.nodeRed.url, message)) === TAKEN;
  }

  /** Whether there was a new result, or an answer to what is handed in, before `quiet` ms had passed. */
  async #change(quiet: number): Promise<boolean> {
    const posts = this.#posts.size;
    const end = performance.now() + quiet;
    for (;;) {
      const { lines } = this.nodeRed.log;
      this.#count(this.nodeRed.log.read());
      if (this.nodeRed.log.lines > lines || this.#posts.size < posts) return true;
      if (performance.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, PACE_MS));
    }
  }

  #count(people: readonly string[]): void {
    for (const person of people) {
      const open = this.#messageOf.get(person);
      this.#messageOf.delete(person);
      open?.missing.delete(person);
      if (open?.missing.size === 0) {
        this.taken.add(open.message.id);
        this.#open.delete(open.message.id);
      }
    }
  }
}
