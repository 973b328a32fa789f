import type { OptOutChange } from "../shared/opt-outs/opt-out-change";
import type { MessageChannel } from "../shared/message-channel";
import type { Acknowledgements, DecidedBy } from "./acknowledgements";
import type { EventKind, ReceiverKind } from "./classify-event";
import type { EventLedger, MessageOfEvent } from "./event-ledger";
import type { Gates, Passed } from "./gates/gates";
import type { Unparsed } from "./gates/parse-json";
import type { RefusalReason } from "./gates/refusals";

/** An event for the flow. */
export interface ReceivedEvent {
  readonly kind: EventKind;
  /** Output of the node, from 0. */
  readonly port: number;
  /** Whether that is *other status* because the node is for another channel. */
  readonly otherChannel: boolean;
  /** The same for every redelivery of the event. */
  readonly key: string;
  /** Of its body as it came. */
  readonly bytes: number;
  /** The flow may have received a copy before. */
  readonly possibleDuplicate: boolean;
  /** Id by which a flow decides about it; null where it is acknowledged on receipt. */
  readonly ack: string | null;
  readonly sender: string | null;
  /** As far as it is known: a status message does not tell it. */
  readonly channel: MessageChannel | null;
  readonly payload: unknown;
  /** Whether the built-in simulator sent it, not the service. */
  readonly simulated: boolean;
  /** Why the payload is the text of the body; null where it is the value. */
  readonly unparsed: Unparsed | null;
  /** The message of the account that it reports on; null where there is no ledger, or none that it knows. */
  readonly message: MessageOfEvent | null;
  /** What it says by a stop word or a start word. The first copy has changed the list of opt-outs; null for nearly all events. */
  readonly optOut: OptOutChange | null;
  /** The caller, without credentials. */
  readonly request: Passed["req"];
}

/** Who calls: the service, or the built-in simulator, also at the address that a message has for its reports. */
export type Caller = "service" | "simulator" | "simulator-callback";

/** Reports of a receiver, for counters and the sidebar. */
export type ReceiverEvent =
  /** `otherChannel`: it left by *other status*, because the node is for another channel. */
  | { readonly what: "event"; readonly kind: EventKind; readonly otherChannel: boolean }
  | { readonly what: "duplicate" }
  | { readonly what: "refused"; readonly reason: RefusalReason }
  | { readonly what: "sent-back"; readonly by: SentBackBy };

/** Why an event was sent back. */
export type SentBackBy = DecidedBy | "error" | "busy" | "nobody" | "store" | "elsewhere";

export interface ReceiverSettings {
  readonly kind: ReceiverKind;
  /** Whose statuses leave by *delivered* and *failed*; null for all. */
  readonly channel: MessageChannel | null;
  /** ms that a flow may take to decide; null: acknowledged on receipt. */
  readonly flowDecidesWithin: number | null;
}

/** What an event changes in the list of opt-outs; null for nothing. The ledger changes the list. */
export type OptOutReader = (event: Pick<ReceivedEvent, "kind" | "sender" | "payload">) => OptOutChange | null;

export interface ReceiverParts {
  readonly gates: Gates;
  readonly ledger: EventLedger;
  /** null where stop words are like any others. */
  readonly optOuts: OptOutReader | null;
  readonly acknowledgements: Acknowledgements;
  /** The nodes wired to a port: `some` run; `none` is wired; all wired ones are `gone` or disabled. */
  readonly audience: (port: number) => "some" | "none" | "gone";
  /** Delivers an event to the flow. If it throws, the service is asked to deliver the event again. */
  readonly emit: (event: ReceivedEvent) => void;
  readonly happened: (event: ReceiverEvent) => void;
}

/** Header of self-test requests, with the token of the test. */
export const SELF_TEST_HEADER = "x-messaging-self-test";

/** What became of a self-test. */
export type SelfTestEnd = RefusalReason | "passed" | "not-running";
