import type { EditedNode, Wire } from "../dialog/node-definition";

/**
 * Moves a node's wires when its outputs come to mean something else, so that each meaning still reaches the nodes
 * that it reached before. A meaning that is gone takes its wires along.
 * @param portsAfter the outputs that now have the meaning that an output had before
 * @returns what the editor needs to undo it
 */
export function moveWires(
  node: EditedNode,
  portsAfter: (before: number) => readonly number[],
): { history?: object[] } {
  const old = RED.nodes.filterLinks({ source: node });
  const moved = new Map<string, Wire>();
  for (const { sourcePort, target } of old) {
    for (const port of portsAfter(sourcePort)) {
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
