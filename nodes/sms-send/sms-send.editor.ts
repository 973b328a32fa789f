import { ACCOUNT_PROPERTY } from "../../lib/editor/account-property";
import { watchConditions } from "../../lib/editor/conditional-rows";
import { describeSource } from "../../lib/editor/describe-source";
import { openDialog } from "../../lib/editor/dialog";
import { watchFaults } from "../../lib/editor/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/field-input";
import { openGroupsInUse } from "../../lib/editor/groups";
import { checkValidity } from "../../lib/editor/literal-checks";
import { CATEGORY, PALETTE } from "../../lib/editor/palette";
import { portLabel } from "../../lib/editor/ports";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/result-properties";
import { rewire } from "../../lib/editor/rewire";
import { prepareSendTest } from "../../lib/editor/send-test";
import { prepareSmsCounter } from "../../lib/editor/sms-counter";
import { nodeTexts } from "../../lib/editor/texts";
import { SMS_FIELDS, SMS_INTERFACES } from "../../lib/shared/sms-fields";

const texts = nodeTexts("sms-send");

const LITERAL_CHECKS: LiteralChecks = {
  validityPeriode: checkValidity,
  notificationCallbackUrl: (value) =>
    /^https?:\/\//i.test(value) && URL.canParse(value) ? null : texts("fault.url"),
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  ...fieldProperties(SMS_FIELDS, texts, LITERAL_CHECKS),
  interface: { value: SMS_INTERFACES[0] },
  ...RESULT_PROPERTIES,
};

RED.nodes.registerType("sms-send", {
  category: CATEGORY,
  color: PALETTE.sms,
  icon: "sms-send.svg",
  defaults,
  inputs: 1,
  outputs: 4,
  paletteLabel: () => texts("palette"),
  label() {
    if (this.name) {
      return this.name;
    }
    const voice = this.messageTypeSource === "choice" && this.messageType === "voice";
    const flash = this.sendAsFlashSmsSource === "bool" && this.sendAsFlashSms === "true";
    const to = describeSource(this.recipientAddressListSource, this.recipientAddressList);
    return texts(`label.${voice ? "voice" : flash ? "flash" : "sms"}`, { to });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    return portLabel(this.outputs, index);
  },
  oneditprepare() {
    const dialog = openDialog(this);
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults);
    prepareFields(dialog, SMS_FIELDS, texts);
    prepareSmsCounter(dialog, texts);
    prepareResultProperty(dialog);
    watchFaults(dialog, defaults);
    prepareSendTest(dialog, SMS_FIELDS, texts, ["interface"]);
  },
  oneditsave() {
    return rewire(this, Number($("#node-input-outputs").val()));
  },
});
