import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients, describeSource } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import { atMost, checkUuid, checkValidity } from "../../lib/editor/inputs/literal-checks";
import { defineSendNode, sendProperties } from "../../lib/editor/nodes/define-send-node";
import { prepareTemplateChoices } from "./editor/prepare-template-choices";
import { prepareTemplateEditor, TEMPLATE_TEXT } from "./editor/template-editor";
import { LIMITS } from "../../lib/shared/fields/limits";
import { WHATSAPP_FIELDS, WHATSAPP_KINDS } from "../../lib/shared/fields/whatsapp-fields";

const texts = nodeTexts("messaging-whatsapp-send");

const LITERAL_CHECKS: LiteralChecks = {
  content: atMost(LIMITS.textContent),
  description: atMost(LIMITS.mediaDescription),
  messageContent: atMost(LIMITS.broadcastContent),
  validityPeriode: checkValidity,
  mediaId: checkUuid,
  applicationId: checkUuid,
};

RED.nodes.registerType(
  "messaging-whatsapp-send",
  defineSendNode("messaging-whatsapp-send", {
    color: PALETTE.whatsapp,
    fields: WHATSAPP_FIELDS,
    defaults: {
      name: { value: "" },
      account: ACCOUNT_PROPERTY,
      kind: { value: WHATSAPP_KINDS[0] },
      ...fieldProperties(WHATSAPP_FIELDS, texts, LITERAL_CHECKS),
      [TEMPLATE_TEXT]: { value: "" },
      ...sendProperties(WHATSAPP_FIELDS),
    },
    describe(node) {
      const to = describeRecipients(node.recipientsSource, node.recipients);
      const template = describeSource(node.templateNameSource, node.templateName);
      return texts(`label.${String(node.kind)}`, { to, template });
    },
    settings: ["kind"],
    complete: (dialog) => prepareTemplateChoices(dialog, texts),
    built(dialog, spec, fill) {
      if (spec.type === "placeholders") {
        prepareTemplateEditor(dialog, spec, texts, fill);
      }
    },
  }),
);
