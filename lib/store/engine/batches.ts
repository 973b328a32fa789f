import { StoreError } from "./store-error";

interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Batches under way at once: while one is written, the next one is already with the engine. */
const AHEAD = 2;
/** Entries of one batch, and characters of all of them: they become one parameter. */
const MOST = 250;
const MOST_CHARACTERS = 8 * 1024 * 1024;

/**
 * Puts what is asked for one by one into batches, each of which is one operation: what comes within a turn of the event loop, from all
 * connections that were read in it, and what comes while the batches before it are under way. One statement for thirty entries costs
 * a fraction of thirty statements.
 */
export class Batches<Entry, Result> {
  #next: Waiting<Entry, Result>[] = [];
  #underWay = 0;
  #scheduled = false;

  /**
   * @param run gives the results in the order of the entries
   * @param sizeOf characters of an entry, where it may be long. One entry always fits
   */
  constructor(
    private readonly run: (entries: readonly Entry[]) => Promise<readonly Result[]>,
    private readonly sizeOf: (entry: Entry) => number = () => 0,
  ) {}

  /** @throws StoreError */
  add(entry: Entry): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#next.push({ entry, resolve, reject });
      if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(() => {
          this.#scheduled = false;
          this.#start();
        });
      }
    });
  }

  #start(): void {
    while (this.#underWay < AHEAD && this.#next.length > 0) {
      this.#underWay++;
      void this.#runOne(this.#next.splice(0, this.#count())).finally(() => {
        this.#underWay--;
        this.#start();
      });
    }
  }

  /** Entries of the next batch. */
  #count(): number {
    let characters = 0;
    const end = this.#next.findIndex(({ entry }, at) => {
      characters += this.sizeOf(entry);
      return at === MOST || (at > 0 && characters > MOST_CHARACTERS);
    });
    return end === -1 ? this.#next.length : end;
  }

  async #runOne(batch: readonly Waiting<Entry, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ entry }) => entry));
      for (const [at, { resolve }] of batch.entries()) {
        resolve(results[at] as Result);
      }
    } catch (error) {
      if (batch.length > 1 && error instanceof StoreError && error.code === "STORE_REFUSED") {
        // One entry that the database does not take must not fail the others.
        await Promise.all(batch.map((each) => this.#runOne([each])));
        return;
      }
      for (const { reject } of batch) {
        reject(error);
      }
    }
  }
}
