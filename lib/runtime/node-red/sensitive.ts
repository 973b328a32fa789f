import type { NodeMessage } from "node-red";

/** Whether no readable text of a message may be in the store: `msg.sensitive` is `true`, and not only a value that counts as true. */
export const isSensitive = (msg: NodeMessage): boolean =>
  (msg as { readonly sensitive?: unknown }).sensitive === true;
