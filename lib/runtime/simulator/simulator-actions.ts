import { object, enum as oneOf, number, string, type ZodType } from "zod";
import {
  EXCERPT,
  LONGEST_TEXT,
  MOST_MESSAGES,
  REPORTED_STATUSES,
  type PanelMessage,
  type SimulatorView,
  INBOUND_CHANNELS,
} from "../../shared/simulator-panel";
import { excerpt } from "../../shared/excerpt";
import { maskNumber } from "../activity/mask-number";

/** An inbound message or status that the simulator is to send to webhooks. */
export type Incoming =
  | {
      readonly event: "inbound";
      readonly sender: string;
      readonly content: string;
      readonly type: string;
      readonly applicationId?: string;
    }
  | { readonly event: "sms"; readonly sender: string; readonly content: string }
  | { readonly event: "status"; readonly transferId: string; readonly status: string };

/** An account of the simulator; only the members that the panel uses. */
export interface SimulatorAccount {
  /** Oldest first. */
  readonly messages: readonly {
    readonly transferId: string;
    readonly at: number;
    /** `whatsapp`, `rcs`, or a kind of SMS. */
    readonly channel: string;
    readonly recipients: readonly string[];
    readonly content: string;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly test: boolean;
  }[];
  readonly webhooks: readonly { readonly kind: "inbound" | "status" }[];
  /** @throws TypeError for invalid input */
  receive(incoming: Incoming): unknown;
  addFault(rule: { readonly answer: { readonly statusCode: number } }): string;
  clearFaults(): void;
}

type Message = SimulatorAccount["messages"][number];

/** The message is not, or no longer, in the simulator's log. */
export class MessageGone extends Error {}

/** An action of the simulator panel. */
interface SimulatorAction<Input> {
  readonly input: ZodType<Input>;
  /** Kind of the webhooks that the action calls; null for none. */
  readonly webhooks: "inbound" | "status" | null;
  readonly run: (account: SimulatorAccount, input: Input) => unknown;
}

const NUMBER = /^\+?[1-9]\d{4,14}$/;
const text = string().min(1).max(LONGEST_TEXT);
/** Checks that schema and function have the same input type; the actions of the table have different ones. */
const action = <Input>(
  input: ZodType<Input>,
  webhooks: SimulatorAction<Input>["webhooks"],
  run: SimulatorAction<Input>["run"],
) => ({ input, webhooks, run }) as SimulatorAction<unknown>;

const ACTIONS = {
  reply: action(object({ transferId: string(), text }), "inbound", (account, input) => {
    const { channel, recipients, fields } = find(account, input.transferId);
    const { applicationId } = fields;
    account.receive(
      inbound(
        channelOf(channel),
        recipients[0] ?? "",
        input.text,
        typeof applicationId === "string" ? applicationId : null,
      ),
    );
  }),
  write: action(
    object({ channel: oneOf(INBOUND_CHANNELS), sender: string(), text }),
    "inbound",
    (account, input) => {
      if (!NUMBER.test(input.sender)) {
        throw new TypeError("sender: must be a phone number");
      }
      account.receive(inbound(input.channel, input.sender, input.text, null));
    },
  ),
  status: action(
    object({ transferId: string(), status: oneOf(REPORTED_STATUSES) }),
    "status",
    (account, { transferId, status }) => {
      find(account, transferId);
      account.receive({ event: "status", transferId, status });
    },
  ),
  "next-answer": action(
    object({ statusCode: number().int().min(1000).max(9999) }),
    null,
    (account, { statusCode }) => account.addFault({ answer: { statusCode } }),
  ),
  normal: action(object({}), null, (account) => account.clearFaults()),
} as const;

export type SimulatorActionName = keyof typeof ACTIONS;

export const SIMULATOR_ACTIONS = Object.keys(ACTIONS) as readonly SimulatorActionName[];

/** Schema of an action's input. */
export const schemaOf = (name: SimulatorActionName): ZodType<unknown> => ACTIONS[name].input;

/**
 * Performs an action of the simulator panel.
 * @param input fits the action's schema
 * @returns number of webhooks that the simulator calls
 * @throws MessageGone, and TypeError for invalid input
 */
export function performSimulatorAction(
  account: SimulatorAccount,
  name: SimulatorActionName,
  input: unknown,
): number {
  const { webhooks, run } = ACTIONS[name];
  run(account, input);
  return account.webhooks.filter(({ kind }) => kind === webhooks).length;
}

function inbound(
  channel: PanelMessage["channel"],
  sender: string,
  content: string,
  applicationId: string | null,
): Incoming {
  return channel === "sms"
    ? { event: "sms", sender, content }
    : {
        event: "inbound",
        type: channel,
        sender,
        content,
        ...(applicationId !== null && { applicationId }),
      };
}

/**
 * The panel's view of an account.
 * @param withTexts whether the user may read texts
 */
export function viewOf({ messages, webhooks }: SimulatorAccount, withTexts: boolean): SimulatorView {
  return {
    messages: messages
      .slice(-MOST_MESSAGES)
      .reverse()
      .map((message) => shown(message, withTexts)),
    hears: {
      inbound: webhooks.some(({ kind }) => kind === "inbound"),
      status: webhooks.some(({ kind }) => kind === "status"),
    },
  };
}

/** The first title in a message: a card or carousel is shown by it. */
function titleIn(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return "";
  }
  const { title } = value as { title?: unknown };
  if (typeof title === "string") {
    return title;
  }
  for (const part of Object.values(value)) {
    const found = titleIn(part);
    if (found !== "") {
      return found;
    }
  }
  return "";
}

function shown(message: Message, withText: boolean): PanelMessage {
  const { transferId, at, channel, recipients, content, fields, test } = message;
  return {
    transferId,
    at,
    channel: channelOf(channel),
    who: maskNumber(recipients[0]),
    count: recipients.length,
    text: withText ? excerpt(content || titleIn(fields), EXCERPT) : null,
    test,
  };
}

/** The channel of a reply: voice messages and flash SMS get an SMS. */
function channelOf(channel: string): PanelMessage["channel"] {
  return channel === "whatsapp" || channel === "rcs" ? channel : "sms";
}

function find({ messages }: SimulatorAccount, transferId: string): Message {
  const found = messages.findLast((message) => message.transferId === transferId);
  if (found === undefined) {
    throw new MessageGone();
  }
  return found;
}
