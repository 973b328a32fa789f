import type { Node, NodeAPI } from "node-red";
import { z } from "zod";
import { MessagingError } from "../../shared/messaging-error";
import { parseRecipients } from "../../shared/recipients/recipients";
import { Account } from "../account/account";
import { type EditorAnswer, serveEditor } from "./editor-request";
import type { ChannelDefinition } from "../channels/channel-definition";
import { getFeatures } from "../feature";
import { hasTestMode, runSendTest, testedConfig } from "../send/send-test";
import { SMS_CHANNEL } from "../channels/sms-channel";
import { WHATSAPP_CHANNEL } from "../channels/whatsapp-channel";

const ROUTE = "/messaging-account/:id/send-test";

const CHANNELS: Readonly<Record<string, ChannelDefinition>> = {
  "messaging-sms-send": SMS_CHANNEL,
  "messaging-whatsapp-send": WHATSAPP_CHANNEL,
};

const getChannel = (type: string): ChannelDefinition | undefined =>
  CHANNELS[type] ?? getFeatures().find(({ channel }) => channel?.type === type)?.channel?.definition;

const sendTest = z.object({
  type: z.string().refine((type) => getChannel(type) !== undefined),
  node: z.string().max(100),
  config: z.record(z.string(), z.unknown()),
  to: z.string().max(100),
  sample: z.record(z.string(), z.unknown()).nullable().default(null),
  confirmed: z.boolean().default(false),
});

/** Counts numbers with the parser of the send. A single invalid number is left to the send, which explains it. */
function countEntries(text: string, defaultCountry: string): number {
  const { accepted, rejected, duplicates } = parseRecipients(text, { defaultCountry });
  return accepted.length + rejected.length + duplicates;
}

const refused = (error: string, more: object = {}): EditorAnswer => ({ error, ...more });

export function serveSendTests(RED: NodeAPI): void {
  serveEditor(
    RED,
    ROUTE,
    "flows.write",
    sendTest,
    async (id, { type, node, config, to, sample, confirmed }) => {
      const accountNode = RED.nodes.getNode(id);
      let account: Account;
      try {
        account = Account.of(accountNode);
      } catch {
        return refused("not-deployed");
      }
      if (account.stop.isOn) {
        return refused("stopped");
      }
      const recipient = to.trim();
      if (countEntries(recipient, account.defaultCountry) !== 1) {
        return refused("one-number");
      }
      const channel = getChannel(type) as ChannelDefinition;
      const draft = testedConfig(channel, config);
      const isTest = hasTestMode(channel, draft);
      if (!isTest && !account.simulated && !confirmed) {
        return refused("confirm");
      }
      const running = RED.nodes.getNode(node);
      const base = running?.type === type ? running : (accountNode as Node);
      const { result, error } = await runSendTest(RED, base, id, channel, draft, recipient, sample);
      return result === undefined ? refused("set-up", describe(error)) : { test: isTest, result };
    },
  );
}

/** Errors of this package contain no secret. Texts of other errors are not shown. */
const describe = (error: Error): object =>
  error instanceof MessagingError ? { code: error.code, message: error.message } : { code: "OTHER" };
