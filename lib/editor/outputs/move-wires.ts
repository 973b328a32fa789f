import type { EditedNode, Wire } from "../dialog/node-definition";

/** Moves wires with the meaning of their output and deletes those of removed meanings. @returns data for the editor's undo */
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
