import type { EditedNode, Wire } from "../dialog/node-definition";

/**
 * Moves a node's wires when the meaning of its outputs changes, so that each meaning keeps its target nodes. The wires
 * of a removed meaning are deleted.
 * @param portsAfter the outputs that now have the meaning of an earlier output
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
