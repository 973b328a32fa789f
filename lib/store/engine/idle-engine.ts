import type { Call, Engine, Rows } from "./engine";

/** An engine that is made with the first operation, and closed when there was none for a while. The next operation makes another one. */
export class IdleEngine {
  #engine: Engine | null = null;
  #timer: NodeJS.Timeout | null = null;
  #underWay = 0;
  /** Of those that were made: what is left to close. */
  readonly #closing = new Set<Promise<void>>();

  /** @param idle ms without an operation after which it is closed */
  constructor(
    private readonly make: () => Engine,
    private readonly idle: number,
  ) {}

  /** As `Engine.run`. @throws StoreError */
  async run(calls: readonly Call[]): Promise<readonly Rows[]> {
    clearTimeout(this.#timer ?? undefined);
    this.#engine ??= this.make();
    this.#underWay++;
    try {
      return await this.#engine.run(calls);
    } finally {
      this.#underWay--;
      if (this.#underWay === 0 && this.#engine !== null) {
        this.#timer = setTimeout(() => void this.close(), this.idle);
        this.#timer.unref();
      }
    }
  }

  /** Finishes what was asked for, and closes what was made. It can be used again. */
  async close(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    const closing = this.#engine?.close();
    this.#engine = null;
    if (closing !== undefined) {
      this.#closing.add(closing);
      void closing.finally(() => this.#closing.delete(closing));
    }
    await Promise.all(this.#closing);
  }
}
