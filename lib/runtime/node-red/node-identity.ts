import type { Node } from "node-red";

/** Identifies a node across deploys. In a subflow the id of a node changes with each deploy, its path does not. */
export const identityOf = (node: Node): string => node._path ?? node.id;
