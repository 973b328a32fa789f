import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients, describeSource } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { between, type LiteralCheck } from "../../lib/editor/inputs/literal-checks";
import { defineFieldNode } from "../../lib/editor/nodes/define-field-node";
import { RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { findRecipientsFault } from "../../lib/editor/recipients/recipients-fault";
import { LOG_FIELDS, LOG_KINDS, LOG_LIMIT } from "../../lib/shared/fields/log-fields";
import { readPointInTime } from "../../lib/shared/schedule/point-in-time";

const texts = nodeTexts("messaging-message-log");

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
  openMetrics: { value: false },
  ...fieldProperties(LOG_FIELDS, texts, LITERAL_CHECKS),
  resultProperty: { ...RESULT_PROPERTIES.resultProperty, value: "payload" },
};

const ASKED: Readonly<Record<string, string>> = { id: "messageId", number: "number", conversation: "number" };

RED.nodes.registerType(
  "messaging-message-log",
  defineFieldNode("messaging-message-log", LOG_FIELDS, {
    color: PALETTE.log,
    defaults,
    outputs: 2,
    describe(node) {
      const asked = ASKED[String(node.kind)] ?? "";
      const describe = asked === "number" ? describeRecipients : describeSource;
      return texts(`label.${String(node.kind)}`, { what: describe(node[`${asked}Source`], node[asked]) });
    },
    outputLabel(node, index) {
      const isState = node.kind === "state";
      return texts(index > 0 ? "port.notFound" : isState ? "port.state" : "port.found");
    },
  }),
);
