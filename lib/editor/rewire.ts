import type { EditedNode, Wire } from "./node-definition";
import { matchingPorts } from "./ports";

/**
 * Moves a node's wires when the user chooses another number of outputs, so that each outcome still reaches the
 * nodes it reached before: a wire from "rejected" must not become one from "try again".
 * @returns what the editor needs to undo it
 */
export function rewire(node: EditedNode, after: number): { history?: object[] } {
  const before = node.outputs;
  const old = RED.nodes.filterLinks({ source: node });
  if (before === after || old.length === 0) {
    return {};
  }
  const moved = new Map<string, Wire>();
  for (const { sourcePort, target } of old) {
    for (const port of matchingPorts(before, after, sourcePort)) {
      moved.set(`${port} ${target.id}`, { source: node, sourcePort: port, target });
    }
  }
  const links = [...moved.values()];
  for (const wire of old) {
    RED.nodes.removeLink(wire);
  }
  for (const wire of links) {
    RED.nodes.addLink(wire);
  }
  return {
    history: [
      { t: "delete", links: old },
      { t: "add", links },
    ],
  };
}
