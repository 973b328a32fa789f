export const MOST_MESSAGES = 30;

export const MOST_PEOPLE = 100;

/** The longest text of any channel. */
export const LONGEST_SHOWN = 10_000;

export const LONGEST_TEXT = 4096;

export const LONGEST_LINE = 512;

export const MOST_TEMPLATES = 20;

export const REPORTED_STATUSES = ["sent", "delivered", "read", "failed"] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

export const INBOUND_CHANNELS = ["sms", "whatsapp", "rcs"] as const;
export type InboundChannel = (typeof INBOUND_CHANNELS)[number];

export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** Its Base64 fits into 5 MB, the default limit of the editor's API. */
export const LARGEST_PICTURE = 3_145_728;

export type PanelPicture =
  | { readonly sample: true }
  | {
      readonly contentType: (typeof PICTURE_TYPES)[number];
      readonly fileName: string;
      readonly base64: string;
    };

export const simulatorPath = (accountId: string, action = ""): string =>
  `messaging-account/${encodeURIComponent(accountId)}/simulator${action === "" ? "" : `/${action}`}`;

export interface PanelSuggestion {
  readonly index: number;
  readonly text: string;
  readonly kind: "reply" | "action";
  readonly action: string | null;
  readonly target: string | null;
  /** Whether a tap creates an event: actions without postback data stay in the phone. */
  readonly heard: boolean;
}

export interface PanelCard {
  readonly title: string;
  readonly description: string;
  readonly picture: boolean;
  readonly suggestions: readonly PanelSuggestion[];
}

export interface PanelMessage {
  readonly transferId: string;
  readonly at: number;
  /** The channel of a reply. A voice message gets one by SMS. */
  readonly channel: InboundChannel;
  /** A call that speaks the text. */
  readonly spoken: boolean;
  /** Masked. */
  readonly who: string;
  /** With plus. Null without permission to deploy. */
  readonly number: string | null;
  readonly count: number;
  /** Complete numbers, at most `MOST_PEOPLE`. Empty without permission to deploy. */
  readonly people: readonly string[];
  /** At most `LONGEST_SHOWN` characters. Null without permission to deploy. */
  readonly text: string | null;
  readonly cards: readonly PanelCard[];
  readonly suggestions: readonly PanelSuggestion[];
  readonly test: boolean;
}

export interface PanelReply {
  readonly at: number;
  readonly channel: InboundChannel;
  /** Masked. */
  readonly who: string;
  /** With plus. Null without permission to deploy. */
  readonly number: string | null;
  /** As in `PanelMessage`. */
  readonly text: string | null;
  readonly picture: boolean;
  readonly tapped: boolean;
}

export const WITH_TEXTS = "texts";

export interface SimulatorView {
  readonly messages: readonly PanelMessage[];
  readonly replies: readonly PanelReply[];
  /** Overrides the usual status code. */
  readonly nextAnswer: number | null;
  readonly answers: readonly { readonly code: number; readonly words: string }[];
  readonly templates: readonly { readonly name: string; readonly locale: string }[];
  /** Whether a webhook receives these events. */
  readonly hears: { readonly inbound: boolean; readonly status: boolean };
}

/** Result of an action by POST. Indexes of recipients start at 0. */
export interface ActionAnswer {
  readonly told: number;
  readonly refused: readonly PanelRefusal[];
}

/** `number.` is followed by a `RecipientFault`. */
export type PanelRefusal =
  | `number.${string}`
  | "sender.none"
  | "sender.several"
  | "text.none"
  | "text.long"
  | "picture.sms"
  | `template.${"name" | "language" | "text" | "placeholders"}`;

/** The `error` of a failed action with HTTP 200. */
export type PanelFault = "not-running" | "not-simulated" | "gone" | "invalid" | "failed";
