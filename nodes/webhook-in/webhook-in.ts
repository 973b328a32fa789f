import type { NodeAPI } from "node-red";
import { registerNode } from "../../lib/runtime/node-red/register-node";

export default function register(RED: NodeAPI): void {
  registerNode(RED, "messaging-webhook-in", () => (require("./node") as typeof import("./node")).NODE, {
    secret: { type: "password" },
    secondSecret: { type: "password" },
    username: { type: "text" },
    password: { type: "password" },
    secondPassword: { type: "password" },
  });
}
