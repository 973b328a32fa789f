import { watchConditions } from "../dialog/conditional-rows";
import { type Dialog, openDialog } from "../dialog/dialog";
import { type DescribeSetting, openGroupsInUse } from "../dialog/groups";
import type { EditedNode, NodeDefinition } from "../dialog/node-definition";
import { CATEGORY, addPaletteWords } from "../dialog/palette";
import { nodeTexts } from "../dialog/texts";
import { accountOf, isInMemory } from "../inputs/account/account-property";
import { withAccount } from "../inputs/account/account-label";
import { watchFaults } from "../inputs/faults";
import { preselectAccount, preselectInDialog } from "../inputs/account/preselect-account";

/** What is special about a node of this package. */
export interface NodeKind extends Pick<NodeDefinition, "defaults" | "credentials" | "align"> {
  readonly color: string;
  /** One where it is left out. */
  readonly inputs?: 0;
  readonly outputs: number;
  /** What the node is called without a name of its own. */
  readonly describe: (node: EditedNode) => string;
  readonly outputLabel?: (node: EditedNode, index: number) => string;
  /** The node was dragged in, pasted or imported. */
  readonly added?: (node: EditedNode) => void;
  /** What the summary of a folded group says of a setting; without it groups have no summaries. */
  readonly describeSetting?: (node: EditedNode) => DescribeSetting;
  /** Prepares what conditions of rows and groups look at. */
  readonly begin?: (dialog: Dialog) => void;
  /** Prepares the rows of the form. */
  readonly prepare?: (dialog: Dialog) => void;
  /** Called before the dialog is saved. Gives what the editor needs to undo it. */
  readonly saved?: (node: EditedNode) => { history?: object[] };
}

/** Sets the number of outputs that the dialog saves. */
export function saveOutputs(outputs: number): { history?: object[] } {
  $("#node-input-outputs").val(outputs);
  return {};
}

/**
 * The definition of a node for the editor. Its label, help and palette follow from its type; elements of its form with `data-in-memory`
 * are shown while the chosen account keeps its messages in memory.
 */
export function defineNode(type: string, kind: NodeKind): NodeDefinition {
  const { defaults, credentials, describe, outputLabel } = kind;
  const texts = nodeTexts(type);
  let dialog: Dialog | undefined;
  return {
    category: CATEGORY,
    color: kind.color,
    icon: `${type}.svg`,
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
      // A node that may do without an account has none on purpose.
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
