import type { Statement } from "../../schema/statement";
import type { Call, Engine, Rows } from "../engine";
import { IdleEngine } from "../idle-engine";
import { StoreError, type StoreFault } from "../store-error";

/**
 * Lets a second handle of this process read. The one that runs it still keeps others from locking the file, as every handle that writes has to
 * when it is opened. Answers `exclusive` where the index of the log is in the memory of that handle. Takes effect with the commit.
 */
const SHARE: Statement = { name: "sqlite_share", text: () => "PRAGMA locking_mode = NORMAL" };
/** Faults of reading that are not those of the handle. */
const OWN_FAULTS: readonly StoreFault[] = ["STORE_REFUSED", "STORE_CLOSED"];

/** Reads by a second handle of the process where the file can be shared, and by the handle that writes where not. */
export class SqliteReader {
  readonly #reading: IdleEngine;
  /** Whether the second handle can read; null before the present writer was asked. */
  #shares: Promise<boolean> | null = null;
  #isParting = false;

  /**
   * @param writer of the file @param make makes the handle that reads
   * @param idle ms without a read after which that is closed
   */
  constructor(
    private readonly writer: Pick<Engine, "run">,
    make: () => Engine,
    idle: number,
  ) {
    this.#reading = new IdleEngine(make, idle);
  }

  /** Whether the handle that reads is being closed, for which the next one that writes has to wait. */
  get isParting(): boolean {
    return this.#isParting;
  }

  /** As `Engine.read`. @throws StoreError */
  async read(calls: readonly Call[]): Promise<readonly Rows[]> {
    this.#shares ??= this.#share();
    const shares = this.#shares;
    try {
      if ((await shares) && shares === this.#shares) {
        return await this.#reading.run(calls);
      }
    } catch (error) {
      if (shares === this.#shares) {
        this.#shares = null;
      }
      if (!(error instanceof StoreError) || OWN_FAULTS.includes(error.code)) {
        throw error;
      }
    }
    return this.writer.run(calls);
  }

  async #share(): Promise<boolean> {
    const [[row] = []] = await this.writer.run([{ statement: SHARE, values: [] }]);
    return row?.locking_mode === "normal";
  }

  /** Resolves when nobody reads the file any more. The next read asks the writer anew. */
  async part(): Promise<void> {
    this.#shares = null;
    this.#isParting = true;
    await this.#reading.close();
    this.#isParting = false;
  }
}
