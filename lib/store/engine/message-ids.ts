import { call } from "./query";
import type { Engine } from "./engine";
import { NOW } from "../schema/sql";
import { statement } from "../schema/statement";

// Two databases begin at different ids: an account may move from one to the other.
const RESERVE = statement("message_ids_reserve")`
    INSERT INTO message_ids (id, next) VALUES (1, ${NOW} * 32 + ?1)
    ON CONFLICT (id) DO UPDATE SET next = message_ids.next + ?1 RETURNING next`;

/** Ids of one block. Several processes take small ones, so that ids are in the order of acceptance. */
const [SMALL, LARGE] = [100, 10_000];
/** ms after which a process drops the rest of a small block. */
const FRESH_MS = 1_000;

/** Gives ids to messages and requests. None is given twice. */
export class MessageIds {
  #next = 0;
  #end = 0;
  #reservedAt = 0;
  #reserving: Promise<void> | null = null;

  constructor(private readonly engine: Engine) {}

  /** @throws StoreError (as a rejection) */
  async take(count: number): Promise<readonly number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      if (this.#isUsedUp) {
        this.#reserving ??= this.#reserve(count - ids.length).finally(() => (this.#reserving = null));
        await this.#reserving;
      }
      while (ids.length < count && this.#next < this.#end) {
        ids.push(this.#next++);
      }
    }
    return ids;
  }

  /** @throws StoreError (as a rejection) */
  async one(): Promise<number> {
    const [id] = await this.take(1);
    return id as number;
  }

  get #isUsedUp(): boolean {
    const isStale = !this.engine.exclusive && performance.now() - this.#reservedAt > FRESH_MS;
    return isStale || this.#next >= this.#end;
  }

  async #reserve(wanted: number): Promise<void> {
    const size = Math.max(wanted, this.engine.exclusive ? LARGE : SMALL);
    const [[row] = []] = await this.engine.run([call(RESERVE, size)]);
    this.#end = Number(row?.next);
    this.#next = this.#end - size;
    this.#reservedAt = performance.now();
  }
}
