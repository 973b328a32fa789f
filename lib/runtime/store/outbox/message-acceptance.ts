import { UnderWay } from "../../../shared/async/under-way";
import { SetupError } from "../../../shared/messaging-error";
import { StoreError } from "../../../store/engine/store-error";
import type { NewJob, NewRequest } from "../../../store/jobs/jobs";
import { say } from "../../../texts/say";
import type { AccountStore } from "../open-store";
import type { NewMessage, OpenMessages, StoredMessage } from "./stored-message";
import type { OpenedStore, SessionStore } from "./session-store";
import { type Doubt, findAccepted, storePages } from "./uncertain-acceptance";

/** Pending writes before further messages stay unread. */
const MAX_ACCEPTING = 250;

export interface AcceptanceDependencies {
  readonly messages: OpenMessages;
  readonly destination: string;
  readonly store: Pick<SessionStore, "opened" | "open">;
  readonly failed: (error: unknown) => void;
  readonly worked: () => void;
}

/** Texts of a sensitive message stay in this process. */
function toStored({ contents }: StoredMessage, requests: readonly NewRequest[]): readonly NewRequest[] {
  if (contents === null) {
    return requests;
  }
  return requests.map((request) => {
    contents.set(request.part, request.content ?? "");
    return { ...request, content: null };
  });
}

function* storedPages(
  message: StoredMessage,
  pages: Iterable<readonly NewRequest[]>,
): Iterable<readonly NewRequest[]> {
  for (const page of pages) {
    yield toStored(message, page);
  }
}

export class MessageAcceptance {
  readonly #unread: (() => void)[] = [];
  readonly #accepting = new UnderWay();
  #unnumbered = 0;
  #closed = false;

  constructor(private readonly parts: AcceptanceDependencies) {}

  get unread(): number {
    return this.#unread.length + this.#unnumbered;
  }

  /** True while many writes are pending, so that a new message is better read later. */
  isBacklogged(): boolean {
    return !this.#closed && (this.#accepting.count >= MAX_ACCEPTING || this.#unread.length > 0);
  }

  /** Calls `start`, which must not throw, after the pending writes. */
  defer(start: () => void): void {
    this.#unread.push(start);
  }

  /** Resolves when the message is stored. @throws StoreError if it is not stored; `uncertain` only after a close */
  async accept(accepted: NewMessage, requests: readonly NewRequest[]): Promise<void> {
    const { messages, failed, worked } = this.parts;
    const { message } = accepted;
    this.#begin(message);
    this.#unnumbered++;
    try {
      const opened = await this.#number(message).finally(() => this.#unnumbered--);
      messages.set(message.id, message);
      await this.#write(opened, this.#toJob(accepted, opened.place), toStored(message, requests));
      worked();
    } catch (error) {
      messages.delete(message.id);
      failed(error);
      throw error;
    } finally {
      this.#end(message);
    }
  }

  async #number(message: StoredMessage): Promise<OpenedStore> {
    const { store } = this.parts;
    const opened = store.opened ?? (await store.open());
    message.id = await opened.place.store.ids.one();
    return opened;
  }

  async #write({ place, queue }: OpenedStore, job: NewJob, requests: readonly NewRequest[]): Promise<void> {
    const [request] = requests;
    try {
      if (request !== undefined && requests.length === 1 && queue.mayAcceptSending(request.operation)) {
        await queue.acceptSending(job, request);
      } else {
        await place.store.jobs.accept(job, requests, queue.isBusy);
      }
    } catch (error) {
      await findAccepted(place, job.id, error, this.#doubt);
    }
  }

  /** Stores a message of many requests, a page at a time. */
  async acceptPages(accepted: NewMessage, pages: Iterable<readonly NewRequest[]>): Promise<void> {
    const { messages, worked } = this.parts;
    const { message } = accepted;
    this.#begin(message);
    try {
      const { place } = await this.#number(message);
      const onComplete = (): void => void messages.set(message.id, message);
      await storePages(
        place,
        this.#toJob(accepted, place),
        storedPages(message, pages),
        onComplete,
        this.#doubt,
      );
      worked();
    } catch (error) {
      if (!(error instanceof StoreError) || !error.uncertain) {
        messages.delete(message.id);
      }
      throw error;
    } finally {
      this.#end(message);
    }
  }

  stop(): void {
    this.#closed = true;
    while (this.#unread.length > 0) {
      this.#unread.shift()?.();
    }
  }

  settled(): Promise<void> {
    return this.#accepting.idle();
  }

  #begin(message: StoredMessage): void {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    message.isWriting = true;
    this.#accepting.begin();
  }

  #end(message: StoredMessage): void {
    message.isWriting = false;
    this.#accepting.end();
    while (this.#unread.length > 0 && this.#accepting.count < MAX_ACCEPTING) {
      this.#unread.shift()?.();
    }
  }

  #toJob({ message, channel, snapshot }: NewMessage, { instances }: AccountStore): NewJob {
    const { id, account, node } = message;
    const { destination } = this.parts;
    return { id, account, destination, node, resultOwner: instances.id, channel, snapshot };
  }

  readonly #doubt: Doubt = {
    isClosed: () => this.#closed,
    failed: (error) => this.parts.failed(error),
  };
}
