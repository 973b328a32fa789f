import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { checkUrl, checkValidity } from "../../lib/editor/inputs/literal-checks";
import { prepareSmsCounter } from "../../lib/editor/inputs/sms-counter";
import { defineSendNode, sendProperties } from "../../lib/editor/nodes/define-send-node";
import { SMS_FIELDS, SMS_INTERFACES } from "../../lib/shared/fields/sms-fields";

const texts = nodeTexts("messaging-sms-send");

const checks: LiteralChecks = {
  validityPeriode: checkValidity,
  notificationCallbackUrl: (value) => (checkUrl(value) === null ? null : texts("fault.url")),
};

RED.nodes.registerType(
  "messaging-sms-send",
  defineSendNode("messaging-sms-send", {
    color: PALETTE.sms,
    fields: SMS_FIELDS,
    defaults: {
      name: { value: "" },
      account: ACCOUNT_PROPERTY,
      ...fieldProperties(SMS_FIELDS, texts, checks),
      interface: { value: SMS_INTERFACES[0] },
      ...sendProperties(SMS_FIELDS),
    },
    describe(node) {
      const voice = node.messageTypeSource === "choice" && node.messageType === "voice";
      const flash = node.sendAsFlashSmsSource === "bool" && node.sendAsFlashSms === "true";
      const to = describeRecipients(node.recipientAddressListSource, node.recipientAddressList);
      return texts(`label.${voice ? "voice" : flash ? "flash" : "sms"}`, { to });
    },
    settings: ["interface"],
    prepare: (dialog, fill) => prepareSmsCounter(dialog, texts, fill),
  }),
);
