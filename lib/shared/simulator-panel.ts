/** Shapes that travel between the editor's simulator panel and the runtime. */

/** Messages that the panel shows. */
export const MOST_MESSAGES = 30;

/** Characters of a message's text that the panel shows. */
export const EXCERPT = 160;

/** Longest text of a simulated inbound message. */
export const LONGEST_TEXT = 4096;

/** Statuses that the panel can set for a message. */
export const REPORTED_STATUSES = ["sent", "delivered", "read", "failed"] as const;
export type ReportedStatus = (typeof REPORTED_STATUSES)[number];

/** Channels of simulated inbound messages. */
export const INBOUND_CHANNELS = ["whatsapp", "sms"] as const;
export type InboundChannel = (typeof INBOUND_CHANNELS)[number];

/** Below the admin root. */
export const simulatorPath = (accountId: string, action = ""): string =>
  `messaging-account/${encodeURIComponent(accountId)}/simulator${action === "" ? "" : `/${action}`}`;

/** A message that the simulator has taken. */
export interface PanelMessage {
  readonly transferId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly channel: "sms" | "whatsapp" | "rcs";
  /** First recipient, masked. */
  readonly who: string;
  /** Recipients in all. */
  readonly count: number;
  /** Beginning of the text, at most `EXCERPT` characters and an ellipsis; null for those who may not deploy. */
  readonly text: string | null;
  /** Sent in test mode: not delivered. */
  readonly test: boolean;
}

/** Below the simulator's path: the same view with texts, for those who may deploy. */
export const WITH_TEXTS = "texts";

/** GET of the simulator's path: without texts; and, with them, of the path for those who may deploy. */
export interface SimulatorView {
  /** Newest first. */
  readonly messages: readonly PanelMessage[];
  /** Whether a webhook receives inbound messages and status events. */
  readonly hears: { readonly inbound: boolean; readonly status: boolean };
}

/**
 * POST of an action: `reply` {transferId, text}, `write` {channel, sender, text}, `status` {transferId, status},
 * `next-answer` {statusCode}, `normal` {}.
 */
export interface ActionAnswer {
  /** Webhooks that were called. */
  readonly told: number;
}

/** Why an action failed: the only field, `error`, of an answer with HTTP 200; also the key of its text. */
export type PanelFault = "not-running" | "not-simulated" | "gone" | "invalid" | "failed";
