import type { EditedNode } from "./node-definition";
import { installStyle } from "./style";

/** The open edit dialog of one node. */
export interface Dialog {
  readonly node: EditedNode;
  readonly form: JQuery;
  /** The input of a property. */
  readonly input: (property: string) => JQuery;
}

/** Marks the form with the node's id, as data that goes when the editor takes the form away for good. */
const OWNER = "messagingNode";

/**
 * The form opened last, for checks. They cannot look for it in the page: the editor takes it out for as long as
 * another dialog lies above it.
 */
let latest: JQuery | null = null;

const prefixOf = (isConfig: boolean): string => (isConfig ? "node-config-input" : "node-input");

/** Takes over the form of a node whose dialog is being prepared. */
export function openDialog(node: EditedNode, isConfig = false): Dialog {
  installStyle();
  const prefix = prefixOf(isConfig);
  const form = $(`#${prefix}-name`).closest("form");
  form.addClass("messaging-dialog").data(OWNER, node.id);
  latest = form;
  return { node, form, input: (property) => form.find(`#${prefix}-${property}`) };
}

/** Whether the dialog is still there, be it under another one. */
export const isOpen = ({ node, form }: Dialog): boolean => form.data(OWNER) === node.id;

/**
 * A property's value as a check must see it: what the open dialog shows, else what the node holds. The editor
 * hands a check only the value of its own property.
 */
export function currentValue(node: EditedNode, property: string): unknown {
  const form = latest?.data(OWNER) === node.id ? latest : null;
  const input = form?.find(`#${prefixOf(true)}-${property}, #${prefixOf(false)}-${property}`);
  if (input === undefined || input.length === 0) {
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
