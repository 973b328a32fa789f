import type { EditedNode } from "../dialog/node-definition";
import { moveWires } from "./move-wires";
import { matchingPorts } from "./ports";

/**
 * Moves a send node's wires when the user chooses another number of outputs: a wire from "rejected" must not
 * become one from "try again".
 * @returns what the editor needs to undo it
 */
export function rewire(node: EditedNode, after: number): { history?: object[] } {
  const before = node.outputs;
  return before === after ? {} : moveWires(node, (port) => matchingPorts(before, after, port));
}
