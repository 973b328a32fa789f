import { object, enum as oneOf, number, string, type ZodType } from "zod";
import {
  EXCERPT,
  LONGEST_TEXT,
  MOST_MESSAGES,
  PLAYABLE_STATUSES,
  type PlayedMessage,
  type SimulatorView,
  WRITABLE_CHANNELS,
} from "../../shared/simulator-panel";
import { maskNumber } from "../activity/mask-number";

/** What the other side writes or reports, in the simulator's words. */
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

/** A simulated account as far as somebody plays its other side. */
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
  /** @throws TypeError for what cannot happen */
  receive(incoming: Incoming): unknown;
  addFault(rule: { readonly answer: { readonly statusCode: number } }): string;
  clearFaults(): void;
}

type Message = SimulatorAccount["messages"][number];

/** The message is not, or no longer, in the simulator's log. */
export class MessageGone extends Error {}

/** What somebody does at the other side. */
interface Play<Given> {
  readonly given: ZodType<Given>;
  /** Kind of the webhooks that are told of it; null: none is. */
  readonly tells: "inbound" | "status" | null;
  readonly run: (account: SimulatorAccount, given: Given) => unknown;
}

const NUMBER = /^\+?[1-9]\d{4,14}$/;
const text = string().min(1).max(LONGEST_TEXT);
/** With its checks seen together: the table below holds plays of different input. */
const play = <Given>(given: ZodType<Given>, tells: Play<Given>["tells"], run: Play<Given>["run"]) =>
  ({ given, tells, run }) as Play<unknown>;

const PLAYS = {
  reply: play(object({ transferId: string(), text }), "inbound", (account, given) => {
    const { channel, recipients, fields } = find(account, given.transferId);
    const { applicationId } = fields;
    account.receive(
      written(
        channelOf(channel),
        recipients[0] ?? "",
        given.text,
        typeof applicationId === "string" ? applicationId : null,
      ),
    );
  }),
  write: play(
    object({ channel: oneOf(WRITABLE_CHANNELS), sender: string(), text }),
    "inbound",
    (account, given) => {
      if (!NUMBER.test(given.sender)) {
        throw new TypeError("sender: must be a phone number");
      }
      account.receive(written(given.channel, given.sender, given.text, null));
    },
  ),
  status: play(
    object({ transferId: string(), status: oneOf(PLAYABLE_STATUSES) }),
    "status",
    (account, { transferId, status }) => {
      find(account, transferId);
      account.receive({ event: "status", transferId, status });
    },
  ),
  "next-answer": play(
    object({ statusCode: number().int().min(1000).max(9999) }),
    null,
    (account, { statusCode }) => account.addFault({ answer: { statusCode } }),
  ),
  normal: play(object({}), null, (account) => account.clearFaults()),
} as const;

export type SimulatorActionName = keyof typeof PLAYS;

export const SIMULATOR_ACTIONS = Object.keys(PLAYS) as readonly SimulatorActionName[];

/** Shape of what a play takes. */
export const schemaOf = (name: SimulatorActionName): ZodType<unknown> => PLAYS[name].given;

/**
 * Does something at the other side of a simulated account.
 * @param input of the play's shape
 * @returns how many webhooks are told of it
 * @throws MessageGone, and TypeError for what cannot be done
 */
export function performSimulatorAction(
  account: SimulatorAccount,
  name: SimulatorActionName,
  input: unknown,
): number {
  const { tells, run } = PLAYS[name];
  run(account, input);
  return account.webhooks.filter(({ kind }) => kind === tells).length;
}

function written(
  channel: PlayedMessage["channel"],
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
 * What the panel shows of an account.
 * @param withTexts whether whoever looks may see what was written
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

/** The first title within a message: what a card or a carousel is known by. */
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

function shown(message: Message, withText: boolean): PlayedMessage {
  const { transferId, at, channel, recipients, content, fields, test } = message;
  return {
    transferId,
    at,
    channel: channelOf(channel),
    who: maskNumber(recipients[0]),
    count: recipients.length,
    text: withText ? excerpt(content || titleIn(fields)) : null,
    test,
  };
}

function excerpt(text: string): string {
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text;
}

/** A call or a flash SMS is answered by an SMS, too. */
function channelOf(channel: string): PlayedMessage["channel"] {
  return channel === "whatsapp" || channel === "rcs" ? channel : "sms";
}

function find({ messages }: SimulatorAccount, transferId: string): Message {
  const found = messages.findLast((message) => message.transferId === transferId);
  if (found === undefined) {
    throw new MessageGone();
  }
  return found;
}
