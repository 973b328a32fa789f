import type { ServerResponse } from "node:http";

/** An event that waits for the decision of its flow, with the callers that delivered it and its copies. */
export class PendingEvent {
  readonly #open = new Map<ServerResponse, () => void>();
  #cut = 0;

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

/** The events that wait for a decision, by their keys. Shared with the receiver of the node before a partial deploy. */
export class PendingEvents {
  readonly #byKey = new Map<string, { readonly id: string; readonly event: PendingEvent }[]>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** The ids by which a flow decides. */
  get ids(): readonly string[] {
    return [...this.#byKey.values()].flat().map(({ id }) => id);
  }

  add(key: string, id: string, event: PendingEvent): void {
    this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), { id, event }]);
  }

  remove(key: string, removed: PendingEvent): void {
    const rest = (this.#byKey.get(key) ?? []).filter(({ event }) => event !== removed);
    if (rest.length > 0) {
      this.#byKey.set(key, rest);
    } else {
      this.#byKey.delete(key);
    }
  }

  /** Whether a caller delivers a copy of a pending event. It then gets the same answer. */
  join(key: string, unique: boolean, res: ServerResponse): boolean {
    const pending = this.#byKey.get(key);
    if (pending === undefined) {
      return false;
    }
    if (!unique) {
      return pending.some(({ event }) => event.rejoin(res));
    }
    pending[0]?.event.join(res);
    return true;
  }
}
