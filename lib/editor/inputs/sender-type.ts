import { CHANNEL_OF_TYPE } from "../../shared/message-channel";
import type { EditedNode } from "../dialog/node-definition";
import { sharedTexts } from "../dialog/texts";

interface Option {
  readonly value: string;
  readonly label: string;
}

/** A send node by its label and its tab. */
function optionOf(node: EditedNode): Option {
  const tab = RED.nodes.workspace(String(node.z)) as { label?: string } | undefined;
  const label = RED.utils.getNodeLabel(node, node.id);
  return { value: node.id, label: tab?.label ? `${label} – ${tab.label}` : label };
}

/** Every send node of the flows in the editor, by label. */
const senders = (): readonly Option[] =>
  [...CHANNEL_OF_TYPE.keys()]
    .flatMap((type) => RED.nodes.filterNodes({ type }) as readonly EditedNode[])
    .map(optionOf)
    .sort((one, other) => one.label.localeCompare(other.label));

/**
 * The literal text of a field with the id of a send node: a list of the send nodes. An id that is none of them stays as it is; it
 * may be that of a deleted node, whose messages are still recorded.
 */
export function senderType(held: unknown) {
  const known = senders();
  const own = String(held ?? "");
  const isUnknown = own !== "" && known.every(({ value }) => value !== own);
  return {
    value: "str",
    label: sharedTexts("source.node"),
    icon: "fa fa-cube",
    options: [
      { value: "", label: sharedTexts("chooseNode") },
      ...known,
      ...(isUnknown ? [{ value: own, label: own }] : []),
    ],
  };
}
