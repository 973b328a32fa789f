import { StoreError } from "../../../store/engine/store-error";
import type { ResultNode } from "./stored-message";

/** ms without a fault after which the same one is told once more. */
const QUIET = 60_000;

/** Tells people and nodes that the store of an account does not work, or works again. */
export class StoreTrouble {
  #failing = false;
  /** The last fault that people were told of. */
  #said: { readonly code: string; readonly until: number } | null = null;

  /** @param warn tells people, once for many equal faults */
  constructor(
    private readonly warn: (text: string) => void,
    /** Those that show it. */
    private readonly nodes: () => Iterable<ResultNode>,
  ) {}

  /** @param error null: it works */
  note(error: Error | null): void {
    this.#failing = error !== null;
    if (error instanceof StoreError) {
      const now = performance.now();
      if (this.#said?.code !== error.code || now >= this.#said.until) {
        this.warn(error.message);
      }
      this.#said = { code: error.code, until: now + QUIET };
    }
    for (const node of this.nodes()) {
      node.trouble(error);
    }
  }

  /** It works, which is news only where it did not. */
  worked(): void {
    if (this.#failing) {
      this.note(null);
    }
  }
}
