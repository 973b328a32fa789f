import type { NodeMessage } from "node-red";

/** Only `true` counts, not other truthy values: the store then contains no readable text of the message. */
export const isSensitive = (msg: NodeMessage): boolean =>
  (msg as { readonly sensitive?: unknown }).sensitive === true;
