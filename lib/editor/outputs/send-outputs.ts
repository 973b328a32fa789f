import type { EditedNode } from "../dialog/node-definition";
import { moveWires } from "./move-wires";
import { matchingPorts, portLabel } from "./ports";

/** What the definitions of nodes have in common whose outputs are outcomes. */
export const SEND_OUTPUTS = {
  outputs: 4,
  outputLabel: (node: EditedNode, index: number): string => portLabel(node.outputs, index),
  /** Where another number of outputs is chosen, a wire from "rejected" must not become one from "try again". */
  saved(node: EditedNode): { history?: object[] } {
    const { outputs: before } = node;
    const after = Number($("#node-input-outputs").val());
    return before === after ? {} : moveWires(node, (port) => matchingPorts(before, after, port));
  },
};
