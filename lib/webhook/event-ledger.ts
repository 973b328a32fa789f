import type { OptOutChange } from "../shared/opt-outs/opt-out-change";
import type { MessageChannel } from "../shared/message-channel";
import type { EventKind } from "./classify-event";

/** An event that a receiver is about to pass on. */
export interface LedgerEntry {
  readonly kind: EventKind;
  /** The same for every redelivery of the event. */
  readonly key: string;
  /** Whether no other event has this key. */
  readonly unique: boolean;
  readonly sender: string | null;
  readonly payload: unknown;
  /** Whether the built-in simulator sent it, not the service. */
  readonly simulated: boolean;
  /** Of its body as it came. */
  readonly bytes: number;
  /** What it changes in the list of opt-outs; null for nearly all events. Copies of an event change nothing. */
  readonly optOut: OptOutChange | null;
}

/** The sent message that an event belongs to, as far as the ledger knows it. */
export interface MessageOfEvent {
  /** Number of its request in the ledger. */
  readonly request: number;
  /** Id of the node that sent it. */
  readonly node: string;
  /** null before its result. */
  readonly outcome: string | null;
  /** Its outcome was `unknown` until an event showed that the service had taken it. */
  readonly wasUnknown: boolean;
}

/** What a ledger knows of an event. */
export interface Entered {
  /** Whether a flow has run for it already. It is acknowledged then, and goes no further. */
  readonly duplicate: boolean;
  /** The flow may have received a copy before. */
  readonly seen: boolean;
  /** Another process has it, and its flow may still be at work. It is to be delivered again, and goes no further now. */
  readonly elsewhere: boolean;
  readonly message: MessageOfEvent | null;
  /** Of the sent message that the event belongs to; null where that is not known. */
  readonly channel: MessageChannel | null;
  /** To be called where the event is not acknowledged in the end: its redelivery is then no second event. */
  readonly sentBack: () => void;
}

/** What a webhook knows of earlier events. */
export interface EventLedger {
  /** Whether another event may be entered now. */
  readonly hasRoom: boolean;
  /** Whether an event is surely a copy. Without a unique key only a cut answer says so, and explains this copy alone. */
  isCopy(key: string, unique: boolean): boolean;
  /**
   * Stores an event, with what it changes in the list of opt-outs.
   * @throws where it cannot be written; the event must not be passed on then
   */
  enter(entry: LedgerEntry): Promise<Entered>;
  /** The flow has taken an event with a unique key, so its copies are duplicates from now on. It is stored a little later. */
  done(key: string): void;
  /** The answer to an event without a unique key was cut off, which explains one redelivery. */
  cut(key: string): void;
}
