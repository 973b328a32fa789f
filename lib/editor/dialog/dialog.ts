import { LaterRows } from "./later-rows";
import type { EditedNode } from "./node-definition";
import { installStyle } from "./style";
import css from "./style.css";

export interface Dialog {
  readonly node: EditedNode;
  readonly form: JQuery;
  /** Empty until the row of the property is shown. The node's value does not change until then. */
  readonly input: (property: string) => JQuery;
  /** Calls `update` at once and after each change of the form, once for simultaneous changes. */
  readonly watch: (update: () => void) => void;
  readonly beforeSave: (act: () => void) => void;
  /** Must be called when the editor saves the dialog. */
  readonly save: () => void;
  /** Builds an element when it is shown. Until then the editor neither checks nor saves the inputs of `properties`. */
  readonly whenShown: (element: JQuery, properties: readonly string[], build: () => void) => void;
  readonly buildShown: () => void;
}

/** Key of the form data with the node's id; removed together with the form. */
const OWNER = "messagingNode";

/** For checks, which cannot find the form in the page while another dialog covers it. */
const openDialogs = new Map<string, Dialog>();

export function openDialog(node: EditedNode, isConfig = false): Dialog {
  installStyle("messaging-dialog-style", css);
  const prefix = isConfig ? "node-config-input" : "node-input";
  const form = $(`#${prefix}-name`).closest("form");
  form.addClass("messaging-dialog").data(OWNER, node.id);
  // A narrow dialog cuts long choices. Delegated, because the editor rebuilds the list of accounts.
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
  // A microtask merges the changes of an opening dialog, and moves rows before the next click.
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

/** True while the dialog is open, also behind another one. */
export const isOpen = ({ node, form }: Dialog): boolean => form.data(OWNER) === node.id;

/** The editor passes only the checked property, so this reads other ones from dialog or node. */
export function currentValue(node: EditedNode, property: string): unknown {
  const dialog = openDialogs.get(node.id);
  const input = dialog !== undefined && isOpen(dialog) ? dialog.input(property) : null;
  if (input === null || input.length === 0) {
    return node[property];
  }
  return checkedOrValue(input);
}

export const checkedOrValue = (input: JQuery): unknown =>
  input.attr("type") === "checkbox" ? input.prop("checked") : input.val();

/** The element of a TypedInput gets pasted text only when it loses the focus. */
export const inputValue = (input: JQuery): string =>
  String((input.data("noderedTypedInput") ? input.typedInput("value") : input.val()) ?? "");

/** Works also while the property has no input. */
export function heldText({ node, input }: Dialog, property: string): string {
  const element = input(property);
  return element.length > 0 ? inputValue(element) : String(node[property] ?? "");
}
