import { atMost } from "../../shared/async/at-most";
import { REAL_TIMING, type Timing } from "../../gateway/http/timing";
import { FieldError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import type { NewWait, OpenWait } from "../../store/waits/wait";
import { say } from "../../texts/say";
import { LiveWaits } from "./live-waits";
import { type KeeperAccount, WaitKeeper } from "./wait-keeper";
import { writeMessage } from "./wait-message";
import type { WaitListener, WaitRequest, Waits } from "./waits";

export interface WaitsAccount extends KeeperAccount {
  readonly id: string;
  /** Characters of the largest message that is kept whole. */
  readonly snapshotLimit: number;
  readonly timing?: Timing;
}

/** ms for the last writes. Together with the node's own waits it stays below Node-RED's limit of 15 s for closing. */
const LAST_WRITES = 4_000;

/** A list that waits at several nodes has a group at each. */
const groupOf = ({ node, group }: WaitRequest): string | null =>
  group === null ? null : JSON.stringify([node, group]);

let last = 0;

/** The messages of an account that wait, also after a restart and in another process that shares the store. */
export class AccountWaits implements Waits {
  readonly #live: LiveWaits;
  readonly #keeper: WaitKeeper;
  readonly #begins = new Set<Promise<unknown>>();
  #closed = false;

  constructor(private readonly account: WaitsAccount) {
    this.#live = LiveWaits.of(account.id);
    this.#keeper = new WaitKeeper(account, this.#live, account.timing ?? REAL_TIMING);
  }

  async begin(request: WaitRequest): Promise<void> {
    if (this.#closed) {
      throw new SetupError("ACCOUNT_CLOSED", say("account.ACCOUNT_CLOSED"));
    }
    const begun = this.#begin(request);
    this.#begins.add(begun);
    try {
      await begun;
    } finally {
      this.#begins.delete(begun);
    }
  }

  join(node: string, listener: WaitListener): () => void {
    return this.#keeper.join(node, listener);
  }

  async close(): Promise<void> {
    if (this.#closed) {
      return;
    }
    this.#closed = true;
    await atMost(LAST_WRITES, Promise.allSettled([...this.#begins, this.#keeper.finish()]));
    await this.#keeper.close();
  }

  async #begin(request: WaitRequest): Promise<void> {
    const { msg, ...rest } = request;
    const { text: snapshot, isWhole } = writeMessage(msg, this.account.snapshotLimit);
    const place = await this.#keeper.open();
    const key = `${place.instances.id}-${++last}`;
    if (!isWhole) {
      this.#live.storeMessage(key, msg);
    }
    const wait: NewWait = {
      ...rest,
      key,
      account: place.account,
      scope: place.scope,
      resultOwner: place.instances.id,
      group: groupOf(request),
      repeated: request.repeated === true,
      snapshot,
    };
    let open: OpenWait | "continued" | null = null;
    try {
      open = await this.#write(wait);
    } finally {
      if (open === null || open === "continued") {
        this.#live.deleteMessage(key);
      }
    }
    if (open === null) {
      const field = request.transferId === null ? "clientMessageId" : "transferId";
      throw new FieldError("UNKNOWN_MESSAGE", field, say("fields.unknown-message"));
    }
    if (open !== "continued") {
      for (const keeper of this.#live.keepers) {
        keeper.started(open);
      }
    }
  }

  /**
   * Repeats an uncertain write until its result is certain.
   * @throws StoreError if it has not started; with `uncertain` only if the account closed
   */
  async #write(wait: NewWait): Promise<OpenWait | "continued" | null> {
    for (let mayHaveStarted = false; ; ) {
      try {
        const place = await this.#keeper.open();
        return await place.store.waits.start({ ...wait, resultOwner: place.instances.id });
      } catch (error) {
        if (!(error instanceof StoreError)) {
          throw error;
        }
        this.#keeper.failed(error);
        mayHaveStarted ||= error.uncertain;
        if (!mayHaveStarted) {
          throw error;
        }
        if (this.#closed) {
          throw new StoreError(error.code, error.place, "", true);
        }
        await this.#keeper.pause();
      }
    }
  }
}
