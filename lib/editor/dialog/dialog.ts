import { LaterRows } from "./later-rows";
import type { EditedNode } from "./node-definition";
import { installStyle } from "./style";

/** The open edit dialog of one node. */
export interface Dialog {
  readonly node: EditedNode;
  readonly form: JQuery;
  /** The input of a property; empty while its row waits to be shown: what the node holds then stays as it is. */
  readonly input: (property: string) => JQuery;
  /** Calls `update` after each change of the form, once for all that changes at a time. */
  readonly watch: (update: () => void) => void;
  /**
   * Calls `build` once the element is shown: at once, or when its group is unfolded or its conditions hold. Until
   * then the inputs of `properties` are hidden from the editor, which neither checks nor saves them.
   */
  readonly whenShown: (element: JQuery, properties: readonly string[], build: () => void) => void;
  /** Builds what has come into sight since. */
  readonly buildShown: () => void;
}

/** Marks the form with the node's id, as data that goes when the editor takes the form away for good. */
const OWNER = "messagingNode";

/**
 * The dialog opened last, for checks. They cannot look for its form in the page: the editor takes it out for as long
 * as another dialog lies above it.
 */
let latest: Dialog | null = null;

/** Takes over the form of a node whose dialog is being prepared. */
export function openDialog(node: EditedNode, isConfig = false): Dialog {
  installStyle();
  const prefix = isConfig ? "node-config-input" : "node-input";
  const form = $(`#${prefix}-name`).closest("form");
  form.addClass("messaging-dialog").data(OWNER, node.id);
  latest = makeDialog(node, form, prefix);
  return latest;
}

function makeDialog(node: EditedNode, form: JQuery, prefix: string): Dialog {
  const root = form[0] as HTMLElement;
  const found = new Map<string, JQuery>();
  const input = (property: string): JQuery => {
    const known = found.get(property);
    // Checks ask for the same inputs over and over; the editor replaces some of them.
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
  let due = false;
  const dialog: Dialog = {
    node,
    form,
    input,
    watch: (update) => void watchers.push(update),
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
  // Has the editor check the new inputs, and brings up to date what watches the form.
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

/** Whether the dialog is still there, be it under another one. */
export const isOpen = ({ node, form }: Dialog): boolean => form.data(OWNER) === node.id;

/**
 * A property's value as a check must see it: what the open dialog shows, else what the node holds. The editor
 * hands a check only the value of its own property.
 */
export function currentValue(node: EditedNode, property: string): unknown {
  const input = latest !== null && latest.form.data(OWNER) === node.id ? latest.input(property) : null;
  if (input === null || input.length === 0) {
    return node[property];
  }
  return input.attr("type") === "checkbox" ? input.prop("checked") : input.val();
}

/**
 * What an input of the open dialog holds, whether or not it has been made a TypedInput. A TypedInput's own element
 * learns of pasted text only when the user leaves it.
 */
export const inputValue = (input: JQuery): string =>
  String((input.data("noderedTypedInput") ? input.typedInput("value") : input.val()) ?? "");

/** What a property of an open dialog's node is set to as a text, also while it has no input. */
export function heldText({ node, input }: Dialog, property: string): string {
  const element = input(property);
  return element.length > 0 ? inputValue(element) : String(node[property] ?? "");
}
