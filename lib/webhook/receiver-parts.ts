import type { OptOutChange } from "../shared/opt-outs/opt-out-change";
import type { MessageChannel } from "../shared/message-channel";
import type { Acknowledgements, DecidedBy } from "./acknowledgements";
import type { EventKind, ReceiverKind } from "./classify-event";
import type { EventLedger, EventMessage } from "./event-ledger";
import type { Gates, Passed } from "./gates/gates";
import type { Unparsed } from "./gates/parse-json";
import type { RefusalReason } from "./gates/refusals";

export interface ReceivedEvent {
  readonly kind: EventKind;
  readonly port: number;
  /** Whether the node is for another channel. */
  readonly otherChannel: boolean;
  readonly key: string;
  readonly bytes: number;
  readonly possibleDuplicate: boolean;
  /** Null if acknowledged on receipt. */
  readonly ack: string | null;
  readonly sender: string | null;
  readonly channel: MessageChannel | null;
  readonly payload: unknown;
  readonly simulated: boolean;
  readonly unparsed: Unparsed | null;
  readonly message: EventMessage | null;
  /** The first copy has changed the opt-outs. */
  readonly optOut: OptOutChange | null;
  /** Without credentials. */
  readonly request: Passed["req"];
}

/** `simulator-callback`: a report at the address of a message. */
export type Caller = "service" | "simulator" | "simulator-callback";

export type ReceiverEvent =
  /** `otherChannel`: emitted by *other status*. */
  | { readonly what: "event"; readonly kind: EventKind; readonly otherChannel: boolean }
  | { readonly what: "duplicate" }
  | { readonly what: "refused"; readonly reason: RefusalReason }
  | { readonly what: "sent-back"; readonly by: RedeliveryReason };

/** Reason for a redelivery. */
export type RedeliveryReason = DecidedBy | "error" | "busy" | "nobody" | "store" | "elsewhere";

export interface ReceiverSettings {
  readonly kind: ReceiverKind;
  readonly channel: MessageChannel | null;
  /** Ms for a decision. Null: acknowledged on receipt. */
  readonly flowDecidesWithin: number | null;
}

export type OptOutReader = (event: Pick<ReceivedEvent, "kind" | "sender" | "payload">) => OptOutChange | null;

export interface ReceiverParts {
  readonly gates: Gates;
  readonly ledger: EventLedger;
  readonly optOuts: OptOutReader | null;
  readonly acknowledgements: Acknowledgements;
  /** `gone`: all wired nodes are missing or disabled. */
  readonly audience: (port: number) => "some" | "none" | "gone";
  /** Requests a redelivery if it throws. */
  readonly emit: (event: ReceivedEvent) => void;
  readonly happened: (event: ReceiverEvent) => void;
}

export const SELF_TEST_HEADER = "x-messaging-self-test";

export type SelfTestEnd = RefusalReason | "passed" | "not-running";
