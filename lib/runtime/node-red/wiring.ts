import type { Node, NodeAPI } from "node-red";

/** Follows junctions. Reads the wires each time, because a deploy can rewire a node without restarting it. */
export function isPortWired(RED: NodeAPI, node: Node, port: number): boolean {
  const seen = new Set<string>();
  const heard = (ids: readonly string[]): boolean =>
    ids.some((id) => {
      if (seen.has(id)) {
        return false;
      }
      seen.add(id);
      const target = RED.nodes.getNode(id);
      if (!target) {
        return false;
      }
      return target.type === "junction" ? heard(target.wires?.[0] ?? []) : true;
    });
  return heard(node.wires?.[port] ?? []);
}
