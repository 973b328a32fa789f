import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { currentValue, openDialog } from "../../lib/editor/dialog/dialog";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import type { EditedNode, PropertyDefinition, Validate } from "../../lib/editor/dialog/node-definition";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-recipients";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { ACCOUNT_PROPERTY, isInMemory } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { check, watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { atMost } from "../../lib/editor/inputs/literal-checks";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { findRecipientsFault } from "../../lib/editor/recipients/recipients-fault";
import { hasCode } from "../../lib/shared/fields/code-template";
import {
  CODE_DEFAULTS,
  CODE_FIELDS,
  CODE_KINDS,
  CODE_PORTS,
  CODE_RANGES,
  CODE_TAKEN,
  type CodeKind,
  LONGEST_CALLER,
  LONGEST_PURPOSE,
} from "../../lib/shared/fields/code-fields";
import { recipientEntries } from "../../lib/shared/recipients/entry-reader";
import { readDuration } from "../../lib/shared/schedule/read-duration";

const texts = nodeTexts("verify-code");

const LITERAL_CHECKS: LiteralChecks = {
  number: (value) =>
    findRecipientsFault(value) ?? ([...recipientEntries(value)].length > 1 ? texts("fault.oneNumber") : null),
  purpose: atMost(LONGEST_PURPOSE),
  caller: atMost(LONGEST_CALLER),
};

const kindOf = (kind: unknown): CodeKind => CODE_KINDS.find((each) => each === kind) ?? CODE_KINDS[0];
const isMade = (node: EditedNode): boolean => kindOf(currentValue(node, "kind")) === "make";
const hasCaller = (node: EditedNode): boolean => currentValue(node, "callerSource") !== "blank";

/** A setting that is checked only where it has an effect. */
const setting = (
  name: keyof typeof CODE_DEFAULTS,
  matters: (node: EditedNode) => boolean,
  findFault: (value: string) => string | null,
): PropertyDefinition => ({
  value: CODE_DEFAULTS[name],
  validate: check(
    () => texts(`field.${name}`),
    (value, node) => (matters(node) ? findFault(value) : null),
  ),
});

const whole = (
  name: "length" | "tries" | "perNumber" | "perCaller",
  matters: (node: EditedNode) => boolean,
): PropertyDefinition => {
  const { least: min, most: max } = CODE_RANGES[name];
  return setting(name, matters, (value) => findNumberFault(value, { min, max, whole: true }));
};

function findValidForFault(value: string): string | null {
  const { least, most } = CODE_RANGES.validFor;
  const validFor = readDuration(value);
  return validFor === null || validFor < least || validFor > most ? texts("fault.validFor") : null;
}

const { resultProperty } = RESULT_PROPERTIES;

/** As for every node; but not where a message with a code has something else. */
const checkResult: Validate = function (value, options) {
  const verdict = resultProperty?.validate?.call(this, value, options) ?? true;
  return verdict === true && isMade(this) && CODE_TAKEN.test(String(value)) ? texts("fault.taken") : verdict;
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: CODE_KINDS[0] },
  ...fieldProperties(CODE_FIELDS, texts, LITERAL_CHECKS),
  characters: { value: CODE_DEFAULTS.characters },
  length: whole("length", isMade),
  validFor: setting("validFor", isMade, findValidForFault),
  tries: whole("tries", isMade),
  template: setting("template", isMade, (value) => (hasCode(value) ? null : texts("fault.template"))),
  perNumber: whole("perNumber", isMade),
  perCaller: whole("perCaller", hasCaller),
  resultProperty: { value: CODE_DEFAULTS.resultProperty, validate: checkResult },
  outputs: { value: CODE_PORTS[CODE_KINDS[0]] },
};

/** What leaves by each output. */
const PORTS: Readonly<Record<CodeKind, readonly string[]>> = {
  make: ["made", "refused"],
  check: ["right", "wrong", "over"],
};

RED.nodes.registerType("verify-code", {
  category: CATEGORY,
  color: PALETTE.code,
  icon: "verify-code.svg",
  defaults,
  inputs: 1,
  outputs: CODE_PORTS[CODE_KINDS[0]],
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("verify-code");
  },
  label() {
    const what = describeRecipients(this.numberSource, this.number);
    return this.name || texts(`label.${kindOf(this.kind)}`, { what });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    const meaning = PORTS[kindOf(this.kind)][index];
    return meaning === undefined ? "" : texts(`port.${meaning}`);
  },
  onadd() {
    preselectAccount(this);
    // A text in the language of whoever adds the node; a saved node keeps its own.
    this.template ||= texts("initialText");
  },
  oneditprepare() {
    const dialog = openDialog(this);
    const { input, form, watch } = dialog;
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults);
    prepareFields(dialog, CODE_FIELDS, texts);
    prepareResultProperty(dialog);
    watchFaults(dialog, defaults);
    const memory = form.find("#messaging-code-memory");
    const perCaller = form.find("#messaging-code-caller");
    const fillText = (): void => {
      // A check has no text, and keeps none until it becomes something else.
      if (isMade(this) && input("template").val() === "") {
        input("template").val(texts("initialText"));
      }
    };
    fillText();
    input("kind").on("change", fillText);
    const update = (): void => {
      memory.toggle(isInMemory(String(currentValue(this, "account"))));
      perCaller.toggle(hasCaller(this));
    };
    watch(update);
    update();
  },
  oneditsave() {
    $("#node-input-outputs").val(CODE_PORTS[kindOf($("#node-input-kind").val())]);
    return {};
  },
});
