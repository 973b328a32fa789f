import type { EditedNode } from "../dialog/node-definition";
import { currentValue, type Dialog } from "../dialog/dialog";
import { isInMemory } from "./account-property";

/** Whether the flows have a webhook that is told when people write to an account. */
function hasWebhook(account: string): boolean {
  let found = false;
  RED.nodes.eachNode((each) => {
    const node = each as EditedNode;
    const isOne = node.type === "webhook-in" && node.account === account && node.kind !== "status";
    found ||= isOne && node.d !== true && RED.nodes.workspace(String(node.z))?.disabled !== true;
    return true;
  });
  return found;
}

/** Prepares the hints below the choice of what becomes of a text outside the 24-hour window. */
export function watchWindow({ node, form, watch }: Dialog): void {
  const webhook = form.find("#messaging-window-webhook");
  const memory = form.find("#messaging-window-memory");
  const update = (): void => {
    const account = String(currentValue(node, "account") ?? "");
    webhook.toggle(RED.nodes.node(account)?.type === "messaging-account" && !hasWebhook(account));
    memory.toggle(isInMemory(account));
  };
  watch(update);
  update();
}
