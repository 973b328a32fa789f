import type { ReplyChannel } from "../../../store/waits/wait";
import { ByRequest, type RequestIds } from "./by-request";
import type { MemoryWait, WaitingRecipient } from "./memory-wait";
import { MultiMap } from "./multi-map";

const meet = (one: ReplyChannel | "any", other: ReplyChannel | "any"): boolean =>
  one === other || one === "any" || other === "any";

/** Finds the waits that an event is about. */
export class OpenWaits {
  readonly #requests = new ByRequest<MemoryWait>();
  /** Who is asked something, by number. */
  readonly #questions = new MultiMap<WaitingRecipient>();

  get size(): number {
    return this.#requests.size + this.#questions.size;
  }

  /** Adds a wait. Its questions take the place of older ones to the same people. */
  add(wait: MemoryWait): void {
    this.#requests.add(wait.begun, wait);
    for (const recipient of wait.recipients) {
      if (recipient.asks) {
        this.#ask(recipient);
      }
    }
  }

  #ask(recipient: WaitingRecipient): void {
    const { number, wait } = recipient;
    for (const older of this.#questions.of(number)) {
      if (meet(older.wait.begun.channel, wait.begun.channel)) {
        older.replaced = true;
        this.forgetQuestion(older);
      }
    }
    this.#questions.add(number, recipient);
  }

  forgetQuestion(recipient: WaitingRecipient): void {
    if (recipient.asks) {
      recipient.asks = false;
      this.#questions.remove(recipient.number, recipient);
    }
  }

  remove(wait: MemoryWait): void {
    this.#requests.remove(wait.begun, wait);
  }

  /** Those of whom a status tells something. @param number digits; null where the event has none */
  recipients(ids: RequestIds, number: string | null): readonly WaitingRecipient[] {
    const waits = this.#requests.byTransfer(ids);
    return (waits.length > 0 ? waits : this.#likeliest(ids, number)).flatMap(
      (wait) => wait.recipientOf(number) ?? [],
    );
  }

  /** The waits of the newest request with the client message id, of one with the number where there is one. */
  #likeliest(ids: RequestIds, number: string | null): readonly MemoryWait[] {
    const found = this.#requests.byClientMessage(ids);
    if (found.length < 2) {
      return found;
    }
    const meant = number === null ? [] : found.filter((wait) => wait.has(number));
    const waits = meant.length === 0 ? found : meant;
    const newest = waits.reduce((a, b) => (a.id > b.id ? a : b));
    return waits.filter(({ begun }) => begun.transferId === newest.begun.transferId);
  }

  /** Whom an inbound message answers: the newest question to the number by the channel. */
  question(number: string, channel: ReplyChannel): WaitingRecipient | undefined {
    return this.#questions.of(number).findLast(({ wait }) => meet(wait.begun.channel, channel));
  }
}
