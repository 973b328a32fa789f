import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeRecipients } from "../../lib/editor/fields/describe-source";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { fieldProperties, type LiteralChecks } from "../../lib/editor/inputs/field-input";
import {
  atMost,
  between,
  checkInstant,
  checkMediaType,
  checkUrl,
  checkUuid,
} from "../../lib/editor/inputs/literal-checks";
import { defineSendNode, sendProperties } from "../../lib/editor/nodes/define-send-node";
import { addComposer, COMPOSED } from "./editor/composer";
import { preparePreview } from "./editor/preview";
import { checkCardsJson, checkSuggestionsJson } from "./editor/rcs-faults";
import { POSITION_FORMS, RCS_FIELDS, RCS_KINDS } from "./shared/rcs-fields";
import { RCS_LIMITS } from "../../lib/shared/fields/rcs-limits";

const texts = nodeTexts("messaging-rcs-send");

const bytes = between(0, undefined, true);

const LITERAL_CHECKS: LiteralChecks = {
  textMessage: atMost(RCS_LIMITS.text),
  fileUrl: checkUrl,
  fileSize: bytes,
  fileThumbnailUrl: checkUrl,
  fileThumbnailSize: bytes,
  audioUrl: checkUrl,
  audioSize: bytes,
  playingLength: bytes,
  latitude: between(-90, 90),
  longitude: between(-180, 180),
  positionLabel: atMost(RCS_LIMITS.label),
  radius: between(0),
  timestamp: checkInstant,
  positionExpiry: checkInstant,
  title: atMost(RCS_LIMITS.title),
  description: atMost(RCS_LIMITS.description),
  mediaUrl: checkUrl,
  fileMIMEType: checkMediaType,
  fileThumbnailMIMEType: checkMediaType,
  audioMIMEType: checkMediaType,
  mediaContentType: checkMediaType,
  mediaThumbnailContentType: checkMediaType,
  mediaFileSize: bytes,
  contentDescription: atMost(RCS_LIMITS.contentDescription),
  mediaThumbnailUrl: checkUrl,
  mediaThumbnailFileSize: bytes,
  cardSuggestions: checkSuggestionsJson(texts, RCS_LIMITS.cardSuggestions),
  cards: checkCardsJson(texts),
  suggestions: checkSuggestionsJson(texts, RCS_LIMITS.chips),
  expiry: checkInstant,
  applicationId: checkUuid,
};

RED.nodes.registerType(
  "messaging-rcs-send",
  defineSendNode("messaging-rcs-send", {
    color: PALETTE.rcs,
    fields: RCS_FIELDS,
    defaults: {
      name: { value: "" },
      account: ACCOUNT_PROPERTY,
      kind: { value: RCS_KINDS[0] },
      positionAs: { value: POSITION_FORMS[0] },
      ...fieldProperties(RCS_FIELDS, texts, LITERAL_CHECKS),
      ...sendProperties(RCS_FIELDS),
    },
    describe(node) {
      const to = describeRecipients(node.recipientsSource, node.recipients);
      return texts(`label.${String(node.kind)}`, { to });
    },
    settings: ["kind", "positionAs"],
    composed: COMPOSED,
    built: (dialog, spec) => addComposer(dialog, spec, texts),
    prepare: (dialog, fill) => preparePreview(dialog, RCS_FIELDS, texts, fill),
  }),
);
