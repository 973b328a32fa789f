import { LaterRows } from "./later-rows";
import type { EditedNode } from "./node-definition";
import { installStyle } from "./style";
import css from "./style.css";

export interface Dialog {
  readonly node: EditedNode;
  readonly form: JQuery;
  /** The input of a property; empty until its row is shown. The value of the node does not change until then. */
  readonly input: (property: string) => JQuery;
  /** Calls `update` now, and after each change of the form, once for several changes at the same time. */
  readonly watch: (update: () => void) => void;
  /** Calls `act` before the editor saves the dialog. */
  readonly beforeSave: (act: () => void) => void;
  /** Has to be called when the editor saves the dialog. */
  readonly save: () => void;
  /**
   * Calls `build` once the element is shown: at once, or when its group is unfolded or its conditions hold. Until
   * then the inputs of `properties` are hidden from the editor, which neither checks nor saves them.
   */
  readonly whenShown: (element: JQuery, properties: readonly string[], build: () => void) => void;
  /** Builds the rows that have become visible. */
  readonly buildShown: () => void;
}

/** Key of the form data with the node's id; the data is removed together with the form. */
const OWNER = "messagingNode";

/**
 * The open dialogs by their node, for checks. They cannot search the page for a form: the editor removes it while another dialog covers
 * it, such as that of the account.
 */
const openDialogs = new Map<string, Dialog>();

/** Prepares the form of a node whose dialog is opening. */
export function openDialog(node: EditedNode, isConfig = false): Dialog {
  installStyle("messaging-dialog-style", css);
  const prefix = isConfig ? "node-config-input" : "node-input";
  const form = $(`#${prefix}-name`).closest("form");
  form.addClass("messaging-dialog").data(OWNER, node.id);
  // A narrow dialog cuts long choices. Delegated, because the editor builds the list of accounts anew.
  form.on("mouseenter", ".form-row > select, #node-input-account", ({ currentTarget }) => {
    const select = $(currentTarget as HTMLElement);
    select.attr("title", select.find("option:selected").text());
  });
  for (const [id, other] of openDialogs) {
    if (!isOpen(other)) {
      openDialogs.delete(id);
    }
  }
  const dialog = makeDialog(node, form, prefix);
  openDialogs.set(node.id, dialog);
  return dialog;
}

function makeDialog(node: EditedNode, form: JQuery, prefix: string): Dialog {
  const root = form[0] as HTMLElement;
  const found = new Map<string, JQuery>();
  const input = (property: string): JQuery => {
    const known = found.get(property);
    // Checks request the same inputs often; the editor replaces some of them.
    if (known !== undefined && root.contains(known[0] as Element)) {
      return known;
    }
    const fresh = $(root.querySelector(`#${prefix}-${property}`) ?? []) as JQuery;
    if (fresh.length > 0) {
      found.set(property, fresh);
    }
    return fresh;
  };
  const watchers: (() => void)[] = [];
  const savers: (() => void)[] = [];
  let due = false;
  const dialog: Dialog = {
    node,
    form,
    input,
    watch(update) {
      watchers.push(update);
      update();
    },
    beforeSave: (act) => void savers.push(act),
    save() {
      for (const act of savers) {
        act();
      }
    },
    whenShown(element, properties, build) {
      const inputs = properties.map((property) => [property, input(property)] as const);
      const isBuilt = later.add(element[0] as Element, () => {
        for (const [property, each] of inputs) {
          each.attr("id", `${prefix}-${property}`);
        }
        build();
      });
      if (!isBuilt) {
        for (const [property, each] of inputs) {
          found.delete(property);
          each.removeAttr("id");
        }
      }
    },
    buildShown: () => void (later.buildShown() && shown()),
  };
  // Makes the editor check the new inputs, and calls the watchers of the form.
  const shown = (): void => void input("name").trigger("change");
  const later = new LaterRows(root, shown);
  // While a dialog opens, the editor reports a change of every property. In a microtask, which comes before the next
  // event: rows that move when the user leaves an input would slip away under the click.
  form.on("input change keyup", () => {
    if (!due) {
      due = true;
      queueMicrotask(() => {
        due = false;
        if (isOpen(dialog)) {
          for (const update of watchers) {
            update();
          }
        }
      });
    }
  });
  return dialog;
}

/** Whether the dialog is open, also while another one covers it. */
export const isOpen = ({ node, form }: Dialog): boolean => form.data(OWNER) === node.id;

/**
 * The value of a property for a check: from the open dialog, else from the node. The editor passes only the value of
 * the checked property.
 */
export function currentValue(node: EditedNode, property: string): unknown {
  const dialog = openDialogs.get(node.id);
  const input = dialog !== undefined && isOpen(dialog) ? dialog.input(property) : null;
  if (input === null || input.length === 0) {
    return node[property];
  }
  return checkedOrValue(input);
}

/** Whether a check box is checked; the value of any other input. */
export const checkedOrValue = (input: JQuery): unknown =>
  input.attr("type") === "checkbox" ? input.prop("checked") : input.val();

/**
 * The value of an input of the open dialog, TypedInput or not. The element of a TypedInput gets pasted text only when
 * it loses the focus.
 */
export const inputValue = (input: JQuery): string =>
  String((input.data("noderedTypedInput") ? input.typedInput("value") : input.val()) ?? "");

/** The value of a property of an open dialog as text, also while it has no input. */
export function heldText({ node, input }: Dialog, property: string): string {
  const element = input(property);
  return element.length > 0 ? inputValue(element) : String(node[property] ?? "");
}
