import type { EditedNode } from "../../dialog/node-definition";
import { addReceiver, canAddReceiver } from "../../inputs/add-receiver";
import { hasReceiver } from "../../inputs/event-receivers";
import { accountLabel } from "../accounts/accounts";
import { button, el } from "../dom";
import { texts } from "../formatting";

/**
 * Says of an accepted message that no delivery report can arrive, where no node receives one, with a button that adds such a node.
 * @param account its id
 * @param beside the send node; null where the editor does not know it
 * @returns null where a report can arrive, and where the editor does not know the account
 */
export function missingReports(account: string, beside: EditedNode | null): HTMLElement | null {
  const known = RED.nodes.node(account) as EditedNode | null | undefined;
  if (known === null || known === undefined || hasReceiver(account, "status")) {
    return null;
  }
  const values = { account: accountLabel(account) };
  // Another Node-RED with the same database may have the node.
  if (known.keepMessages === "postgresql") {
    return el("p", "", texts("details.noReport.elsewhere", values));
  }
  const hint = el("div", "messaging-activity-no-report", el("p", "", texts("details.noReport.why", values)));
  if (beside !== null && canAddReceiver(beside)) {
    const add = button({ icon: "plus", text: texts("details.noReport.add") }, () => {
      addReceiver(beside, account, "status");
      const kind = known.service === "service" ? "real" : "simulator";
      hint.replaceChildren(el("p", "", texts(`details.noReport.added.${kind}`)));
    });
    add.disabled = !RED.user.hasPermission("flows.write");
    hint.append(add);
  }
  hint.setAttribute("role", "status");
  return hint;
}
