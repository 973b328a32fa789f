import { isMsisdn, isUuid } from "../util/formats";
import { requireObject, requireValid, type Test } from "../util/require-fields";
import type { WebhookKind } from "./webhook-records";

/** A media file of an inbound message; `base64` may replace `content`. */
export type IncomingMedia = { readonly contentType: string; readonly fileName?: string } & (
  | { readonly content: string | Uint8Array }
  | { readonly base64: string }
  | { readonly size: number }
);

/** The built-in sample picture, as a new file. */
export interface SampleMedia {
  readonly sample: true;
}

/** An inbound WhatsApp, RCS or other messenger message. */
export interface IncomingMessage {
  readonly event?: "inbound";
  /** Phone number with or without plus, or a user id. */
  readonly sender: string;
  /** Default: empty. */
  readonly content?: string;
  /** Default: `whatsapp`. */
  readonly type?: string;
  readonly displayName?: string;
  readonly recipient?: string;
  readonly applicationId?: string;
  /** Id of a stored media file. */
  readonly mediaId?: string;
  /** A new media file. */
  readonly media?: IncomingMedia | SampleMedia;
  /** Number of messages; each has its number after the content. */
  readonly repeat?: number;
}

/** An inbound SMS, either text or binary content in URL-safe Base64, one entry for each part. */
export interface IncomingSms {
  readonly event: "sms";
  readonly sender: string;
  readonly content?: string;
  readonly binary?: readonly string[];
  readonly recipient?: string;
  readonly repeat?: number;
}

/** A status of a logged message for each recipient, or for one: a report for SMS and voice, else a status message. */
export interface IncomingStatus {
  readonly event: "status";
  readonly transferId: string;
  readonly status: string;
  /** The one recipient that it is about. */
  readonly recipient?: string;
  /** Replaces the time of the simulator. */
  readonly deliveredOn?: string;
}

/** A recipient of a logged RCS message, the first one unless another is given, taps one of its suggestions. */
export interface IncomingTap {
  readonly event: "tap";
  readonly transferId: string;
  /** From 0: the suggestions on the cards in their order, then those below the message. */
  readonly suggestion: number;
  readonly recipient?: string;
}

/** Any JSON value. */
export interface IncomingRaw {
  readonly event: "raw";
  readonly kind: WebhookKind;
  readonly payload: unknown;
  readonly repeat?: number;
}

export type Incoming = IncomingMessage | IncomingSms | IncomingStatus | IncomingTap | IncomingRaw;

const MAX_REPEATS = 100_000;

const text: Test = (value) => typeof value === "string";
const filled: Test = (value) => text(value) && value !== "";
const number: Test = (value) => text(value) && isMsisdn(value as string);
const uuid: Test = (value) => text(value) && isUuid(value as string);
const repeat: Test = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_REPEATS;
const position: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const object: Test = (value) => typeof value === "object" && value !== null;
const parts: Test = (value) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((part) => text(part) && /^[\w-]*={0,2}$/.test(part));

/** Fields of each event, and which of them are required. */
const FIELDS: Readonly<
  Record<string, { tests: Readonly<Record<string, Test>>; required: readonly string[] }>
> = {
  inbound: {
    tests: {
      sender: filled,
      content: text,
      type: filled,
      displayName: text,
      recipient: filled,
      applicationId: uuid,
      mediaId: uuid,
      media: object,
      repeat,
    },
    required: ["sender"],
  },
  sms: {
    tests: { sender: number, content: text, binary: parts, recipient: number, repeat },
    required: ["sender"],
  },
  status: {
    tests: { transferId: filled, status: filled, deliveredOn: filled, recipient: number },
    required: ["transferId", "status"],
  },
  tap: {
    tests: { transferId: filled, suggestion: position, recipient: number },
    required: ["transferId", "suggestion"],
  },
  raw: {
    tests: { kind: (value) => value === "inbound" || value === "status", payload: () => true, repeat },
    required: ["kind", "payload"],
  },
};

/** Checks a simulated event. Throws a TypeError that names the problem. */
export function parseIncoming(input: unknown): Incoming & { readonly event: string } {
  const { event = "inbound", ...given } = requireObject("event", input);
  const known = typeof event === "string" && Object.hasOwn(FIELDS, event) ? FIELDS[event] : undefined;
  if (!known) throw new TypeError(`event: must be one of ${Object.keys(FIELDS).join(", ")}`);
  requireValid("event", given, known.tests, known.required);
  if (event === "sms" && (given.content === undefined) === (given.binary === undefined)) {
    throw new TypeError("event: an SMS needs either content or binary");
  }
  if (given.media !== undefined && given.mediaId !== undefined) {
    throw new TypeError("event: media and mediaId exclude each other");
  }
  return { event, ...given } as unknown as Incoming & { readonly event: string };
}
