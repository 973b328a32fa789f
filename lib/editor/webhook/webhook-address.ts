import { isPlainHttp } from "../../shared/network/address-fault";
import { findPathFormFault } from "../../shared/network/webhook-path";
import type { Dialog } from "../dialog/dialog";
import { isLocalAddress } from "./local-address";
import type { EditedNode } from "../dialog/node-definition";
import { findPathOwner, type PathNode } from "./path-owner";
import type { Texts } from "../dialog/texts";
import { HIDDEN_SECRET, webhookUrl } from "./webhook-url";

/** Checks the form, and other webhooks of this editor with the same path. */
export function findPathFault(typed: string, node: EditedNode, texts: Texts): string | null {
  const fault = findPathFormFault(typed.trim());
  if (fault !== null) {
    return texts(`fault.${fault}`);
  }
  // Each instance of a subflow gives its nodes new ids.
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

export interface AddressElements {
  readonly url: JQuery;
  readonly reach: JQuery;
  readonly plain: JQuery;
}

/** @param secret returns the secret, or null while it is hidden */
export function watchWebhookUrl(
  { node, form, input }: Dialog,
  { url, reach, plain }: AddressElements,
  secret: () => string | null,
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
      secret: text("auth") === "query" ? (secret() ?? HIDDEN_SECRET) : null,
    });
    url.val(address);
    const isGuess = text("publicAddress").trim() === "";
    const account = RED.nodes.node(text("account"));
    const simulated = account !== null && account !== undefined && account.service !== "service";
    plain.toggle(!simulated && text("auth") !== "none" && isPlainHttp(address));
    if (simulated) {
      reach.text(texts("hint.simulated"));
      return;
    }
    reach.text(texts(isLocalAddress(address) ? "hint.local" : isGuess ? "hint.guess" : "hint.url"));
  };
  form.on("input change keyup", update);
  update();
}
