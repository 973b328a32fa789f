import type { EditedNode } from "../dialog/node-definition";

const tabIsDisabled = ({ z }: EditedNode): boolean => RED.nodes.workspace(String(z))?.disabled === true;

const linked = ({ type, links }: EditedNode): EditedNode[] =>
  (type === "link out" || type === "link call") && Array.isArray(links)
    ? links.flatMap((id) => RED.nodes.node(String(id)) ?? [])
    : [];

/** Assumes that a message may take any path within a subflow. */
function inSubflow(type: string, isFound: (node: EditedNode) => boolean): boolean {
  const id = type.replace(/^subflow:/, "");
  let found = false;
  RED.nodes.eachNode((each) => {
    const node = each as EditedNode;
    found ||= node.z === id && node.d !== true && isFound(node);
    return !found;
  });
  return found;
}

/** Follows wires, links and subflows past enabled nodes. @param port from 0 @returns an instance for a node in a subflow */
export function nodeBehind(
  from: EditedNode,
  port: number,
  isFound: (node: EditedNode) => boolean,
): EditedNode | null {
  const targetsOf = (node: EditedNode): EditedNode[] =>
    RED.nodes
      .filterLinks({ source: node })
      .flatMap(({ sourcePort, target }) => (node !== from || sourcePort === port ? [target] : []));
  const seen = new Set<EditedNode>([from]);
  const queue = targetsOf(from);
  for (const node of queue) {
    if (seen.has(node) || node.d === true || tabIsDisabled(node)) {
      continue;
    }
    seen.add(node);
    if (isFound(node) || (node.type.startsWith("subflow:") && inSubflow(node.type, isFound))) {
      return node;
    }
    queue.push(...targetsOf(node), ...linked(node));
  }
  return null;
}
