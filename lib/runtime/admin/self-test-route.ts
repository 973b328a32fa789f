import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import type { NodeAPI } from "node-red";
import { object } from "zod";
import { runSelfTest, type SelfTestCheck, type SelfTestTarget } from "../../webhook/self-test";
import { serveEditor } from "./editor-request";
import { WebhookNode } from "../webhook/webhook-node";

const ROUTE = "/messaging-account/webhook-in/:id/self-test";

interface SelfTestReport {
  readonly checks: readonly SelfTestCheck[];
  readonly error?: "not-running" | "node-off" | "path-taken";
}

export function serveSelfTests(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, "flows.write", object({}), async (id): Promise<SelfTestReport> => {
    const webhook = WebhookNode.of(RED.nodes.getNode(id));
    if (webhook === null) {
      return { checks: [], error: "not-running" };
    }
    const trouble = webhook.trouble?.code;
    if (trouble === "NO_HTTP" || trouble === "PATH_TAKEN") {
      // A call would reach another route or none.
      return { checks: [], error: trouble === "NO_HTTP" ? "node-off" : "path-taken" };
    }
    const { auth } = webhook.settings.gates;
    const checks = targets(RED, webhook).map((target) => runSelfTest(webhook.receiver, auth, target));
    return { checks: await Promise.all(checks) };
  });
}

function targets(RED: NodeAPI, webhook: WebhookNode): SelfTestTarget[] {
  const signInBefore = Boolean(RED.settings.httpNodeAuth);
  const origins = [
    ["local", localOrigin(RED.server)],
    ["public", webhook.settings.publicAddress || null],
  ] as const;
  return origins.flatMap(([where, origin]) =>
    origin === null ? [] : [{ where, url: origin + webhook.fullPath, signInBefore }],
  );
}

/** Returns the address of this Node-RED on its own computer; null if it listens on no port. */
function localOrigin(server: Server | undefined): string | null {
  const address = server?.address() as AddressInfo | string | null | undefined;
  if (server === undefined || typeof address !== "object" || address === null) {
    return null;
  }
  const scheme = "setSecureContext" in server ? "https" : "http";
  const isAny = address.address === "::" || address.address === "0.0.0.0";
  const host = isAny ? "127.0.0.1" : address.address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}
