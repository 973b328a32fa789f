import type { NodeAPI } from "node-red";
import type { DigestConfig } from "../../lib/runtime/digest/digest-settings";
import { registerNode } from "../../lib/runtime/node-red/register-node";

export default function register(RED: NodeAPI): void {
  registerNode<DigestConfig>(RED, "messaging-message-digest", (node, config) => {
    const { DigestNode } =
      require("../../lib/runtime/digest/digest-node") as typeof import("../../lib/runtime/digest/digest-node");
    new DigestNode(RED, node, config);
  });
}
