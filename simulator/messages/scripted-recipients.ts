import { digits } from "./event-payloads";
import type { SimulatedMessage } from "./records";

/** A reply of a scripted recipient. */
export interface ScriptedReply {
  readonly channel: "whatsapp" | "rcs" | "sms";
  readonly content: string;
  /** Whether the reply has a picture. */
  readonly picture: boolean;
}

/** A recipient that replies to certain messages. */
export interface ScriptedRecipient {
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
  /** Replies to a message; empty for most messages. */
  readonly replies: (message: SimulatedMessage) => readonly ScriptedReply[];
}

function toTemplate(...replies: readonly Omit<ScriptedReply, "channel">[]): ScriptedRecipient["replies"] {
  // Never to a text: a flow that answers every inbound message would cause an endless exchange.
  return ({ operation }) =>
    operation === "whatsapp-template" ? replies.map((reply) => ({ channel: "whatsapp", ...reply })) : [];
}

/** Answers an SMS that contains a question mark; in German, where the SMS asks for JA. */
function toQuestion(english: string, german: string): ScriptedRecipient["replies"] {
  return ({ operation, content }) =>
    operation.startsWith("sms-") && content.includes("?")
      ? [{ channel: "sms", content: /\bJA\b/.test(content) ? german : english, picture: false }]
      : [];
}

const YES = { content: "yes", picture: false };

/** Recipients that reply automatically, for flows that wait for replies. */
export const SCRIPTED_RECIPIENTS: readonly ScriptedRecipient[] = [
  recipient(
    "999560001",
    'answers a WhatsApp template with "Yes, please"',
    toTemplate({ content: "Yes, please", picture: false }),
  ),
  recipient(
    "999560002",
    "answers a WhatsApp template with a picture",
    toTemplate({ content: "Look at this", picture: true }),
  ),
  recipient("999560003", 'answers a WhatsApp template with "yes", twice', toTemplate(YES, YES)),
  recipient(
    "999560004",
    'answers a WhatsApp template with "STOP"',
    toTemplate({ content: "STOP", picture: false }),
  ),
  recipient(
    "999560005",
    'answers an SMS that contains a question mark with the SMS "Yes", or "Ja" where it asks for JA',
    toQuestion("Yes", "Ja"),
  ),
  recipient("999560006", "sends the first suggested reply of an RCS message", ({ operation, fields }) => {
    const text = operation === "rcs" ? firstReply(fields.rcsPayload) : null;
    return text === null ? [] : [{ channel: "rcs", content: text, picture: false }];
  }),
  // Not to other SMS: the confirmation of an opt-out would be answered too.
  recipient("999560007", 'answers an SMS that is an advertisement with the SMS "STOP"', (message) =>
    message.operation.startsWith("sms-") && message.fields.contentCategory === "advertisement"
      ? [{ channel: "sms", content: "STOP", picture: false }]
      : [],
  ),
  recipient(
    "999560008",
    'answers an SMS that contains a question mark with the SMS "No", or "Nein" where it asks for JA',
    toQuestion("No", "Nein"),
  ),
];

function recipient(
  pattern: string,
  meaning: string,
  replies: ScriptedRecipient["replies"],
): ScriptedRecipient {
  return { pattern, example: pattern, meaning, replies };
}

/** The text of the first suggested reply in a checked payload, in a chip or on a card. */
function firstReply(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    if (name === "reply") return String(Object(inner).displayText);
    const found = firstReply(inner);
    if (found !== null) return found;
  }
  return null;
}

const BY_NUMBER = new Map(SCRIPTED_RECIPIENTS.map((each) => [each.pattern, each]));

/** The replies of this number to a message; empty if it is not a scripted recipient. */
export function repliesOf(number: string, message: SimulatedMessage): readonly ScriptedReply[] {
  return BY_NUMBER.get(digits(number))?.replies(message) ?? [];
}
