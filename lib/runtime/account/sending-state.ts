import type { RefusedSignIn } from "../../gateway/queue/sign-in-gate";
import type { LimitUse } from "../guards/limit-warnings";

/** What the badges of all send nodes of an account show. */
export interface ShownState {
  /** Whether nothing leaves. */
  readonly stopped: boolean;
  /** Sign-ins that the service refuses. */
  readonly refused: readonly RefusedSignIn[];
  /** The limit that is nearest to its end, from 80 % on. */
  readonly limit: LimitUse | null;
  /** Epoch ms until which messages wait because a limit is used up; null where they do not. */
  readonly heldUntil: number | null;
  /** Waiting requests that were accepted for another destination. */
  readonly elsewhere: number;
}

export const INITIAL_STATE: ShownState = {
  stopped: false,
  refused: [],
  limit: null,
  heldUntil: null,
  elsewhere: 0,
};

type StateListener = (state: ShownState) => void;

/** What an account tells its send nodes. */
export class SendingState {
  #current = INITIAL_STATE;
  readonly #listeners = new Set<StateListener>();

  get current(): ShownState {
    return this.#current;
  }

  change(changed: Partial<ShownState>): void {
    this.#current = { ...this.#current, ...changed };
    for (const listener of this.#listeners) {
      listener(this.#current);
    }
  }

  /** Calls back at once, and with each change. @returns ends it */
  watch(listener: StateListener): () => void {
    this.#listeners.add(listener);
    listener(this.#current);
    return () => void this.#listeners.delete(listener);
  }
}
