import { createRequire } from "node:module";
import type { NodeAPI } from "node-red";

/** To be loaded first: nodes in the test helper get the hooks of messages that each real Node-RED gives them. */
export function giveHooks(RED: NodeAPI): void {
  const { hooks } = createRequire(require.resolve("node-red"))("@node-red/util") as Pick<NodeAPI, "hooks">;
  Object.assign(RED, { hooks });
}
