import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { currentValue, openDialog } from "../../lib/editor/dialog/dialog";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-recipients";
import { ACCOUNT_PROPERTY, isInMemory } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { between } from "../../lib/editor/inputs/literal-checks";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { findRecipientsFault } from "../../lib/editor/recipients/recipients-fault";
import {
  OPT_OUT_FIELDS,
  OPT_OUT_KINDS,
  OPT_OUT_PAGE,
  OPT_OUT_PORTS,
  type OptOutKind,
} from "../../lib/shared/fields/opt-out-fields";

const texts = nodeTexts("opt-out");

const LITERAL_CHECKS: LiteralChecks = {
  numbers: findRecipientsFault,
  rows: findRecipientsFault,
  pageSize: between(OPT_OUT_PAGE.least, OPT_OUT_PAGE.most, true),
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: OPT_OUT_KINDS[0] },
  ...fieldProperties(OPT_OUT_FIELDS, texts, LITERAL_CHECKS),
  resultProperty: { ...RESULT_PROPERTIES.resultProperty, value: "optOut" },
  outputs: { value: OPT_OUT_PORTS[OPT_OUT_KINDS[0]] },
};

const kindOf = (kind: unknown): OptOutKind => OPT_OUT_KINDS.find((each) => each === kind) ?? OPT_OUT_KINDS[0];

RED.nodes.registerType("opt-out", {
  category: CATEGORY,
  color: PALETTE.optOut,
  icon: "opt-out.svg",
  defaults,
  inputs: 1,
  outputs: OPT_OUT_PORTS[OPT_OUT_KINDS[0]],
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("opt-out");
  },
  label() {
    const what = describeRecipients(this.numbersSource, this.numbers);
    return this.name || texts(`label.${kindOf(this.kind)}`, { what });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    return kindOf(this.kind) === "check" ? texts(index === 0 ? "port.free" : "port.optedOut") : "";
  },
  onadd() {
    preselectAccount(this);
  },
  oneditprepare() {
    const dialog = openDialog(this);
    const { form, watch } = dialog;
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults);
    prepareFields(dialog, OPT_OUT_FIELDS, texts);
    prepareResultProperty(dialog);
    watchFaults(dialog, defaults);
    const memory = form.find("#messaging-opt-out-memory");
    const update = (): void => void memory.toggle(isInMemory(String(currentValue(this, "account"))));
    watch(update);
    update();
  },
  oneditsave() {
    $("#node-input-outputs").val(OPT_OUT_PORTS[kindOf($("#node-input-kind").val())]);
    return {};
  },
});
