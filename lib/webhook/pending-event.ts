import type { ServerResponse } from "node:http";

/**
 * An event that waits for its flow, and everybody who wants to hear what becomes of it: the caller who brought it
 * and those who brought copies meanwhile.
 */
export class PendingEvent {
  readonly #open = new Set<ServerResponse>();
  #cut = 0;

  constructor(res: ServerResponse) {
    this.join(res);
  }

  /** A caller waits for the same answer. */
  join(res: ServerResponse): void {
    if (res.closed || res.destroyed) {
      this.#cut++;
      return;
    }
    this.#open.add(res);
    res.once("close", () => {
      if (this.#open.delete(res)) {
        this.#cut++;
      }
    });
  }

  /** A caller whose connection broke has come back, if there was one. */
  rejoin(res: ServerResponse): boolean {
    if (this.#cut === 0) {
      return false;
    }
    this.#cut--;
    this.join(res);
    return true;
  }

  /** Ends the waiting: callers to answer, and how many have left without an answer. */
  end(): { readonly callers: readonly ServerResponse[]; readonly cut: number } {
    const callers = [...this.#open];
    this.#open.clear();
    return { callers, cut: this.#cut };
  }
}
