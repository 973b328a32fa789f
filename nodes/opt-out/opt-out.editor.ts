import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { between } from "../../lib/editor/inputs/literal-checks";
import { saveOutputs } from "../../lib/editor/nodes/define-node";
import { defineFieldNode } from "../../lib/editor/nodes/define-field-node";
import { RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { findRecipientsFault } from "../../lib/editor/recipients/recipients-fault";
import {
  OPT_OUT_FIELDS,
  OPT_OUT_KINDS,
  OPT_OUT_PAGE,
  OPT_OUT_PORTS,
  type OptOutKind,
} from "../../lib/shared/fields/opt-out-fields";

const texts = nodeTexts("messaging-opt-out");

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

const toKind = (kind: unknown): OptOutKind => OPT_OUT_KINDS.find((each) => each === kind) ?? OPT_OUT_KINDS[0];

RED.nodes.registerType(
  "messaging-opt-out",
  defineFieldNode("messaging-opt-out", OPT_OUT_FIELDS, {
    color: PALETTE.optOut,
    defaults,
    outputs: defaults.outputs.value,
    describe(node) {
      const what = describeRecipients(node.numbersSource, node.numbers);
      return texts(`label.${toKind(node.kind)}`, { what });
    },
    outputLabel: (node, index) =>
      toKind(node.kind) === "check" ? texts(index === 0 ? "port.free" : "port.optedOut") : "",
    saved: () => saveOutputs(OPT_OUT_PORTS[toKind($("#node-input-kind").val())]),
  }),
);
