import type { PreparedRequest } from "../../../gateway/codec/prepare-request";
import { localVerdict, type Verdict } from "../../../gateway/codec/verdict";
import { atMost } from "../../../shared/async/at-most";
import { DurableQueue } from "../../../gateway/queue/durable-queue";
import { LONGEST_PAUSE } from "../../../gateway/queue/stored/claim-loop";
import type { DispatcherHandle } from "../../../gateway/queue/queue-handle";
import { readContent } from "../../../gateway/queue/stored-content";
import type { RequestContents } from "../../../gateway/queue/stored/stored-messages";
import type { ClaimedRequest } from "../../../store/jobs/request-claims";
import { resultsTopic } from "../../../store/schema/topics";
import type { AccountStore } from "../open-store";
import type { Outbox } from "./outbox";
import type { OutboxAccount } from "./outbox-account";
import { ResultDelivery } from "./result-delivery";
import type { StoreTrouble } from "./store-trouble";
import type { OpenMessages } from "./stored-message";

export interface OpenedStore {
  readonly place: AccountStore;
  readonly queue: DurableQueue;
  readonly delivery: ResultDelivery;
}

/** `away`: not open; entered at the start, after a failure, by `renew`. `opening`: messages wait. `open`: left by `renew`. */
type SessionStoreMode =
  | { readonly name: "away" }
  | { readonly name: "opening"; readonly opening: Promise<OpenedStore> }
  | { readonly name: "open"; readonly opened: OpenedStore };

const AWAY: SessionStoreMode = { name: "away" };

export interface SessionStoreListener {
  /** The store has results that could not be emitted when they became known. */
  readonly late: () => void;
  readonly over: () => void;
  /** Another process may have ended. */
  readonly died: () => void;
  /** A user or another process has settled requests. */
  readonly settledElsewhere: () => void;
}

/** Milliseconds to wait for responses to requests of a lost file. */
const GRACE = 10_000;
/** Milliseconds to wait until other processes know that nodes have ended. */
const LEAVING = 2_000;

/** Opens the store of an account, and replaces it after its registration has expired. */
export class SessionStore {
  #mode: SessionStoreMode = AWAY;
  #left: Promise<void> | null = null;
  #stopListening = (): void => {};

  constructor(
    private readonly outbox: Outbox,
    private readonly account: OutboxAccount,
    private readonly trouble: StoreTrouble,
    private readonly listener: SessionStoreListener,
  ) {}

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
    // Sending hours and limits may have changed since messages were delayed.
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

  /** Returns false if no store is open. */
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

  stop(): void {
    const end = this.#stopListening;
    this.#stopListening = () => {};
    end();
  }

  async settled(): Promise<void> {
    const opening = this.#mode.name === "opening" ? this.#mode.opening : null;
    await Promise.allSettled([opening, this.#left]);
  }

  /** Unsent requests stay in the store. @param grace ms to wait for responses */
  async close(grace: number): Promise<void> {
    // The store may have been opened after `stop`.
    this.stop();
    await Promise.all([this.opened?.queue.close(grace), this.#leaveNodes()]);
  }

  /** Informs other processes that this one runs no node of the account. Skips a closed store. */
  async #leaveNodes(): Promise<void> {
    const place = this.opened?.place;
    if (place === undefined || place.store.engine.exclusive) {
      return;
    }
    await atMost(LEAVING, place.instances.runs(place.account, []));
  }
}

/** Contents of sensitive messages exist only in this process. */
class MessageTexts implements RequestContents {
  constructor(private readonly messages: OpenMessages) {}

  /** @throws FieldError, SetupError */
  prepare(request: ClaimedRequest, dispatcher: DispatcherHandle): PreparedRequest | Verdict {
    const checked = request.part === 0 ? this.messages.get(request.job)?.checked : null;
    if (checked && checked.recipients === request.recipients.length) {
      return checked.request;
    }
    const content = this.#getContent(request);
    if (content === null) {
      return localVerdict("TEXT_NOT_STORED");
    }
    const read = readContent({ ...request, content });
    return "outcome" in read ? read : dispatcher.prepare(read);
  }

  isTest({ job, content }: ClaimedRequest): boolean {
    // Quotes within a JSON text are escaped, so the search finds only the property.
    return this.messages.get(job)?.test ?? content?.includes('"test":true') ?? false;
  }

  #getContent({ content, job, part }: ClaimedRequest): string | null {
    return content ?? this.messages.get(job)?.contents?.get(part) ?? null;
  }
}
