import { currentValue } from "../../lib/editor/dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-source";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { alsoChecked, check } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { atMost } from "../../lib/editor/inputs/literal-checks";
import { saveOutputs } from "../../lib/editor/nodes/define-node";
import { defineFieldNode } from "../../lib/editor/nodes/define-field-node";
import { RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { findRecipientsFault } from "../../lib/editor/recipients/recipients-fault";
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
  hasCode,
} from "./shared/code-fields";
import { recipientEntries } from "../../lib/shared/recipients/entry-reader";
import { readDuration } from "../../lib/shared/schedule/read-duration";

const texts = nodeTexts("messaging-verify-code");

const LITERAL_CHECKS: LiteralChecks = {
  number: (value) =>
    findRecipientsFault(value) ?? ([...recipientEntries(value)].length > 1 ? texts("fault.oneNumber") : null),
  purpose: atMost(LONGEST_PURPOSE),
  caller: atMost(LONGEST_CALLER),
};

const toKind = (kind: unknown): CodeKind => CODE_KINDS.find((each) => each === kind) ?? CODE_KINDS[0];
const isMade = (node: EditedNode): boolean => toKind(currentValue(node, "kind")) === "make";
const hasCaller = (node: EditedNode): boolean => currentValue(node, "callerSource") !== "blank";

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

/** Checked as in every node, unless a message with a code has another property. */
const resultProperty = alsoChecked(
  { ...RESULT_PROPERTIES.resultProperty, value: CODE_DEFAULTS.resultProperty },
  function (value) {
    return isMade(this) && CODE_TAKEN.test(String(value)) ? texts("fault.taken") : true;
  },
);

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
  resultProperty,
  outputs: { value: CODE_PORTS[CODE_KINDS[0]] },
};

const PORTS: Readonly<Record<CodeKind, readonly string[]>> = {
  make: ["made", "refused"],
  check: ["right", "wrong", "over"],
};

RED.nodes.registerType(
  "messaging-verify-code",
  defineFieldNode("messaging-verify-code", CODE_FIELDS, {
    color: PALETTE.code,
    defaults,
    outputs: defaults.outputs.value,
    describe(node) {
      const what = describeRecipients(node.numberSource, node.number);
      return texts(`label.${toKind(node.kind)}`, { what });
    },
    outputLabel(node, index) {
      const meaning = PORTS[toKind(node.kind)][index];
      return meaning === undefined ? "" : texts(`port.${meaning}`);
    },
    added(node) {
      // In the language of the user who adds the node.
      node.template ||= texts("initialText");
    },
    prepare({ node, form, input, watch }) {
      const fillText = (): void => {
        // A check has no text until it becomes another action.
        if (isMade(node) && input("template").val() === "") {
          input("template").val(texts("initialText"));
        }
      };
      fillText();
      input("kind").on("change", fillText);
      const perCaller = form.find("#messaging-code-caller");
      watch(() => void perCaller.toggle(hasCaller(node)));
    },
    saved: () => saveOutputs(CODE_PORTS[toKind($("#node-input-kind").val())]),
  }),
);
