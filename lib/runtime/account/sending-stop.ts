import { stopTopic } from "../../store/schema/topics";
import type { AccountStore } from "../store/open-store";
import { isSamePlace, type StoreSettings } from "../store/store-settings";

interface Stop {
  readonly since: number;
  readonly place: StoreSettings;
}

const stops = new Map<string, Stop>();

/** The user's stop is in the store, for all processes. It moves with an account that changes its store. */
export class SendingStop {
  #unfollow: (() => void) | null = null;
  #reading: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param changed called after each read; the stop may be the same */
  constructor(
    private readonly account: string,
    readonly bySettings: boolean,
    private readonly changed: () => void,
  ) {}

  get isOn(): boolean {
    return this.bySettings || stops.has(this.account);
  }

  /** Epoch ms of the user's stop; null without one. */
  get since(): number | null {
    return stops.get(this.account)?.since ?? null;
  }

  /** @throws StoreError */
  async stop(store: AccountStore): Promise<void> {
    await store.store.queue.pause(this.account);
    await this.#read(store);
  }

  /** Ends the user's stop. @throws StoreError */
  async goOn({ store }: AccountStore): Promise<void> {
    await store.queue.resume(this.account);
    this.#know(null);
  }

  /** Reads the stop from the store at once and after each change. If the read fails, the known stop stays. */
  async follow(store: AccountStore): Promise<void> {
    if (this.#closed) {
      return;
    }
    const { engine } = store.store;
    const read = (): Promise<void> => this.#read(store).catch(() => {});
    const ends = [
      engine.listen(stopTopic(this.account), () => void read()),
      // For changes while the connection was away.
      store.watch({ beat: () => void read() }),
    ];
    this.unfollow();
    this.#unfollow = () => {
      for (const end of ends) {
        end();
      }
    };
    await read();
  }

  unfollow(): void {
    this.#unfollow?.();
    this.#unfollow = null;
  }

  /** Never reads or writes the store again: the account may use another place with a stop of its own. */
  close(): void {
    this.#closed = true;
    this.unfollow();
  }

  /** Reads one after the other, so that the last one wins. @throws StoreError */
  #read({ store, settings }: AccountStore): Promise<void> {
    const reading = this.#reading.then(async () => {
      if (this.#closed) {
        return;
      }
      const known = stops.get(this.account);
      if (known !== undefined && !isSamePlace(settings, known.place)) {
        // The account was stopped while it used another store.
        await store.queue.pause(this.account);
      }
      const since = await store.queue.pausedSince(this.account);
      if (!this.#closed) {
        this.#know(since === null ? null : { since, place: settings });
      }
    });
    this.#reading = reading.catch(() => {});
    return reading;
  }

  #know(stop: Stop | null): void {
    if (stop === null) {
      stops.delete(this.account);
    } else {
      stops.set(this.account, stop);
    }
    this.changed();
  }
}
