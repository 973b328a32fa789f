import type { OptOutChange } from "../shared/opt-outs/opt-out-change";
import type { MessageChannel } from "../shared/message-channel";
import type { EventKind } from "./classify-event";

export interface LedgerEntry {
  readonly kind: EventKind;
  readonly key: string;
  readonly unique: boolean;
  readonly sender: string | null;
  readonly payload: unknown;
  /** Whether the built-in simulator sent it. */
  readonly simulated: boolean;
  readonly bytes: number;
  /** Only the first copy changes the opt-outs. */
  readonly optOut: OptOutChange | null;
}

export interface EventMessage {
  readonly request: number;
  readonly node: string;
  readonly outcome: string | null;
  readonly wasUnknown: boolean;
}

export interface Entered {
  /** A flow has processed it, so it is acknowledged and not emitted. */
  readonly duplicate: boolean;
  /** The flow may have received a copy. */
  readonly seen: boolean;
  /** Another process handles it, so it must be delivered again. */
  readonly elsewhere: boolean;
  readonly message: EventMessage | null;
  /** Null if unknown. */
  readonly channel: MessageChannel | null;
  /** Call it if the event is not acknowledged, so that its redelivery is no second event. */
  readonly sentBack: () => void;
}

export interface EventLedger {
  /** Whether it accepts another event. */
  readonly hasRoom: boolean;
  isCopy(key: string, unique: boolean): boolean;
  /** Stores an event with its opt-out. @throws if it cannot be stored, so the event must not be emitted */
  enter(entry: LedgerEntry): Promise<Entered>;
  done(key: string): void;
  /** A cut response explains one redelivery of an event without a unique key. */
  cut(key: string): void;
}
