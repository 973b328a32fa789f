import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { prepareRules } from "../../lib/editor/inputs/delivery-rules";
import { describeRecipients } from "../../lib/editor/fields/describe-recipients";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { openDialog } from "../../lib/editor/dialog/dialog";
import { watchApplication } from "../../lib/editor/inputs/missing-application";
import { watchSameSource } from "../../lib/editor/inputs/same-source";
import { watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { openGroupsInUse, settingText } from "../../lib/editor/dialog/groups";
import { saveLists } from "../../lib/editor/inputs/list-input";
import { atMost, checkUuid, checkValidity } from "../../lib/editor/inputs/literal-checks";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { portLabel } from "../../lib/editor/outputs/ports";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { rewire } from "../../lib/editor/outputs/rewire";
import { prepareSendTest } from "../../lib/editor/checks/send-test";
import { prepareTemplateEditor, TEMPLATE_TEXT } from "../../lib/editor/template/template-editor";
import { PERSONAL_PROPERTIES } from "../../lib/editor/personal-text/personal-properties";
import { preparePersonalTexts } from "../../lib/editor/personal-panels/personal-texts";
import { ruleProperties } from "../../lib/editor/inputs/rule-properties";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { watchWindow } from "../../lib/editor/inputs/session-window";
import { LIMITS } from "../../lib/shared/fields/limits";
import { OUTSIDE_WINDOW, WHATSAPP_FIELDS, WHATSAPP_KINDS } from "../../lib/shared/fields/whatsapp-fields";

const texts = nodeTexts("whatsapp-send");

const LITERAL_CHECKS: LiteralChecks = {
  content: atMost(LIMITS.textContent),
  description: atMost(LIMITS.mediaDescription),
  messageContent: atMost(LIMITS.broadcastContent),
  validityPeriode: checkValidity,
  mediaId: checkUuid,
  applicationId: checkUuid,
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: WHATSAPP_KINDS[0] },
  outsideWindow: { value: OUTSIDE_WINDOW[0] },
  ...fieldProperties(WHATSAPP_FIELDS, texts, LITERAL_CHECKS),
  [TEMPLATE_TEXT]: { value: "" },
  ...PERSONAL_PROPERTIES,
  ...ruleProperties(WHATSAPP_FIELDS),
  ...RESULT_PROPERTIES,
};

RED.nodes.registerType("whatsapp-send", {
  category: CATEGORY,
  color: PALETTE.whatsapp,
  icon: "whatsapp-send.svg",
  defaults,
  inputs: 1,
  outputs: 4,
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("whatsapp-send");
  },
  label() {
    const to = describeRecipients(this.recipientsSource, this.recipients);
    const template = describeSource(this.templateNameSource, this.templateName);
    return this.name || texts(`label.${String(this.kind)}`, { to, template });
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
    watchWindow(dialog);
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults, settingText(this, texts, describeSource));
    const personal = preparePersonalTexts(dialog, WHATSAPP_FIELDS);
    prepareFields(dialog, WHATSAPP_FIELDS, texts, {
      built: (spec) => {
        personal.attach(spec);
        if (spec.type === "placeholders") {
          prepareTemplateEditor(dialog, spec, texts, personal.fill);
        }
      },
    });
    prepareRules(dialog, WHATSAPP_FIELDS, personal.attach);
    prepareResultProperty(dialog);
    watchSameSource(dialog, WHATSAPP_FIELDS, texts);
    watchApplication(dialog, WHATSAPP_FIELDS);
    watchFaults(dialog, defaults);
    prepareSendTest(dialog, WHATSAPP_FIELDS, texts, ["kind", "outsideWindow", "braces"], personal.sample);
  },
  oneditsave() {
    saveLists(this, WHATSAPP_FIELDS);
    return rewire(this, Number($("#node-input-outputs").val()));
  },
});
