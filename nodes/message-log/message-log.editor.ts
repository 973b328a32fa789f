import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { currentValue, openDialog } from "../../lib/editor/dialog/dialog";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-recipients";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY, isInMemory } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { between, type LiteralCheck } from "../../lib/editor/inputs/literal-checks";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { findRecipientsFault } from "../../lib/editor/recipients/recipients-fault";
import { LOG_FIELDS, LOG_KINDS, LOG_LIMIT } from "../../lib/shared/fields/log-fields";
import { readPointInTime } from "../../lib/shared/schedule/point-in-time";

const texts = nodeTexts("message-log");

const checkTime: LiteralCheck = (value) =>
  readPointInTime(value, Date.now()) === null ? texts("fault.time") : null;

const LITERAL_CHECKS: LiteralChecks = {
  number: findRecipientsFault,
  recipient: findRecipientsFault,
  until: checkTime,
  from: checkTime,
  to: checkTime,
  limit: between(1, LOG_LIMIT.most, true),
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: LOG_KINDS[0] },
  ...fieldProperties(LOG_FIELDS, texts, LITERAL_CHECKS),
  resultProperty: { ...RESULT_PROPERTIES.resultProperty, value: "payload" },
};

/** What the action asks for, as the label of the node shows it. */
const ASKED: Readonly<Record<string, string>> = { id: "messageId", number: "number" };

RED.nodes.registerType("message-log", {
  category: CATEGORY,
  color: PALETTE.log,
  icon: "message-log.svg",
  defaults,
  inputs: 1,
  outputs: 2,
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("message-log");
  },
  label() {
    const asked = ASKED[String(this.kind)] ?? "";
    const describe = asked === "number" ? describeRecipients : describeSource;
    const what = describe(this[`${asked}Source`], this[asked]);
    return this.name || texts(`label.${String(this.kind)}`, { what });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    return texts(index === 0 ? "port.found" : "port.notFound");
  },
  onadd() {
    preselectAccount(this);
  },
  oneditprepare() {
    const dialog = openDialog(this);
    const { form, watch } = dialog;
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults);
    prepareFields(dialog, LOG_FIELDS, texts);
    prepareResultProperty(dialog);
    watchFaults(dialog, defaults);
    const memory = form.find("#messaging-log-memory");
    const update = (): void => void memory.toggle(isInMemory(String(currentValue(this, "account"))));
    watch(update);
    update();
  },
});
