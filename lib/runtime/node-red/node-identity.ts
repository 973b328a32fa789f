import type { Node } from "node-red";

/**
 * Identifies a node across deploys, and moves to another tab: its id. In a subflow the id changes with each deploy, and the path of the node
 * in its instance does not; Node-RED gives paths to all nodes, with the tab in them.
 */
export const identityOf = (node: Pick<Node, "id" | "_path" | "_alias">): string =>
  node._alias === undefined ? node.id : (node._path ?? node.id);
