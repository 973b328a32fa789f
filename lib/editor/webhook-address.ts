import { findPathFormFault, pathKey, webhookPath } from "../shared/webhook-path";
import type { Dialog } from "./dialog";
import type { EditedNode } from "./node-definition";
import type { Texts } from "./texts";
import { webhookUrl } from "./webhook-url";

const LOCAL = /^https?:\/\/(localhost|127\.|\[::1\]|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/i;

/** Why a path cannot be that of a webhook: its form, or another webhook of this editor that has it. */
export function findPathFault(typed: string, node: EditedNode, texts: Texts): string | null {
  const fault = findPathFormFault(typed.trim());
  if (fault !== null) {
    return texts(`fault.${fault}`);
  }
  // The id of a node in a subflow is another one in each use of the subflow.
  if (typed.trim() === "" && RED.nodes.subflow(String(node.z))) {
    return texts("fault.path-subflow");
  }
  const own = pathKey(webhookPath(typed, node.id));
  let owner: EditedNode | null = null;
  RED.nodes.eachNode((other) => {
    const { id, type, d, path } = other as unknown as EditedNode;
    if (type === "webhook-in" && id !== node.id && !d && pathKey(webhookPath(path as string, id)) === own) {
      owner = other as unknown as EditedNode;
    }
    return true;
  });
  const found = owner as EditedNode | null;
  return found === null ? null : texts("fault.path-taken", { name: found.name || found.id });
}

/** Keeps the address to register up to date with what the dialog holds. */
export function watchWebhookUrl(
  { node, form, input }: Dialog,
  url: JQuery,
  reach: JQuery,
  texts: Texts,
): void {
  const text = (name: string): string => String(input(name).val() ?? "");
  const update = (): void => {
    const address = webhookUrl({
      publicAddress: text("publicAddress"),
      origin: window.location.origin,
      httpNodeRoot: (RED.settings as unknown as { httpNodeRoot?: string | false }).httpNodeRoot,
      path: text("path"),
      nodeId: node.id,
      secret: text("auth") === "query" ? text("secret") : null,
    });
    url.val(address);
    const isGuess = text("publicAddress").trim() === "";
    const account = RED.nodes.node(text("account"));
    if (account !== null && account !== undefined && account.service !== "service") {
      reach.text(texts("hint.simulated"));
      return;
    }
    reach.text(texts(LOCAL.test(address) ? "hint.local" : isGuess ? "hint.guess" : "hint.url"));
  };
  form.on("input change keyup", update);
  update();
}
