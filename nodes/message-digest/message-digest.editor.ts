import { currentValue } from "../../lib/editor/dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { check } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { atMost } from "../../lib/editor/inputs/literal-checks";
import { findPersonalFault } from "../../lib/editor/personal-text/text-library";
import { defineFieldNode } from "../../lib/editor/nodes/define-field-node";
import {
  DIGEST_DEFAULTS,
  DIGEST_FIELDS,
  DIGEST_MOST,
  DIGEST_OUTPUTS,
  DIGEST_TEXTS,
  DIGEST_TIMES,
  LONGEST_KEY,
  type DigestText,
} from "./shared/digest-fields";
import { readDuration } from "../../lib/shared/schedule/read-duration";
import { isVariable } from "../../lib/shared/variable-name";

const texts = nodeTexts("messaging-message-digest");

const LITERAL_CHECKS: LiteralChecks = { key: atMost(LONGEST_KEY) };

const setting = (
  name: keyof typeof DIGEST_DEFAULTS,
  findFault: (value: string) => string | null,
  matters: (node: EditedNode) => boolean = () => true,
): PropertyDefinition => ({
  value: DIGEST_DEFAULTS[name],
  validate: check(
    () => texts(`field.${name}`),
    (value, node) => (matters(node) && !isVariable(value) ? findFault(value) : null),
  ),
});

function findTimeFault(value: string): string | null {
  const { least, most } = DIGEST_TIMES;
  const ms = readDuration(value);
  return ms === null || ms < least || ms > most ? texts("fault.time") : null;
}

function findTextFault(name: DigestText, value: string): string | null {
  // A blank text at the end is valid: the output itself reports the end.
  if (value.trim() === "") {
    return name === "over" ? null : texts("fault.text");
  }
  return findPersonalFault(value);
}

const waits = (node: EditedNode): boolean => currentValue(node, "first") === "wait";
const { least: min, most: max } = DIGEST_MOST;

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  ...fieldProperties(DIGEST_FIELDS, texts, LITERAL_CHECKS),
  first: { value: DIGEST_DEFAULTS.first },
  wait: setting("wait", findTimeFault, waits),
  every: setting("every", findTimeFault),
  quiet: setting("quiet", findTimeFault),
  most: setting("most", (value) => findNumberFault(value, { min, max, whole: true })),
  one: setting("one", (value) => findTextFault("one", value)),
  several: setting("several", (value) => findTextFault("several", value)),
  over: setting("over", (value) => findTextFault("over", value)),
  outputs: { value: DIGEST_OUTPUTS },
};

RED.nodes.registerType(
  "messaging-message-digest",
  defineFieldNode("messaging-message-digest", DIGEST_FIELDS, {
    color: PALETTE.digest,
    defaults,
    outputs: DIGEST_OUTPUTS,
    describe(node) {
      const { every, keySource, key } = node;
      return keySource === "blank"
        ? texts("label.all", { every: String(every) })
        : texts("label.by", { every: String(every), what: describeSource(keySource, key) });
    },
    outputLabel: (_node, index) => texts(index === 0 ? "port.digest" : "port.over"),
    added(node) {
      // In the language of the user who adds the node.
      for (const name of DIGEST_TEXTS) {
        node[name] ||= texts(`initial.${name}`);
      }
    },
  }),
);
