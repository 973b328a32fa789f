import { currentValue, type Dialog } from "../../lib/editor/dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../../lib/editor/dialog/node-definition";
import { PALETTE } from "../../lib/editor/dialog/palette";
import { nodeTexts } from "../../lib/editor/dialog/texts";
import { describeSource } from "../../lib/editor/fields/describe-source";
import { findNumberFault } from "../../lib/editor/fields/number-fault";
import { ACCOUNT_PROPERTY } from "../../lib/editor/inputs/account/account-property";
import { alsoChecked, check } from "../../lib/editor/inputs/faults";
import { fieldProperties } from "../../lib/editor/inputs/field-input";
import { checkMediaType, checkUuid } from "../../lib/editor/inputs/literal-checks";
import { defineFieldNode } from "../../lib/editor/nodes/define-field-node";
import { RESULT_PROPERTIES } from "../../lib/editor/outputs/result-properties";
import { SEND_OUTPUTS } from "../../lib/editor/outputs/send-outputs";
import {
  defaultLimit,
  LIMIT_RANGES,
  MEDIA_FIELDS,
  MEDIA_KINDS,
  MEDIA_OUTPUTS,
  MEDIA_SETTINGS,
  type Place,
  placeOf,
} from "./shared/media-fields";
import { hasPortBehind, outcomePorts } from "../../lib/shared/outcome-ports";
import { foldersBelow, isOwnFileName, isOwnFolderName, isStoreFileName } from "../../lib/shared/own-files";

const texts = nodeTexts("messaging-media-transfer");

const currentPlace = (node: EditedNode): Place =>
  placeOf(currentValue(node, "kind"), { to: currentValue(node, "to"), from: currentValue(node, "from") });

const FIELDS = fieldProperties(MEDIA_FIELDS, texts, { mediaId: checkUuid, contentType: checkMediaType });

const savesFiles = (node: EditedNode): boolean =>
  currentValue(node, "kind") === "download" && currentValue(node, "to") === "file";

/** Folders below the user directory that downloads use, if the dialog can know them. */
function getFolders(
  node: EditedNode,
  folder: unknown = currentValue(node, "folder"),
): readonly string[] | null {
  return savesFiles(node) && currentValue(node, "folderSource") === "str"
    ? foldersBelow(String(folder ?? ""))
    : null;
}

const isInUserDir = (node: EditedNode): boolean =>
  getFolders(node)?.length === 0 && String(currentValue(node, "folder")).trim() !== "";

function findFolderFault(folder: string, node: EditedNode): string | null {
  const [first] = getFolders(node, folder) ?? [];
  return first !== undefined && isOwnFolderName(first) ? texts("fault.ownFolder", { folder: first }) : null;
}

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

const guarded = (
  name: "folder" | "saveAs",
  findFault: (value: string, node: EditedNode) => string | null,
): PropertyDefinition =>
  alsoChecked(
    FIELDS[name] as PropertyDefinition,
    check(() => texts(`field.${name}`), findFault),
  );

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
  outputs: { value: MEDIA_OUTPUTS },
};

/** Only downloads have the output for messages without a file. */
function prepareOutputs({ input }: Dialog): void {
  const outputs = input("outputs");
  const behind = outputs.find("option[value=5], option[value=7]");
  let taken = false;
  const update = (): void => {
    const isDownload = input("kind").val() === "download";
    const chosen = Number(outputs.val());
    behind.prop("disabled", !isDownload).prop("hidden", !isDownload);
    if (!isDownload && hasPortBehind(chosen)) {
      taken = true;
      outputs.val(outcomePorts(chosen)).trigger("change");
    } else if (isDownload && taken) {
      taken = false;
      outputs.val(outcomePorts(chosen) + 1).trigger("change");
    }
  };
  input("kind").on("change", update);
  update();
}

RED.nodes.registerType(
  "messaging-media-transfer",
  defineFieldNode("messaging-media-transfer", MEDIA_FIELDS, {
    color: PALETTE.media,
    defaults,
    ...SEND_OUTPUTS,
    outputs: MEDIA_OUTPUTS,
    outputLabel: (node, index) =>
      index === outcomePorts(node.outputs) ? texts("port.noFile") : SEND_OUTPUTS.outputLabel(node, index),
    describe(node) {
      const source = node.kind === "download" ? "mediaId" : node.from === "file" ? "path" : "content";
      return texts(`label.${String(node.kind)}`, {
        what: describeSource(node[`${source}Source`], node[source]),
      });
    },
    prepare(dialog: Dialog) {
      const { node, input, watch } = dialog;
      prepareOutputs(dialog);
      watch(() => {
        const limit = defaultLimit(currentValue(node, "kind"), currentPlace(node));
        input("limit").attr("placeholder", String(limit));
      });
    },
  }),
);
