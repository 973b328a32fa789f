import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account-property";
import { preselectAccount } from "../../lib/editor/inputs/preselect-account";
import { watchConditions } from "../../lib/editor/dialog/conditional-rows";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { currentValue, type Dialog, openDialog } from "../../lib/editor/dialog/dialog";
import { check, watchFaults } from "../../lib/editor/inputs/faults";
import { fieldProperties, type LiteralChecks, prepareFields } from "../../lib/editor/inputs/field-input";
import { openGroupsInUse } from "../../lib/editor/dialog/groups";
import { checkUuid } from "../../lib/editor/inputs/literal-checks";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { CATEGORY, PALETTE } from "../../lib/editor/dialog/palette";
import { addPaletteWords } from "../../lib/editor/dialog/palette-words";
import { portLabel } from "../../lib/editor/outputs/ports";
import { prepareResultProperty, RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { rewire } from "../../lib/editor/outputs/rewire";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import {
  defaultLimit,
  LIMIT_RANGES,
  MEDIA_FIELDS,
  MEDIA_KINDS,
  MEDIA_SETTINGS,
  type Place,
  placeOf,
} from "../../lib/shared/fields/media-fields";
import { isMediaType } from "../../lib/shared/media-types";
import { foldersBelow, isOwnFileName, isOwnFolderName, isStoreFileName } from "../../lib/shared/own-files";

const texts = nodeTexts("media-transfer");

const LITERAL_CHECKS: LiteralChecks = {
  mediaId: checkUuid,
  contentType: (value) => (isMediaType(value.trim()) ? null : texts("fault.mediaType")),
};

const currentPlace = (node: EditedNode): Place =>
  placeOf(currentValue(node, "kind"), { to: currentValue(node, "to"), from: currentValue(node, "from") });

const FIELDS = fieldProperties(MEDIA_FIELDS, texts, LITERAL_CHECKS);

const savesFiles = (node: EditedNode): boolean =>
  currentValue(node, "kind") === "download" && currentValue(node, "to") === "file";

/** The folders below the user directory that downloads go to, where the dialog can tell. */
function foldersOf(
  node: EditedNode,
  folder: unknown = currentValue(node, "folder"),
): readonly string[] | null {
  return savesFiles(node) && currentValue(node, "folderSource") === "str"
    ? foldersBelow(String(folder ?? ""))
    : null;
}

/** Whether downloads go to the user directory itself. */
const isInUserDir = (node: EditedNode): boolean =>
  foldersOf(node)?.length === 0 && String(currentValue(node, "folder")).trim() !== "";

/** Why a download into this folder would be refused for the sake of Node-RED's own files, or null. */
function findFolderFault(folder: string, node: EditedNode): string | null {
  const [first] = foldersOf(node, folder) ?? [];
  return first !== undefined && isOwnFolderName(first) ? texts("fault.ownFolder", { folder: first }) : null;
}

/** Why a download under this name would be refused for the sake of Node-RED's own files, or null. */
function findNameFault(name: string, node: EditedNode): string | null {
  const source = currentValue(node, "saveAsSource");
  const inUserDir = isInUserDir(node);
  if (inUserDir && source === "blank" && currentValue(node, "existing") === "overwrite") {
    return texts("fault.overwrite");
  }
  const typed = source === "str" ? name.trim() : "";
  const isOwn = (savesFiles(node) && isStoreFileName(typed)) || (inUserDir && isOwnFileName(typed));
  return isOwn ? texts("fault.ownFile", { name: typed }) : null;
}

/** The check of a field, and one more about Node-RED's own files. */
const guarded = (
  name: "folder" | "saveAs",
  findFault: (value: string, node: EditedNode) => string | null,
): PropertyDefinition => {
  const field = FIELDS[name] as PropertyDefinition;
  const own = check(() => texts(`field.${name}`), findFault);
  return {
    ...field,
    validate(value, options) {
      const verdict = field.validate?.call(this, value, options) ?? true;
      return verdict === true ? own.call(this, value, options) : verdict;
    },
  };
};

const defaults = {
  name: { value: "" },
  account: ACCOUNT_PROPERTY,
  kind: { value: MEDIA_KINDS[0] },
  to: { value: MEDIA_SETTINGS.to },
  from: { value: MEDIA_SETTINGS.from },
  ...FIELDS,
  folder: guarded("folder", findFolderFault),
  saveAs: guarded("saveAs", findNameFault),
  baseFolder: { value: MEDIA_SETTINGS.baseFolder },
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
  onpaletteadd() {
    addPaletteWords("media-transfer");
  },
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
  onadd() {
    preselectAccount(this);
  },
  oneditprepare() {
    const dialog = openDialog(this);
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
