import type { EditedNode } from "./node-definition";
import { installStyle } from "./style";

/** The open edit dialog of one node. */
export interface Dialog {
  readonly node: EditedNode;
  readonly form: JQuery;
  /** The input of a property. */
  readonly input: (property: string) => JQuery;
}

/** Marks the form with the node's id, so that checks find the dialog of their own node and no other's. */
const OWNER = "data-messaging-node";

const prefixOf = (isConfig: boolean): string => (isConfig ? "node-config-input" : "node-input");

/** Takes over the form of a node whose dialog is being prepared. */
export function openDialog(node: EditedNode, isConfig = false): Dialog {
  installStyle();
  const prefix = prefixOf(isConfig);
  const form = $(`#${prefix}-name`).closest("form");
  form.addClass("messaging-dialog").attr(OWNER, node.id);
  return { node, form, input: (property) => form.find(`#${prefix}-${property}`) };
}

/**
 * A property's value as a check must see it: what the open dialog shows, else what the node holds. The editor
 * hands a check only the value of its own property.
 */
export function currentValue(node: EditedNode, property: string): unknown {
  const form = $(`form[${OWNER}="${node.id}"]`);
  const input = form.find(`#${prefixOf(true)}-${property}, #${prefixOf(false)}-${property}`);
  if (input.length === 0) {
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
