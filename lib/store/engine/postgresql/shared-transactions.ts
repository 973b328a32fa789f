import type { Rows } from "../engine";
import { StoreError } from "../store-error";
import type { Query } from "./postgresql-driver";

interface Waiting {
  readonly queries: readonly Query[];
  readonly resolve: (rows: readonly Rows[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Operations of one transaction. */
const MAX_OPERATIONS = 64;
/** ms after which a transaction may wait for a lock, so that the next one starts. */
const SLOW_MS = 100;
/** ms that a patient operation waits for others. */
const PATIENCE_MS = 20;

/**
 * Puts operations of one tick, and those that come during a transaction, into a common transaction. If it certainly did not happen, each
 * of its operations runs by itself, and succeeds or fails by itself.
 */
export class SharedTransactions {
  readonly #waiting: Waiting[] = [];
  /** Transactions under way that are not slow. */
  #quick = 0;
  #isScheduled = false;
  #patience: NodeJS.Timeout | null = null;

  /** @param start runs queries in one transaction. One of several operations is not repeated: few of them have a part in its conflict */
  constructor(
    private readonly start: (queries: readonly Query[], isShared: boolean) => Promise<readonly Rows[]>,
  ) {}

  /** @param isPatient whether it may wait for another operation @throws StoreError */
  run(queries: readonly Query[], isPatient: boolean): Promise<readonly Rows[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ queries, resolve, reject });
      if (isPatient) {
        this.#patience ??= setTimeout(() => this.#schedule(), PATIENCE_MS);
      } else {
        this.#schedule();
      }
    });
  }

  #schedule(): void {
    clearTimeout(this.#patience ?? undefined);
    this.#patience = null;
    if (!this.#isScheduled && this.#quick === 0 && this.#waiting.length > 0) {
      this.#isScheduled = true;
      // An outcome comes a tick after the claim for its connection.
      setImmediate(() =>
        setImmediate(() => {
          this.#isScheduled = false;
          void this.#run(this.#waiting.splice(0, MAX_OPERATIONS));
        }),
      );
    }
  }

  async #run(operations: readonly Waiting[]): Promise<void> {
    this.#quick++;
    let isQuick = true;
    const next = (): void => {
      if (isQuick) {
        isQuick = false;
        this.#quick--;
        this.#schedule();
      }
    };
    const timer = setTimeout(next, SLOW_MS);
    try {
      const queries = operations.flatMap((each) => each.queries);
      const rows = await this.start(queries, operations.length > 1);
      let at = 0;
      for (const { queries: own, resolve } of operations) {
        resolve(rows.slice(at, at + own.length));
        at += own.length;
      }
    } catch (error) {
      const isCertain = error instanceof StoreError && !error.uncertain;
      if (isCertain && operations.length > 1) {
        await Promise.all(
          operations.map(({ queries, resolve, reject }) => this.start(queries, false).then(resolve, reject)),
        );
      } else {
        for (const { reject } of operations) {
          reject(error);
        }
      }
    }
    clearTimeout(timer);
    next();
  }
}
