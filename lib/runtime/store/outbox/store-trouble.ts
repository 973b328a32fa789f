import { StoreError } from "../../../store/engine/store-error";
import type { ResultNode } from "./stored-message";

/** Milliseconds without an error after which the same one is reported again. */
const QUIET = 60_000;

export class StoreTrouble {
  #failing = false;
  #said: { readonly code: string; readonly until: number } | null = null;

  constructor(
    private readonly warn: (text: string) => void,
    private readonly nodes: () => Iterable<ResultNode>,
  ) {}

  /** @param error null if the store works */
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

  /** Reported only after an error. */
  worked(): void {
    if (this.#failing) {
      this.note(null);
    }
  }
}
