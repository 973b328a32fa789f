import { digits } from "../util/formats";
import type { SimulatedMessage } from "./records";
import { suggestedResponse, suggestionsOf, type Tap } from "./suggestions";

export interface ScriptedReply {
  readonly channel: "whatsapp" | "rcs" | "sms";
  readonly content: string;
  readonly picture: boolean;
  readonly tap?: Tap;
}

export interface ScriptedRecipient {
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
  readonly replies: (message: SimulatedMessage) => readonly ScriptedReply[];
}

function toTemplate(...replies: readonly Omit<ScriptedReply, "channel">[]): ScriptedRecipient["replies"] {
  // Never to a text: a flow that answers every inbound message would cause an endless exchange.
  return ({ operation }) =>
    operation === "whatsapp-template" ? replies.map((reply) => ({ channel: "whatsapp", ...reply })) : [];
}

function toQuestion(reply: string): ScriptedRecipient["replies"] {
  return ({ operation, content }) =>
    operation.startsWith("sms-") && content.includes("?")
      ? [{ channel: "sms", content: reply, picture: false }]
      : [];
}

const YES = { content: "yes", picture: false };

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
    'answers an SMS that contains a question mark with the SMS "Yes"',
    toQuestion("Yes"),
  ),
  recipient("999560006", "taps the first suggested reply of an RCS message", tapOnFirstReply),
  // Not to other SMS: the confirmation of an opt-out would be answered too.
  recipient("999560007", 'answers an SMS that is an advertisement with the SMS "STOP"', (message) =>
    message.operation.startsWith("sms-") && message.fields.contentCategory === "advertisement"
      ? [{ channel: "sms", content: "STOP", picture: false }]
      : [],
  ),
  recipient("999560008", 'answers an SMS that contains a question mark with the SMS "No"', toQuestion("No")),
];

function recipient(
  pattern: string,
  meaning: string,
  replies: ScriptedRecipient["replies"],
): ScriptedRecipient {
  return { pattern, example: pattern, meaning, replies };
}

function tapOnFirstReply(message: SimulatedMessage): readonly ScriptedReply[] {
  const first = suggestionsOf(message).find(({ kind }) => kind === "reply");
  if (!first) return [];
  const tap = { transferId: message.transferId, suggestedResponse: suggestedResponse(first) };
  return [{ channel: "rcs", content: first.displayText, picture: false, tap }];
}

const BY_NUMBER = new Map(SCRIPTED_RECIPIENTS.map((each) => [each.pattern, each]));

export function repliesOf(number: string, message: SimulatedMessage): readonly ScriptedReply[] {
  return BY_NUMBER.get(digits(number))?.replies(message) ?? [];
}
