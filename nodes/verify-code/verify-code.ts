import type { NodeAPI } from "node-red";
import type { VerifyCodeConfig } from "../../lib/runtime/codes/code-node";
import { registerNode } from "../../lib/runtime/node-red/register-node";

export default function register(RED: NodeAPI): void {
  registerNode<VerifyCodeConfig>(RED, "messaging-verify-code", (node, config) => {
    const { CodeNode } =
      require("../../lib/runtime/codes/code-node") as typeof import("../../lib/runtime/codes/code-node");
    new CodeNode(RED, node, config);
  });
}
