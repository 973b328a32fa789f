import { findPathFormFault } from "../shared/webhook-path";
import type { Dialog } from "./dialog";
import type { EditedNode } from "./node-definition";
import { findPathOwner, type PathNode } from "./path-owner";
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
  const nodes: PathNode[] = [];
  RED.nodes.eachNode((other) => {
    nodes.push(other as unknown as PathNode);
    return true;
  });
  const owner = findPathOwner(typed, node.id, nodes);
  return owner === null ? null : texts("fault.path-taken", { name: String(owner.name || owner.id) });
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
