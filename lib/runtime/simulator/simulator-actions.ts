import { object, enum as oneOf, literal, number, string, union, type ZodType } from "zod";
import {
  INBOUND_CHANNELS,
  type InboundChannel,
  LARGEST_PICTURE,
  LONGEST_LINE,
  LONGEST_TEXT,
  type PanelPicture,
  PICTURE_TYPES,
  REPORTED_STATUSES,
} from "../../shared/simulator-panel";
import { channelOf, type Incoming, type SimulatorAccount, type SimulatorMessage } from "./simulator-account";

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
const text = string().max(LONGEST_TEXT);
/** Name or language of a template. */
const line = string().trim().min(1).max(LONGEST_LINE);
/** Base64 needs four characters for three bytes. */
const base64 = string()
  .min(1)
  .max(Math.ceil(LARGEST_PICTURE / 3) * 4)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/);
const picture = union([
  object({ sample: literal(true) }),
  object({ contentType: oneOf(PICTURE_TYPES), fileName: string().min(1).max(255), base64 }),
]).optional();
/** A message needs a text or a picture. */
const says = (input: { readonly text: string; readonly picture?: unknown }): boolean =>
  input.text !== "" || input.picture !== undefined;
/** Checks that schema and function have the same input type; the actions of the table have different ones. */
const action = <Input>(
  input: ZodType<Input>,
  webhooks: SimulatorAction<Input>["webhooks"],
  run: SimulatorAction<Input>["run"],
) => ({ input, webhooks, run }) as SimulatorAction<unknown>;

const ACTIONS = {
  reply: action(object({ transferId: string(), text, picture }).refine(says), "inbound", (account, input) => {
    const { channel, recipients, fields } = find(account, input.transferId);
    const { applicationId } = fields;
    account.receive(
      inbound(channelOf(channel), recipients[0] ?? "", input, {
        ...(typeof applicationId === "string" && { applicationId }),
      }),
    );
  }),
  write: action(
    object({ channel: oneOf(INBOUND_CHANNELS), sender: string(), text, picture }).refine(says),
    "inbound",
    (account, input) => {
      if (!NUMBER.test(input.sender)) {
        throw new TypeError("sender: must be a phone number");
      }
      account.receive(inbound(input.channel, input.sender, input));
    },
  ),
  tap: action(
    object({ transferId: string(), suggestion: number().int().min(0) }),
    "inbound",
    (account, { transferId, suggestion }) => {
      find(account, transferId);
      account.receive({ event: "tap", transferId, suggestion });
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
  template: action(
    object({ templateName: line, templateLocale: line, text: text.min(1) }),
    null,
    (account, template) => account.addTemplate(template),
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
  channel: InboundChannel,
  sender: string,
  { text: content, picture: media }: { readonly text: string; readonly picture?: PanelPicture | undefined },
  application: { readonly applicationId?: string } = {},
): Incoming {
  if (channel !== "sms") {
    return { event: "inbound", type: channel, sender, content, ...application, ...(media && { media }) };
  }
  if (media !== undefined) {
    throw new TypeError("picture: an SMS cannot carry one");
  }
  return { event: "sms", sender, content };
}

function find({ messages }: SimulatorAccount, transferId: string): SimulatorMessage {
  const found = messages.findLast((message) => message.transferId === transferId);
  if (found === undefined) {
    throw new MessageGone();
  }
  return found;
}
