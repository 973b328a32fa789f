import type { Node } from "node-red";

/** A name of a webhook that stays over restarts. Inside a subflow Node-RED makes new ids at each start. */
export const receiverName = (node: Node): string =>
  node._alias === undefined ? node.id : (node._path ?? node.id);
