import type { Node, NodeAPI } from "node-red";
import { z } from "zod";
import { MessagingError } from "../../shared/messaging-error";
import { parseRecipients } from "../../shared/recipients/recipients";
import { Account } from "../account/account";
import { type EditorAnswer, serveEditor } from "./editor-request";
import { RCS_CHANNEL } from "../channels/rcs-channel";
import type { ChannelDefinition } from "../channels/channel-definition";
import { hasTestMode, runSendTest, testedConfig } from "../send/send-test";
import { SMS_CHANNEL } from "../channels/sms-channel";
import { WHATSAPP_CHANNEL } from "../channels/whatsapp-channel";

const ROUTE = "/messaging-account/:id/send-test";

const CHANNELS = {
  "sms-send": SMS_CHANNEL,
  "whatsapp-send": WHATSAPP_CHANNEL,
  "rcs-send": RCS_CHANNEL,
} as const;

/** A send node as its open dialog holds it, and whom to send to. */
const sendTest = z.object({
  type: z.enum(["sms-send", "whatsapp-send", "rcs-send"]),
  /** Id of the send node, deployed or not. */
  node: z.string().max(100),
  config: z.record(z.string(), z.unknown()),
  /** One recipient. */
  to: z.string().max(100),
  /** The user has said yes to a message that costs money. */
  confirmed: z.boolean().default(false),
});

/**
 * How many numbers a text holds for the parser that the send uses, repeated and faulty ones too. A single faulty one
 * is left to the send, which refuses it with its reason.
 */
function countEntries(text: string, defaultCountry: string): number {
  const { accepted, rejected, duplicates } = parseRecipients(text, { defaultCountry });
  return accepted.length + rejected.length + duplicates;
}

const refused = (error: string, more: object = {}): EditorAnswer => ({ error, ...more });

/** Serves test messages to the edit dialogs of send nodes. They go through the account as it is deployed. */
export function serveSendTests(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, sendTest, async (id, { type, node, config, to, confirmed }) => {
    const accountNode = RED.nodes.getNode(id);
    let account: Account;
    try {
      account = Account.of(accountNode);
    } catch {
      return refused("not-deployed");
    }
    const recipient = to.trim();
    if (countEntries(recipient, account.defaultCountry) !== 1) {
      return refused("one-number");
    }
    const channel: ChannelDefinition = CHANNELS[type];
    const typed = testedConfig(channel, config);
    const isTest = hasTestMode(channel, typed);
    if (!isTest && !account.simulated && !confirmed) {
      return refused("confirm");
    }
    const running = RED.nodes.getNode(node);
    const base = running?.type === type ? running : (accountNode as Node);
    const { result, error } = await runSendTest(RED, base, id, channel, typed, recipient);
    return result === undefined ? refused("set-up", describe(error)) : { test: isTest, result };
  });
}

/** Our own errors hold no secret; what others say stays here. */
const describe = (error: Error): object =>
  error instanceof MessagingError ? { code: error.code, message: error.message } : { code: "OTHER" };
