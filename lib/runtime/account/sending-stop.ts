import { stopTopic } from "../../store/schema/topics";
import type { AccountStore } from "../store/open-store";
import { isSamePlace, type StoreSettings } from "../store/store-settings";

/** When a person stopped all sending of an account. */
interface Stop {
  /** Epoch ms. */
  readonly since: number;
  /** The store that has it. */
  readonly place: StoreSettings;
}

/** By account, as far as this process knows. */
const stops = new Map<string, Stop>();

/**
 * Whether an account sends nothing, because its settings say so or a user has stopped it. One does not end the other. The user's stop
 * is in the store, for all processes, and comes along if the account changes its store.
 */
export class SendingStop {
  /** Ends what is heard of the store; null without an open one. */
  #unfollow: (() => void) | null = null;
  #reading: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param changed the stop of the person may be another one now; called whenever something was heard of it */
  constructor(
    private readonly account: string,
    readonly bySettings: boolean,
    private readonly changed: () => void,
  ) {}

  get isOn(): boolean {
    return this.bySettings || stops.has(this.account);
  }

  /** Epoch ms at which a person stopped it; null where nobody has. */
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

  /** Reads the stop from the store now, and whenever it changes. Where the store cannot say, what is known stays. */
  async follow(store: AccountStore): Promise<void> {
    if (this.#closed) {
      return;
    }
    const { engine } = store.store;
    const read = (): Promise<void> => this.#read(store).catch(() => {});
    const ends = [
      engine.listen(stopTopic(this.account), () => void read()),
      // What was told while the connection was away.
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

  /** Hears nothing more of the store. */
  unfollow(): void {
    this.#unfollow?.();
    this.#unfollow = null;
  }

  /** Neither reads nor writes it any more: the account may be in another place by now, with a stop of its own. */
  close(): void {
    this.#closed = true;
    this.unfollow();
  }

  /** One after the other, so that the last one knows best. @throws StoreError */
  #read({ store, settings }: AccountStore): Promise<void> {
    const reading = this.#reading.then(async () => {
      if (this.#closed) {
        return;
      }
      const known = stops.get(this.account);
      if (known !== undefined && !isSamePlace(settings, known.place)) {
        // It was stopped while it kept messages elsewhere.
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
