import type { Rows, Short } from "../engine";
import { StoreError } from "../store-error";
import type { NamedQuery } from "./postgresql-pipeline";

type Results = readonly Rows[];

interface Waiting {
  readonly queries: readonly NamedQuery[];
  /** Characters of the values. */
  readonly size: number;
  readonly short: Short;
  readonly resolve: (rows: Results) => void;
  readonly reject: (error: unknown) => void;
}

/** Operations of one transaction. */
const MOST = 64;
/** Turns of the event loop in which further ones may come: outcomes, and the claim for the connections that they free. */
const TURNS = 3;
/** ms for which patient ones wait for others. */
const PATIENCE = 10;
const SLOW = 50;
/** Transactions under way where some are slow. */
const AT_ONCE = 3;
/** Characters that are worth a second transaction while the first one is under way. With more in one it would hardly cost less. */
const ENOUGH = 3_000;
/**
 * Characters of all values of a transaction that is sent in one packet. What fits into the buffers of the system is with the server at
 * once, so that a process that is stopped keeps no locks.
 */
const LARGEST = 32_000;

const sizeOf = (queries: readonly NamedQuery[]): number =>
  queries.reduce(
    (all, { values }) =>
      values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 8), all),
    0,
  );

function inTurns(turns: number, act: () => void): void {
  setImmediate(() => (turns > 1 ? inTurns(turns - 1, act) : act()));
}

/**
 * Puts short operations into common transactions: what comes within some turns of the event loop, and while the transaction before it is
 * under way. A second one begins where much waits, and further ones where one takes long, as it does when it waits for a lock. Where a
 * transaction surely did not happen, each of its operations is run by itself, and succeeds or fails by itself.
 */
export class ShortOperations {
  readonly #next: Waiting[] = [];
  /** Characters of what waits. */
  #size = 0;
  #underWay = 0;
  /** Those of them that may still be quick. */
  #quick = 0;
  #scheduled = false;
  /** Runs while only patient ones wait. */
  #patience: NodeJS.Timeout | null = null;
  #idle: (() => void)[] = [];

  /**
   * @param start runs queries in one transaction; with `isShort` false as others are run. Where several operations share it, it is not
   *   repeated: most of them have no part in the lock that one waits for
   * @param slow ms after which the next transaction does not wait for the one before: it may wait for a lock
   */
  constructor(
    private readonly start: (
      queries: readonly NamedQuery[],
      isShort: boolean,
      isShared: boolean,
    ) => Promise<Results>,
    private readonly slow = SLOW,
  ) {}

  /** @throws StoreError */
  run(queries: readonly NamedQuery[], short: Short): Promise<Results> {
    return new Promise((resolve, reject) => {
      const size = sizeOf(queries);
      this.#next.push({ queries, size, short, resolve, reject });
      this.#size += size;
      if (short !== "patient") {
        this.#schedule();
      } else {
        this.#wait();
      }
    });
  }

  /** Resolves when everything is done. */
  async idle(): Promise<void> {
    if (this.#underWay > 0 || this.#next.length > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /** Starts what waits, patient or not, as soon as it may. */
  #schedule(): void {
    const isFree = this.#quick === 0 || (this.#quick === 1 && this.#size >= ENOUGH);
    if (isFree && this.#underWay < AT_ONCE && !this.#scheduled && this.#next.length > 0) {
      this.#scheduled = true;
      inTurns(TURNS, () => {
        this.#scheduled = false;
        void this.#run(this.#take());
      });
    }
  }

  /** After a transaction: patient ones go on waiting where nobody else does. */
  #go(): void {
    if (this.#next.some(({ short }) => short !== "patient")) {
      this.#schedule();
    } else if (this.#next.length > 0) {
      this.#wait();
    }
  }

  #wait(): void {
    this.#patience ??= setTimeout(() => {
      this.#patience = null;
      this.#schedule();
    }, PATIENCE);
  }

  /** Those that wait, up to the second contended one. The contended one is last: nobody waits for its rows longer than for its own work. */
  #take(): readonly Waiting[] {
    const taken: Waiting[] = [];
    let contended: Waiting | undefined;
    while (this.#next.length > 0 && taken.length < MOST) {
      const [next] = this.#next as [Waiting];
      if (next.short === "contended") {
        if (contended !== undefined) {
          break;
        }
        contended = next;
      } else {
        taken.push(next);
      }
      this.#next.shift();
      this.#size -= next.size;
    }
    return contended === undefined ? taken : [...taken, contended];
  }

  async #run(operations: readonly Waiting[]): Promise<void> {
    this.#underWay++;
    clearTimeout(this.#patience ?? undefined);
    this.#patience = null;
    this.#quick++;
    let isQuick = true;
    const timer = setTimeout(() => {
      isQuick = false;
      this.#quick--;
      this.#go();
    }, this.slow);
    const queries = operations.flatMap((each) => each.queries);
    const isShort = operations.reduce((sum, { size }) => sum + size, 0) <= LARGEST;
    try {
      const rows = await this.start(queries, isShort, operations.length > 1);
      let at = 0;
      for (const { queries: own, resolve } of operations) {
        resolve(rows.slice(at, at + own.length));
        at += own.length;
      }
    } catch (error) {
      const isSure = error instanceof StoreError && !error.uncertain;
      if (isSure && operations.length > 1) {
        await Promise.all(operations.map((each) => this.#runAlone(each)));
      } else {
        for (const { reject } of operations) {
          reject(error);
        }
      }
    }
    clearTimeout(timer);
    this.#quick -= isQuick ? 1 : 0;
    this.#underWay--;
    this.#go();
    if (this.#underWay === 0 && this.#next.length === 0) {
      for (const resolve of this.#idle.splice(0)) {
        resolve();
      }
    }
  }

  async #runAlone({ queries, resolve, reject }: Waiting): Promise<void> {
    await this.start(queries, false, false).then(resolve, reject);
  }
}
