import type { NewEvent } from "../../../store/events/deliveries";
import { MultiMap } from "./multi-map";

/** An event of a webhook, as far as waits need it. */
export type ReportedEvent = Pick<
  NewEvent,
  "number" | "clientMessageId" | "transferId" | "status" | "at" | "reply"
>;

/** The ids by which an event belongs to a request. */
export type RequestIds = Pick<ReportedEvent, "transferId" | "clientMessageId">;

/**
 * Finds what belongs to the same request: by the transfer id where both sides have one, otherwise by the client message id. A flow may
 * use a client message id again, so it counts less.
 */
export class ByRequest<Entry extends object> {
  readonly #transfers = new MultiMap<Entry>();
  /** By client message id: those without a transfer id, and the others. */
  readonly #untransferred = new MultiMap<Entry>();
  readonly #transferred = new MultiMap<Entry>();

  get size(): number {
    return this.#transfers.size + this.#untransferred.size + this.#transferred.size;
  }

  add({ transferId, clientMessageId }: RequestIds, entry: Entry): void {
    if (transferId !== null) {
      this.#transfers.add(transferId, entry);
    }
    if (clientMessageId !== null) {
      (transferId === null ? this.#untransferred : this.#transferred).add(clientMessageId, entry);
    }
  }

  remove({ transferId, clientMessageId }: RequestIds, entry: Entry): void {
    if (transferId !== null) {
      this.#transfers.remove(transferId, entry);
    }
    if (clientMessageId !== null) {
      (transferId === null ? this.#untransferred : this.#transferred).remove(clientMessageId, entry);
    }
  }

  byTransfer({ transferId }: RequestIds): readonly Entry[] {
    return this.#transfers.of(transferId);
  }

  byClientMessage({ transferId, clientMessageId }: RequestIds): readonly Entry[] {
    const without = this.#untransferred.of(clientMessageId);
    return transferId === null ? [...without, ...this.#transferred.of(clientMessageId)] : without;
  }
}
