import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { prepareRules } from "../../lib/editor/inputs/delivery-rules";
import { describeRecipients } from "../../lib/editor/fields/describe-recipients";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { openDialog } from "../../lib/editor/dialog/dialog";
import { watchSameSource } from "../../lib/editor/inputs/same-source";
import { watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { openGroupsInUse, settingText } from "../../lib/editor/dialog/groups";
import { checkValidity } from "../../lib/editor/inputs/literal-checks";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { portLabel } from "../../lib/editor/outputs/ports";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { rewire } from "../../lib/editor/outputs/rewire";
import { prepareSendTest } from "../../lib/editor/checks/send-test";
import { prepareSmsCounter } from "../../lib/editor/inputs/sms-counter";
import { PERSONAL_PROPERTIES } from "../../lib/editor/personal-text/personal-properties";
import { preparePersonalTexts } from "../../lib/editor/personal-panels/personal-texts";
import { ruleProperties } from "../../lib/editor/inputs/rule-properties";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { SMS_FIELDS, SMS_INTERFACES } from "../../lib/shared/fields/sms-fields";

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
  ...PERSONAL_PROPERTIES,
  ...ruleProperties(SMS_FIELDS),
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
  onpaletteadd() {
    addPaletteWords("sms-send");
  },
  label() {
    if (this.name) {
      return this.name;
    }
    const voice = this.messageTypeSource === "choice" && this.messageType === "voice";
    const flash = this.sendAsFlashSmsSource === "bool" && this.sendAsFlashSms === "true";
    const to = describeRecipients(this.recipientAddressListSource, this.recipientAddressList);
    return texts(`label.${voice ? "voice" : flash ? "flash" : "sms"}`, { to });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    return portLabel(this.outputs, index);
  },
  onadd() {
    preselectAccount(this);
  },
  oneditprepare() {
    const dialog = openDialog(this);
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults, settingText(this, texts, describeSource));
    const personal = preparePersonalTexts(dialog, SMS_FIELDS);
    prepareFields(dialog, SMS_FIELDS, texts, { built: personal.attach });
    prepareSmsCounter(dialog, texts, personal.fill);
    prepareRules(dialog, SMS_FIELDS, personal.attach);
    prepareResultProperty(dialog);
    watchSameSource(dialog, SMS_FIELDS, texts);
    watchFaults(dialog, defaults);
    prepareSendTest(dialog, SMS_FIELDS, texts, ["interface", "braces"], personal.sample);
  },
  oneditsave() {
    return rewire(this, Number($("#node-input-outputs").val()));
  },
});
