import { watchConditions } from "../dialog/conditional-rows";
import { type Dialog, openDialog } from "../dialog/dialog";
import { type DescribeSetting, openGroupsInUse } from "../dialog/groups";
import type { EditedNode, NodeDefinition } from "../dialog/node-definition";
import { CATEGORY, addPaletteWords } from "../dialog/palette";
import { nodeName, nodeTexts } from "../dialog/texts";
import { accountOf, isInMemory } from "../inputs/account/account-property";
import { withAccount } from "../inputs/account/account-label";
import { watchFaults } from "../inputs/faults";
import { preselectAccount, preselectInDialog } from "../inputs/account/preselect-account";

export interface NodeKind extends Pick<NodeDefinition, "defaults" | "credentials" | "align"> {
  readonly color: string;
  readonly inputs?: 0;
  readonly outputs: number;
  readonly describe: (node: EditedNode) => string;
  readonly outputLabel?: (node: EditedNode, index: number) => string;
  readonly added?: (node: EditedNode) => void;
  /** Without it, groups have no summaries. */
  readonly describeSetting?: (node: EditedNode) => DescribeSetting;
  /** Prepares the values that conditions of rows and groups read. */
  readonly begin?: (dialog: Dialog) => void;
  readonly prepare?: (dialog: Dialog) => void;
  /** Returns data for the editor's undo. */
  readonly saved?: (node: EditedNode) => { history?: object[] };
}

export function saveOutputs(outputs: number): { history?: object[] } {
  $("#node-input-outputs").val(outputs);
  return {};
}

/** Defines a node. Elements with `data-in-memory` are shown while the chosen account is in memory. */
export function defineNode(type: string, kind: NodeKind): NodeDefinition {
  const { defaults, credentials, describe, outputLabel } = kind;
  const texts = nodeTexts(type);
  let dialog: Dialog | undefined;
  return {
    category: CATEGORY,
    color: kind.color,
    icon: `${nodeName(type)}.svg`,
    defaults,
    ...(credentials && { credentials }),
    inputs: kind.inputs ?? 1,
    outputs: kind.outputs,
    ...(kind.align && { align: kind.align }),
    paletteLabel: () => texts("palette"),
    onpaletteadd: () => addPaletteWords(type),
    label() {
      return withAccount(this.name || describe(this), this);
    },
    ownLabel() {
      return this.name || describe(this);
    },
    labelStyle() {
      return this.name ? "node_label_italic" : "";
    },
    ...(outputLabel && {
      outputLabels(index) {
        return outputLabel(this, index);
      },
    }),
    onadd() {
      if (defaults.account !== undefined) {
        preselectAccount(this);
      }
      kind.added?.(this);
    },
    oneditprepare() {
      const opened = openDialog(this);
      dialog = opened;
      // A node with an optional account has none on purpose.
      if (defaults.account !== undefined && defaults.account.required !== false) {
        preselectInDialog(opened);
      }
      kind.begin?.(opened);
      watchConditions(opened);
      openGroupsInUse(opened, defaults, kind.describeSetting?.(this));
      kind.prepare?.(opened);
      watchFaults(opened, { ...defaults, ...credentials });
      const memory = opened.form.find("[data-in-memory]");
      opened.watch(() => void memory.toggle(isInMemory(accountOf(this))));
    },
    oneditsave() {
      dialog?.save();
      return kind.saved?.(this);
    },
  };
}
