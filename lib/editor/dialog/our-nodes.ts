import { MODULE } from "./texts";

/** Whether a node type is of this package. Config nodes are as well. */
export const isOurNode = (type: string): boolean => {
  const definition = RED.nodes.getType(type) as { readonly set?: { readonly module?: string } } | undefined;
  return definition?.set?.module === MODULE;
};
