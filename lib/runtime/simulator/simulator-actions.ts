import { object, enum as oneOf, literal, number, string, union, type ZodType } from "zod";
import {
  type ActionAnswer,
  INBOUND_CHANNELS,
  type InboundChannel,
  LARGEST_PICTURE,
  LONGEST_LINE,
  LONGEST_TEXT,
  type PanelPicture,
  type PanelRefusal,
  PICTURE_TYPES,
  REPORTED_STATUSES,
} from "../../shared/simulator-panel";
import { parseRecipients } from "../../shared/recipients/recipients";
import { channelOf, type Incoming, type SimulatorAccount, type SimulatorMessage } from "./simulator-account";

/** The message is not, or no longer, in the simulator's log. */
export class MessageGone extends Error {}

class Refused extends Error {
  constructor(readonly refusals: readonly PanelRefusal[]) {
    super(refusals.join(", "));
  }
}

interface SimulatorAction<Input> {
  readonly input: ZodType<Input>;
  readonly webhooks: "inbound" | "status" | null;
  readonly run: (account: SimulatorAccount, input: Input, defaultCountry: string) => unknown;
}

const text = string();
/** Base64 needs four characters for three bytes. */
const base64 = string()
  .min(1)
  .max(Math.ceil(LARGEST_PICTURE / 3) * 4)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/);
const picture = union([
  object({ sample: literal(true) }),
  object({ contentType: oneOf(PICTURE_TYPES), fileName: string().min(1).max(255), base64 }),
]).optional();
interface Written {
  readonly text: string;
  readonly picture?: PanelPicture | undefined;
}

/** A message needs a text or a picture, and an SMS carries no picture. */
const findFaults = ({ text: written, picture: sent }: Written, channel: InboundChannel) => [
  ...(written === "" && sent === undefined ? (["text.none"] as const) : []),
  ...(written.length > LONGEST_TEXT ? (["text.long"] as const) : []),
  ...(sent !== undefined && channel === "sms" ? (["picture.sms"] as const) : []),
];

const isLine = (written: string): boolean => written !== "" && written.length <= LONGEST_LINE;

function refuse(faults: readonly PanelRefusal[]): void {
  if (faults.length > 0) {
    throw new Refused(faults);
  }
}

/** Checks that schema and function have the same input type. */
const action = <Input>(
  input: ZodType<Input>,
  webhooks: SimulatorAction<Input>["webhooks"],
  run: SimulatorAction<Input>["run"],
) => ({ input, webhooks, run }) as SimulatorAction<unknown>;

const person = number().int().min(0).optional();

const ACTIONS = {
  reply: action(object({ transferId: string(), person, text, picture }), "inbound", (account, input) => {
    const message = find(account, input.transferId);
    const { channel: sentBy, fields } = message;
    const channel = channelOf(sentBy);
    const { applicationId } = fields;
    refuse(findFaults(input, channel));
    account.receive(
      inbound(channel, recipientAt(message, input.person ?? 0), input, {
        ...(typeof applicationId === "string" && { applicationId }),
      }),
    );
  }),
  write: action(
    object({ channel: oneOf(INBOUND_CHANNELS), sender: string(), text, picture }),
    "inbound",
    (account, input, defaultCountry) => {
      const { number, faults } = readSender(input.sender, defaultCountry);
      refuse([...faults, ...findFaults(input, input.channel)]);
      account.receive(inbound(input.channel, number, input));
    },
  ),
  tap: action(
    object({ transferId: string(), person, suggestion: number().int().min(0) }),
    "inbound",
    (account, { transferId, person: at, suggestion }) => {
      account.receive({ event: "tap", transferId, suggestion, ...only(find(account, transferId), at) });
    },
  ),
  status: action(
    object({ transferId: string(), person, status: oneOf(REPORTED_STATUSES) }),
    "status",
    (account, { transferId, person: at, status }) => {
      account.receive({ event: "status", transferId, status, ...only(find(account, transferId), at) });
    },
  ),
  "next-answer": action(
    object({ statusCode: number().int().min(1000).max(9999) }),
    null,
    (account, { statusCode }) => account.addFault({ answer: { statusCode } }),
  ),
  template: action(
    object({ templateName: string().trim(), templateLocale: string().trim(), text }),
    null,
    (account, template) => addTemplate(account, template),
  ),
  normal: action(object({}), null, (account) => account.clearFaults()),
} as const;

export type SimulatorActionName = keyof typeof ACTIONS;

export const SIMULATOR_ACTIONS = Object.keys(ACTIONS) as readonly SimulatorActionName[];

export const getSchema = (name: SimulatorActionName): ZodType<unknown> => ACTIONS[name].input;

/** @throws MessageGone, and TypeError for input that the panel cannot make */
export function performSimulatorAction(
  account: SimulatorAccount,
  name: SimulatorActionName,
  input: unknown,
  defaultCountry: string,
): ActionAnswer {
  const { webhooks, run } = ACTIONS[name];
  try {
    run(account, input, defaultCountry);
  } catch (error) {
    if (error instanceof Refused) {
      return { told: 0, refused: error.refusals };
    }
    throw error;
  }
  return { told: account.webhooks.filter(({ kind }) => kind === webhooks).length, refused: [] };
}

function readSender(
  typed: string,
  defaultCountry: string,
): { readonly number: string; readonly faults: readonly PanelRefusal[] } {
  const { accepted, rejected } = parseRecipients(typed, { defaultCountry });
  const [number = ""] = accepted;
  const [wrong] = rejected;
  if (wrong !== undefined) {
    return { number, faults: [`number.${wrong.reason}`] };
  }
  return { number, faults: accepted.length === 1 ? [] : [number === "" ? "sender.none" : "sender.several"] };
}

function addTemplate(account: SimulatorAccount, template: SimulatorAccount["templates"][number]): void {
  refuse([
    ...(isLine(template.templateName) ? [] : (["template.name"] as const)),
    ...(isLine(template.templateLocale) ? [] : (["template.language"] as const)),
    ...(template.text === "" ? (["template.text"] as const) : []),
    ...(template.text.length > LONGEST_TEXT ? (["text.long"] as const) : []),
  ]);
  try {
    account.addTemplate(template);
  } catch (error) {
    // For a template with all its parts, the simulator refuses only the placeholders.
    throw error instanceof TypeError ? new Refused(["template.placeholders"]) : error;
  }
}

function inbound(
  channel: InboundChannel,
  sender: string,
  { text: content, picture: media }: Written,
  application: { readonly applicationId?: string } = {},
): Incoming {
  return channel === "sms"
    ? { event: "sms", sender, content }
    : { event: "inbound", type: channel, sender, content, ...application, ...(media && { media }) };
}

/** @throws MessageGone */
function recipientAt({ recipients }: SimulatorMessage, place: number): string {
  const found = recipients[place];
  if (found === undefined) {
    throw new MessageGone();
  }
  return found;
}

const only = (message: SimulatorMessage, place: number | undefined): { readonly recipient?: string } =>
  place === undefined ? {} : { recipient: recipientAt(message, place) };

function find({ messages }: SimulatorAccount, transferId: string): SimulatorMessage {
  const found = messages.findLast((message) => message.transferId === transferId);
  if (found === undefined) {
    throw new MessageGone();
  }
  return found;
}
