/** Shapes that travel between the editor's simulator panel and the runtime. */

/** Messages of one account that the panel shows in each direction. */
export const MOST_MESSAGES = 30;

/** Recipients of one message that the panel offers to act as. */
export const MOST_PEOPLE = 100;

/** Characters of a text that the panel gets: as many as the longest text of any channel has. */
export const LONGEST_SHOWN = 10_000;

/** Longest text of a simulated inbound message. */
export const LONGEST_TEXT = 4096;

/** Longest name of a template. */
export const LONGEST_LINE = 512;

/** Templates that the panel names: those added last. */
export const MOST_TEMPLATES = 20;

/** Statuses that the panel can set for a message. */
export const REPORTED_STATUSES = ["sent", "delivered", "read", "failed"] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** Channels of simulated inbound messages. */
export const INBOUND_CHANNELS = ["sms", "whatsapp", "rcs"] as const;
export type InboundChannel = (typeof INBOUND_CHANNELS)[number];

/** Media types of a picture of a simulated inbound message. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** Largest picture, in bytes: in Base64 it fits into a request to the editor's API, which takes 5 MB unless set otherwise. */
export const LARGEST_PICTURE = 3_145_728;

/** A picture of a simulated inbound message: the simulator's own sample, or a file. */
export type PanelPicture =
  | { readonly sample: true }
  | {
      readonly contentType: (typeof PICTURE_TYPES)[number];
      readonly fileName: string;
      readonly base64: string;
    };

/** Below the admin root. */
export const simulatorPath = (accountId: string, action = ""): string =>
  `messaging-account/${encodeURIComponent(accountId)}/simulator${action === "" ? "" : `/${action}`}`;

/** A suggestion of an RCS message that its recipient can tap. */
export interface PanelSuggestion {
  /** Position in the message, for the action `tap`. */
  readonly index: number;
  readonly text: string;
  readonly kind: "reply" | "action";
  /** Name of the action in the payload, such as `openUrl`; null for a reply. */
  readonly action: string | null;
  /** URL or phone number of the action; null for none. */
  readonly target: string | null;
  /** Whether an event comes of the tap: an action without postback data stays in the phone. */
  readonly heard: boolean;
}

/** A card of an RCS message; blank texts where it has none. */
export interface PanelCard {
  readonly title: string;
  readonly description: string;
  readonly picture: boolean;
  readonly suggestions: readonly PanelSuggestion[];
}

/** A message that the simulator has taken. */
export interface PanelMessage {
  readonly transferId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Of a reply to it; a voice message gets one by SMS. */
  readonly channel: InboundChannel;
  /** A call that speaks the text. */
  readonly spoken: boolean;
  /** First recipient, masked. */
  readonly who: string;
  /** First recipient, complete, with plus; null for those who may not deploy. */
  readonly number: string | null;
  /** Recipients in all. */
  readonly count: number;
  /** Of several recipients the first ones, at most `MOST_PEOPLE`, complete, with plus; empty for one, and for those who may not deploy. */
  readonly people: readonly string[];
  /** The text, at most `LONGEST_SHOWN` characters and an ellipsis; null for those who may not deploy. */
  readonly text: string | null;
  /** Cards of an RCS message; empty for those who may not deploy. */
  readonly cards: readonly PanelCard[];
  /** Suggestions below an RCS message; empty for those who may not deploy. */
  readonly suggestions: readonly PanelSuggestion[];
  /** Sent in test mode: not delivered. */
  readonly test: boolean;
}

/** A message that a recipient has sent to the account. */
export interface PanelReply {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly channel: InboundChannel;
  /** Sender, masked. */
  readonly who: string;
  /** Sender, complete, with plus; null for those who may not deploy. */
  readonly number: string | null;
  /** As in `PanelMessage`. */
  readonly text: string | null;
  /** A file came with it. */
  readonly picture: boolean;
  /** It is a tap on a suggestion. */
  readonly tapped: boolean;
}

/** Below the simulator's path: the same view with texts, for those who may deploy. */
export const WITH_TEXTS = "texts";

/** GET of the simulator's path: without texts; and, with them, of the path for those who may deploy. */
export interface SimulatorView {
  /** Newest first. */
  readonly messages: readonly PanelMessage[];
  /** Newest first. */
  readonly replies: readonly PanelReply[];
  /** Status code that answers the next message instead of the usual one; null for none. */
  readonly nextAnswer: number | null;
  /** Codes that the next message can be answered with, in a few words of the reader's language where there are some, in their order. */
  readonly answers: readonly { readonly code: number; readonly words: string }[];
  /** Approved templates by name and language, at most `MOST_TEMPLATES` of them, those added last at the end. */
  readonly templates: readonly { readonly name: string; readonly locale: string }[];
  /** Whether a webhook receives inbound messages and status events. */
  readonly hears: { readonly inbound: boolean; readonly status: boolean };
}

/**
 * POST of an action: `reply` {transferId, person?, text, picture?}, `write` {channel, sender, text, picture?}, `tap` {transferId,
 * person?, suggestion}, `status` {transferId, person?, status}, `next-answer` {statusCode}, `normal` {}, `template` {templateName, templateLocale,
 * text with `{{1}}`}. A person is the place of a recipient, from 0: without it a status is
 * about all of them, and the first one replies. A text may be blank beside a picture. A sender is a number as a recipient of the account may be written.
 */
export interface ActionAnswer {
  /** Webhooks that were called. */
  readonly told: number;
  /** What is wrong with the input, in the order of the form; nothing was done then. */
  readonly refused: readonly PanelRefusal[];
}

/** One fault of an input; also the key of its text. Behind `number.` is a `RecipientFault`. */
export type PanelRefusal =
  | `number.${string}`
  | "sender.none"
  | "sender.several"
  | "text.none"
  | "text.long"
  | "picture.sms"
  | `template.${"name" | "language" | "text" | "placeholders"}`;

/** Why an action failed: the only field, `error`, of an answer with HTTP 200; also the key of its text. */
export type PanelFault = "not-running" | "not-simulated" | "gone" | "invalid" | "failed";
