import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";

export default function register(RED: NodeAPI): void {
  registerNode(RED, "messaging-message-wait", () => (require("./node") as typeof import("./node")).NODE);
}
