import { ACCOUNT_PROPERTY } from "../../lib/editor/account-property";
import { watchConditions } from "../../lib/editor/conditional-rows";
import { describeSource } from "../../lib/editor/describe-source";
import { currentValue, type Dialog, openDialog } from "../../lib/editor/dialog";
import { check, watchFaults } from "../../lib/editor/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/field-input";
import { openGroupsInUse } from "../../lib/editor/groups";
import { checkUuid } from "../../lib/editor/literal-checks";
import type { EditedNode } from "../../lib/editor/node-definition";
import { findNumberFault } from "../../lib/editor/number-fault";
import { CATEGORY, PALETTE } from "../../lib/editor/palette";
import { portLabel } from "../../lib/editor/ports";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/result-properties";
import { rewire } from "../../lib/editor/rewire";
import { nodeTexts } from "../../lib/editor/texts";
import {
  defaultLimit,
  LIMIT_RANGES,
  MEDIA_FIELDS,
  MEDIA_KINDS,
  MEDIA_SETTINGS,
  type Place,
  placeOf,
} from "../../lib/shared/media-fields";
import { isMediaType } from "../../lib/shared/media-types";

const texts = nodeTexts("media-transfer");

const LITERAL_CHECKS: LiteralChecks = {
  mediaId: checkUuid,
  contentType: (value) => (isMediaType(value.trim()) ? null : texts("fault.mediaType")),
};

const currentPlace = (node: EditedNode): Place =>
  placeOf(currentValue(node, "kind"), { to: currentValue(node, "to"), from: currentValue(node, "from") });

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: MEDIA_KINDS[0] },
  to: { value: MEDIA_SETTINGS.to },
  from: { value: MEDIA_SETTINGS.from },
  ...fieldProperties(MEDIA_FIELDS, texts, LITERAL_CHECKS),
  existing: { value: MEDIA_SETTINGS.existing },
  limit: {
    value: MEDIA_SETTINGS.limit,
    validate: check(
      () => texts("field.limit"),
      (value, node) =>
        value.trim() === "" ? null : findNumberFault(value, LIMIT_RANGES[currentPlace(node)]),
    ),
  },
  ...RESULT_PROPERTIES,
};

/** Shows the limit that holds while none is typed in; it differs with the action. */
function watchDefaultLimit({ node, form, input }: Dialog): void {
  const update = (): void => {
    const limit = defaultLimit(currentValue(node, "kind"), currentPlace(node));
    input("limit").attr("placeholder", String(limit));
  };
  form.on("change", "select", update);
  update();
}

RED.nodes.registerType("media-transfer", {
  category: CATEGORY,
  color: PALETTE.media,
  icon: "media-transfer.svg",
  defaults,
  inputs: 1,
  outputs: 4,
  paletteLabel: () => texts("palette"),
  label() {
    const source = this.kind === "download" ? "mediaId" : this.from === "file" ? "path" : "content";
    const what = describeSource(this[`${source}Source`], this[source]);
    return this.name || texts(`label.${String(this.kind)}`, { what });
  },
  labelStyle() {
    return this.name ? "node_label_italic" : "";
  },
  outputLabels(index) {
    return portLabel(this.outputs, index);
  },
  oneditprepare() {
    const dialog = openDialog(this);
    for (const [setting, initial] of Object.entries(MEDIA_SETTINGS)) {
      // Flows written by hand may leave one out.
      dialog.input(setting).val(String(this[setting] ?? initial));
    }
    watchConditions(dialog);
    openGroupsInUse(dialog, defaults);
    prepareFields(dialog, MEDIA_FIELDS, texts);
    prepareResultProperty(dialog);
    watchDefaultLimit(dialog);
    watchFaults(dialog, defaults);
  },
  oneditsave() {
    return rewire(this, Number($("#node-input-outputs").val()));
  },
});
