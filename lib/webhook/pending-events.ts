import type { ServerResponse } from "node:http";

export class PendingEvent {
  readonly #open = new Map<ServerResponse, () => void>();
  #cut = 0;

  join(res: ServerResponse): void {
    // Only the first of pipelined requests has a response with a socket.
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

  rejoin(res: ServerResponse): boolean {
    if (this.#cut === 0) {
      return false;
    }
    this.#cut--;
    this.join(res);
    return true;
  }

  end(): { readonly callers: readonly ServerResponse[]; readonly cut: number } {
    const callers = [...this.#open.keys()];
    for (const leave of this.#open.values()) {
      leave();
    }
    this.#open.clear();
    return { callers, cut: this.#cut };
  }
}

/** Pending events by key, shared across a partial deploy. */
export class PendingEvents {
  readonly #byKey = new Map<string, { readonly id: string; readonly event: PendingEvent }[]>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

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
