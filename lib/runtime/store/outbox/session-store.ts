import { atMost } from "../../../shared/async/at-most";
import { DurableQueue } from "../../../gateway/queue/durable-queue";
import { LONGEST_PAUSE } from "../../../gateway/queue/stored/claim-loop";
import { resultsTopic } from "../../../store/schema/topics";
import type { AccountStore } from "../open-store";
import { MessageTexts } from "./message-texts";
import type { Outbox } from "./outbox";
import type { OutboxAccount } from "./outbox-account";
import { ResultDelivery } from "./result-delivery";
import type { StoreTrouble } from "./store-trouble";

/** A store that is open, the queue in it, and what brings its results to nodes. */
export interface OpenedStore {
  readonly place: AccountStore;
  readonly queue: DurableQueue;
  readonly delivery: ResultDelivery;
}

/**
 * The store of a session.
 * - `away`: not open. Entered with the session, when opening it fails, and by `renew`; left by `open`.
 * - `opening`: messages wait for it. Left when it is open, or has failed.
 * - `open`: messages are accepted, sent and given back. Left by `renew`. Whether it works now is the matter of its queue.
 */
type SessionStoreMode =
  | { readonly name: "away" }
  | { readonly name: "opening"; readonly opening: Promise<OpenedStore> }
  | { readonly name: "open"; readonly opened: OpenedStore };

const AWAY: SessionStoreMode = { name: "away" };

/** Hears what becomes of the store of a session. */
export interface SessionStoreListener {
  /** Results are in the store that could not leave when they were known. */
  readonly late: () => void;
  /** The lease of this process has expired. */
  readonly over: () => void;
  /** Another process may have ended. */
  readonly died: () => void;
  /** Something was settled by others than the queue: by a person who cancelled it, or by another process. */
  readonly settledElsewhere: () => void;
}

/** ms to wait for the answers to requests of a file that is gone. */
const GRACE = 10_000;
/** ms to wait until the others know that nodes have ended. */
const LEAVING = 2_000;

/** Opens the store of an account for a session, and gives it up for another one where it does not know this process any more. */
export class SessionStore {
  #mode: SessionStoreMode = AWAY;
  /** Resolves when the store of a former registration was left. */
  #left: Promise<void> | null = null;
  #stopListening = (): void => {};

  constructor(
    private readonly outbox: Outbox,
    private readonly account: OutboxAccount,
    private readonly trouble: StoreTrouble,
    private readonly listener: SessionStoreListener,
  ) {}

  /** Null while none is open. */
  get opened(): OpenedStore | null {
    return this.#mode.name === "open" ? this.#mode.opened : null;
  }

  /** Opens it where it is away. @throws StoreError (as a rejection) */
  open(): Promise<OpenedStore> {
    if (this.#mode.name === "open") {
      return Promise.resolve(this.#mode.opened);
    }
    if (this.#mode.name === "away") {
      const opening = this.#open().catch((error: unknown) => {
        this.#mode = AWAY;
        throw error;
      });
      this.#mode = { name: "opening", opening };
    }
    return this.#mode.opening;
  }

  /** @throws StoreError */
  async #open(): Promise<OpenedStore> {
    const { outbox, trouble } = this;
    const { id, destination, dispatcher, signIns, leaveCheck } = this.account;
    const { late, over, died, settledElsewhere } = this.listener;
    await this.#left;
    const place = await this.account.openStore();
    const { store, instances } = place;
    await store.backlog.limitDelays(id, LONGEST_PAUSE);
    // Sending hours and limits may be others than those that messages wait for.
    await store.backlog.lookAgain(id);
    const memory = outbox.memoryOf(place);
    const delivery = new ResultDelivery(place, outbox, memory.pending.left, {
      emitted: (request) => queue.emitted(request),
      failed: (error) => {
        trouble.note(error);
        late();
      },
    });
    const queue = new DurableQueue({
      place,
      memory,
      openForStore: (onIdle) => dispatcher.openForStore(onIdle),
      contents: new MessageTexts(outbox.messages),
      rules: leaveCheck,
      results: delivery,
      listener: { fault: (error) => trouble.note(error), late, over },
      destination,
      signIns,
    });
    const opened = { place, queue, delivery };
    this.#mode = { name: "open", opened };
    this.stop();
    const ends = [
      store.engine.listen(resultsTopic(instances.id), settledElsewhere),
      place.watch({
        died,
        over,
        beat: () => {
          settledElsewhere();
          void this.#countElsewhere(place);
        },
      }),
    ];
    this.#stopListening = () => {
      for (const end of ends) {
        end();
      }
    };
    await this.#countElsewhere(place);
    return opened;
  }

  async #countElsewhere({ store, account, destination }: AccountStore): Promise<void> {
    const count = await store.backlog.countElsewhere(account, destination).catch(() => null);
    if (count !== null) {
      this.account.elsewhere(count);
    }
  }

  /** Leaves the store, which does not know this process. @returns false where none is open */
  renew(): boolean {
    const gone = this.opened;
    if (gone === null) {
      return false;
    }
    this.#mode = AWAY;
    const { outbox, account } = this;
    this.#left = gone.queue
      .close(GRACE)
      .then(() => gone.place.store.engine.exclusive && outbox.memoryOf(gone.place).pending.forgetLeft())
      .then(() => account.leaveStore(gone.place))
      .catch((error: unknown) => this.trouble.note(error as Error));
    return true;
  }

  /** Hears nothing more of the store. */
  stop(): void {
    const end = this.#stopListening;
    this.#stopListening = () => {};
    end();
  }

  /** Resolves when nothing is being opened or left. */
  async settled(): Promise<void> {
    const opening = this.#mode.name === "opening" ? this.#mode.opening : null;
    await Promise.allSettled([opening, this.#left]);
  }

  /** Ends the queue; what has not left stays in the store. @param grace ms to wait for answers */
  async close(grace: number): Promise<void> {
    // It may have been opened after `stop`.
    this.stop();
    await Promise.all([this.opened?.queue.close(grace), this.#leaveNodes()]);
  }

  /** Lets the other processes know that this one runs no node of the account. A store that is away is not waited for. */
  async #leaveNodes(): Promise<void> {
    const place = this.opened?.place;
    if (place === undefined || place.store.engine.exclusive) {
      return;
    }
    await atMost(LEAVING, place.instances.runs(place.account, []));
  }
}
