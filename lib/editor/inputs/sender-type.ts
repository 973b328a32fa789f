import { CHANNEL_OF_TYPE } from "../../shared/message-channel";
import type { EditedNode } from "../dialog/node-definition";
import { sharedTexts } from "../dialog/texts";

interface Option {
  readonly value: string;
  readonly label: string;
}

function toOption(node: EditedNode): Option {
  const tab = RED.nodes.workspace(String(node.z)) as { label?: string } | undefined;
  const label = RED.utils.getNodeLabel(node, node.id);
  return { value: node.id, label: tab?.label ? `${label} – ${tab.label}` : label };
}

const senders = (): readonly Option[] =>
  [...CHANNEL_OF_TYPE.keys()]
    .flatMap((type) => RED.nodes.filterNodes({ type }) as readonly EditedNode[])
    .map(toOption)
    .sort((one, other) => one.label.localeCompare(other.label));

/** Lists the send nodes. An unknown id stays: it may be a deleted node with recorded messages. */
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
