import type { Node } from "node-red";

/** Survives deploys: the id, or in a subflow, whose ids change with each deploy, the path within the instance. */
export const getIdentity = (node: Pick<Node, "id" | "_path" | "_alias">): string =>
  node._alias === undefined ? node.id : (node._path ?? node.id);
