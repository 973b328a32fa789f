import type { RefusedSignIn } from "../../gateway/queue/sign-in-gate";
import type { LimitUse } from "../guards/limit-warnings";

export interface ShownState {
  readonly stopped: boolean;
  readonly refused: readonly RefusedSignIn[];
  /** The limit nearest to its end, from 80 % on. */
  readonly limit: LimitUse | null;
  /** Epoch ms until which a used-up limit delays messages; null if none does. */
  readonly heldUntil: number | null;
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

  /** Calls back at once and after each change. @returns ends it */
  watch(listener: StateListener): () => void {
    this.#listeners.add(listener);
    listener(this.#current);
    return () => void this.#listeners.delete(listener);
  }
}
