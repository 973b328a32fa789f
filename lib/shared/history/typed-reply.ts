import { LIMITS } from "../fields/limits";
import type { MessageChannel } from "../message-channel";
import type { MessageState } from "./message-record";
import type { ShownOutcome } from "../outcomes";

/** Shapes of a reply that a person types in a conversation. Sentences are in the language of the editor. */

/** Characters of a typed text at most: those of a WhatsApp text. */
export const LONGEST_REPLY = LIMITS.textContent;

/** What the key of the message of a reply in the store begins with; no other message has such a key. */
export const REPLY_KEY = "reply-";

/** ms for which a form can be sent. Shorter than messages are kept at least, so that the store still knows what it took by its id. */
export const REPLY_LIFE = 12 * 3_600_000;

/** A send node of the account. */
export interface ReplyNode {
  /** Id of the node; of one inside a subflow its path. */
  readonly node: string;
  /** As it was deployed; blank where it has none. */
  readonly name: string;
  readonly channel: MessageChannel;
  /** Why it cannot send a text to this person now; null where it can. */
  readonly why: string | null;
}

/** Answer to `reply-nodes` with a `number`: the form of a reply. */
export interface ReplyForm {
  /** What the id of each reply begins with: it binds the reply to this account, the place of its messages and the time. */
  readonly begin: string;
  readonly nodes: readonly ReplyNode[];
}

/** What would be sent, as somebody is shown it before. */
export interface ReplyFacts {
  /** In international form, with plus. */
  readonly number: string;
  /** Name of the node as it was deployed; blank where it has none. */
  readonly name: string;
  readonly channel: MessageChannel;
  /** Sender of an SMS; null where the service has its own one, and for other channels. */
  readonly sender: string | null;
  /** Whether it is a flash SMS, which appears at once on the screen of the phone. */
  readonly flash: boolean;
  /** Billed messages: segments of an SMS, else 1. */
  readonly cost: number;
  /** ISO 8601 in UTC: when the sending hours begin that it waits for; null where it need not wait for them. */
  readonly leavesAt: string | null;
  /** ISO 8601 in UTC: until when a limit of the account that is used up holds it back at least; null where none does. */
  readonly heldUntil: string | null;
  /** Whether all sending of the account is stopped, so that it waits for that. */
  readonly stopped: boolean;
  /** Whether only the built-in simulator gets it. */
  readonly simulated: boolean;
}

/** Answer to `plan-reply` with a `number`, a `node` and a `text`. */
export type ReplyPlan =
  | { readonly refused: string }
  | {
      readonly refused: null;
      readonly facts: ReplyFacts;
      /** Stands for all that would be sent: text, person, account, settings. Something else is not sent under it. */
      readonly shown: string;
    };

/**
 * Answer to `reply` with an `id`, a `number`, a `node`, a `text`, and what was `shown`. `taken` says that this text is in the store and is sent;
 * `earlier` that the id had been taken before, and nothing was done; `refused` that nothing was taken, and why.
 */
export type Replied =
  | { readonly what: "taken" | "earlier" }
  | { readonly what: "refused"; readonly why: string };

/** Answer to `reply-state` with an `id`: what became of a reply. */
export interface ReplyState {
  /** null where that is not known any more. */
  readonly taken: boolean | null;
  /** null where it was not taken, and where its number was deleted since. */
  readonly state: MessageState | null;
  /** null before it is known. */
  readonly outcome: ShownOutcome | null;
  /** Of a failure what happened and what to do; blank where there is nothing to say. */
  readonly text: string;
}
