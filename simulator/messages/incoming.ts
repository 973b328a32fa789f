import { z } from "zod";
import { newMedia } from "../inventory/media-store";
import { isMsisdn, isUuid } from "../util/formats";
import { parseInput } from "../util/parse-input";

const MAX_REPEATS = 100_000;

const filled = z.string().min(1);
const number = z.string().refine(isMsisdn, "must be an international number");
const uuid = z.string().refine(isUuid, "must be a UUID");
const repeat = z.int().min(1).max(MAX_REPEATS).optional();

const inbound = z
  .strictObject({
    event: z.literal("inbound"),
    /** Phone number with or without plus, or a user id. */
    sender: filled,
    content: z.string().optional(),
    type: filled.optional(),
    displayName: z.string().optional(),
    recipient: filled.optional(),
    applicationId: uuid.optional(),
    mediaId: uuid.optional(),
    /** A new file, or the built-in sample picture as a new file. */
    media: z.union([z.strictObject({ sample: z.literal(true) }), newMedia]).optional(),
    /** Number of messages; each has its number after the content. */
    repeat,
  })
  .refine(
    ({ media, mediaId }) => media === undefined || mediaId === undefined,
    "media and mediaId exclude each other",
  );

const sms = z
  .strictObject({
    event: z.literal("sms"),
    sender: number,
    content: z.string().optional(),
    binary: z
      .array(z.string().regex(/^[\w-]*={0,2}$/))
      .min(1)
      .readonly()
      .optional(),
    recipient: number.optional(),
    repeat,
  })
  .refine(
    ({ content, binary }) => (content === undefined) !== (binary === undefined),
    "an SMS needs either content or binary",
  );

const status = z.strictObject({
  event: z.literal("status"),
  transferId: filled,
  status: filled,
  recipient: number.optional(),
  deliveredOn: filled.optional(),
});

/** A recipient of a logged RCS message, initially the first one, taps one of its suggestions. */
const tap = z.strictObject({
  event: z.literal("tap"),
  transferId: filled,
  /** From 0: the suggestions on the cards in their order, then those below the message. */
  suggestion: z.int().min(0),
  recipient: number.optional(),
});

const raw = z.strictObject({
  event: z.literal("raw"),
  kind: z.enum(["inbound", "status"]),
  payload: z.unknown(),
  repeat,
});

const incoming = z.discriminatedUnion("event", [inbound, sms, status, tap, raw]);

type AnyEvent = z.infer<typeof incoming>;
export type Parsed<Event extends AnyEvent["event"]> = Extract<AnyEvent, { event: Event }>;
export type IncomingMessage = Omit<Parsed<"inbound">, "event">;
export type IncomingSms = Parsed<"sms">;
/** Without `event` it is an inbound message. */
export type Incoming = Readonly<AnyEvent | IncomingMessage>;

export const parseIncoming = (input: unknown): AnyEvent =>
  parseInput("event", incoming, { event: "inbound", ...Object(input) });
