import { digits } from "./event-payloads";
import type { SimulatedMessage } from "./records";

/** What somebody says in answer to a message. */
export interface Answer {
  readonly by: "whatsapp" | "rcs" | "sms";
  readonly content: string;
  /** True: with a picture. */
  readonly picture: boolean;
}

/** Somebody who answers. */
export interface ScriptedRecipient {
  readonly pattern: string;
  readonly example: string;
  readonly meaning: string;
  /** What the person says to a message that has arrived; nothing to most of them. */
  readonly answers: (message: SimulatedMessage) => readonly Answer[];
}

function toTemplate(...answers: readonly Omit<Answer, "by">[]): ScriptedRecipient["answers"] {
  // Never to a text: a flow that answers whatever comes in would go on talking with such a person for ever.
  return ({ operation }) =>
    operation === "whatsapp-template" ? answers.map((answer) => ({ by: "whatsapp", ...answer })) : [];
}

const YES = { content: "yes", picture: false };

/** People at the other end of the line, for flows that nobody else would answer. */
export const SCRIPTED_RECIPIENTS: readonly ScriptedRecipient[] = [
  person(
    "999560001",
    'answers a WhatsApp template with "Yes, please"',
    toTemplate({ content: "Yes, please", picture: false }),
  ),
  person(
    "999560002",
    "answers a WhatsApp template with a picture",
    toTemplate({ content: "Look at this", picture: true }),
  ),
  person("999560003", 'answers a WhatsApp template with "yes", twice', toTemplate(YES, YES)),
  person(
    "999560004",
    'answers a WhatsApp template with "STOP"',
    toTemplate({ content: "STOP", picture: false }),
  ),
  person("999560005", 'answers an SMS that has a question mark in it with an SMS, "Yes"', (message) =>
    message.operation.startsWith("sms-") && message.content.includes("?")
      ? [{ by: "sms", content: "Yes", picture: false }]
      : [],
  ),
  person("999560006", "taps the first reply that an RCS message suggests", ({ operation, fields }) => {
    const text = operation === "rcs" ? firstReply(fields.rcsPayload) : null;
    return text === null ? [] : [{ by: "rcs", content: text, picture: false }];
  }),
];

function person(pattern: string, meaning: string, answers: ScriptedRecipient["answers"]): ScriptedRecipient {
  return { pattern, example: pattern, meaning, answers };
}

/** The text of the first reply in a checked payload, wherever it stands: under the message or on a card. */
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

/** What the recipient says to a message; nothing, unless it is one of the people. */
export function answersOf(recipient: string, message: SimulatedMessage): readonly Answer[] {
  return BY_NUMBER.get(digits(recipient))?.answers(message) ?? [];
}
