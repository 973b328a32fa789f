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
import {
  atMost,
  between,
  checkInstant,
  checkMediaType,
  checkUrl,
  checkUuid,
} from "../../lib/editor/inputs/literal-checks";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { portLabel } from "../../lib/editor/outputs/ports";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { addComposer, COMPOSED } from "../../lib/editor/rcs/composer";
import { prepareFileFacts } from "../../lib/editor/rcs/file-facts";
import { preparePreview } from "../../lib/editor/rcs/preview";
import { checkCardsJson, checkSuggestionsJson } from "../../lib/editor/rcs/rcs-faults";
import { rewire } from "../../lib/editor/outputs/rewire";
import { prepareSendTest } from "../../lib/editor/checks/send-test";
import { PERSONAL_PROPERTIES } from "../../lib/editor/personal-text/personal-properties";
import { preparePersonalTexts } from "../../lib/editor/personal-panels/personal-texts";
import { ruleProperties } from "../../lib/editor/inputs/rule-properties";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { POSITION_FORMS, RCS_FIELDS, RCS_KINDS } from "../../lib/shared/fields/rcs-fields";
import { RCS_LIMITS } from "../../lib/shared/fields/rcs-limits";

const texts = nodeTexts("rcs-send");

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

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: RCS_KINDS[0] },
  positionAs: { value: POSITION_FORMS[0] },
  ...fieldProperties(RCS_FIELDS, texts, LITERAL_CHECKS),
  ...PERSONAL_PROPERTIES,
  ...ruleProperties(RCS_FIELDS),
  ...RESULT_PROPERTIES,
};

RED.nodes.registerType("rcs-send", {
  category: CATEGORY,
  color: PALETTE.rcs,
  icon: "rcs-send.svg",
  defaults,
  inputs: 1,
  outputs: 4,
  paletteLabel: () => texts("palette"),
  onpaletteadd() {
    addPaletteWords("rcs-send");
  },
  label() {
    const to = describeRecipients(this.recipientsSource, this.recipients);
    return this.name || texts(`label.${String(this.kind)}`, { to });
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
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults, settingText(this, texts, describeSource));
    const personal = preparePersonalTexts(dialog, RCS_FIELDS);
    const addFileFacts = prepareFileFacts(dialog);
    prepareFields(dialog, RCS_FIELDS, texts, {
      composed: COMPOSED,
      built(spec) {
        addComposer(dialog, spec, texts);
        addFileFacts(spec.name);
        personal.attach(spec);
      },
    });
    prepareRules(dialog, RCS_FIELDS, personal.attach);
    prepareResultProperty(dialog);
    preparePreview(dialog, RCS_FIELDS, texts, personal.fill);
    watchSameSource(dialog, RCS_FIELDS, texts);
    watchApplication(dialog, RCS_FIELDS);
    watchFaults(dialog, defaults);
    prepareSendTest(dialog, RCS_FIELDS, texts, ["kind", "positionAs", "braces"], personal.sample);
  },
  oneditsave() {
    saveLists(this, RCS_FIELDS);
    return rewire(this, Number($("#node-input-outputs").val()));
  },
});
