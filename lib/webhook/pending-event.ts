import type { ServerResponse } from "node:http";

/**
 * An event that waits for the decision of its flow, with the callers that wait for the answer: the one that delivered
 * it and those that delivered copies meanwhile.
 */
export class PendingEvent {
  readonly #open = new Map<ServerResponse, () => void>();
  #cut = 0;

  constructor(res: ServerResponse) {
    this.join(res);
  }

  /** A caller waits for the same answer. */
  join(res: ServerResponse): void {
    // The socket of the request: of several requests on one connection only the first has an answer with a socket.
    const { socket } = res.req;
    if (res.destroyed || socket.destroyed) {
      this.#cut++;
      return;
    }
    const close = (): void => {
      if (this.#open.delete(res)) {
        this.#cut++;
      }
    };
    socket.once("close", close);
    this.#open.set(res, () => socket.off("close", close));
  }

  /** A caller whose connection broke delivers again. @returns false where no connection broke */
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
    const callers = [...this.#open.keys()];
    for (const leave of this.#open.values()) {
      leave();
    }
    this.#open.clear();
    return { callers, cut: this.#cut };
  }
}
