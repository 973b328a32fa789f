import type { NodeAPI } from "node-red";
import type { AcquireSimulator } from "../../lib/runtime/account/simulator-link";
import { serveAdminLate } from "../../lib/runtime/admin/serve-admin-late";
import { registerNode } from "../../lib/runtime/node-red/register-node";
import type { localWebhookRule } from "../../lib/runtime/webhook/local-webhook";

export default function register(RED: NodeAPI): void {
  let mayCallBack: ReturnType<typeof localWebhookRule> | undefined;
  // An account at the real service never loads the simulator.
  const acquireSimulator: AcquireSimulator = async (id) => {
    const { localWebhookRule } =
      require("../../lib/runtime/webhook/local-webhook") as typeof import("../../lib/runtime/webhook/local-webhook");
    const { loopbackEndpoint } =
      require("../../lib/runtime/simulator/loopback-endpoint") as typeof import("../../lib/runtime/simulator/loopback-endpoint");
    const { acquireBuiltIn } =
      require("../../simulator/built-in") as typeof import("../../simulator/built-in");
    mayCallBack ??= localWebhookRule(RED);
    return acquireBuiltIn(id, mayCallBack, loopbackEndpoint.headers);
  };
  registerNode(
    RED,
    "messaging-account",
    () => (require("./node") as typeof import("./node")).accountNode(acquireSimulator),
    {
      username: { type: "text" },
      password: { type: "password" },
      accessToken: { type: "password" },
      clientId: { type: "text" },
      clientSecret: { type: "password" },
      storeUrl: { type: "password" },
    },
  );
  // A connection test may open a store although no account is deployed.
  serveAdminLate(RED, acquireSimulator, () => void require("../../use-features"));
}
