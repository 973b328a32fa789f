import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { EditedNode } from "../../../lib/editor/dialog/node-definition";
import { hasReceiver } from "../../../lib/editor/inputs/event-receivers";
import { addReceiver, canAddReceiver } from "../../../lib/editor/inputs/add-receiver";
import { texts } from "./format";
import { accountLabel } from "./nodes";
import { Button } from "./parts";

/** True if no node of the flows receives the delivery reports of an account. */
const lacksReports = (account: string): boolean =>
  RED.nodes.node(account) != null && !hasReceiver(account, "status");

interface DeliveryHintProps {
  readonly account: string;
  /** The send node; null if the editor does not have it. */
  readonly beside: EditedNode | null;
  /** Shown if a report can arrive. */
  readonly children?: ComponentChildren;
}

/** Says that no delivery report can arrive, with a button that adds a node which receives them. */
export function DeliveryHint({ account, beside, children }: DeliveryHintProps) {
  const [isLacking] = useState(() => lacksReports(account));
  const [isAdded, setAdded] = useState(false);
  if (!isLacking) {
    return <>{children}</>;
  }
  const values = { account: accountLabel(account) };
  const node = RED.nodes.node(account);
  // Another Node-RED with the same database may have the node.
  if (node?.keepMessages === "postgresql") {
    return <p>{texts("details.noReport.elsewhere", values)}</p>;
  }
  if (isAdded) {
    const kind = node?.service === "service" ? "real" : "simulator";
    return <p role="status">{texts(`details.noReport.added.${kind}`)}</p>;
  }
  return (
    <div class="messaging-no-report" role="status">
      <p>{texts("details.noReport.why", values)}</p>
      {beside !== null && canAddReceiver(beside) && (
        <Button
          icon="plus"
          text={texts("details.noReport.add")}
          disabled={!RED.user.hasPermission("flows.write")}
          onPress={() => {
            addReceiver(beside, account, "status");
            setAdded(true);
          }}
        />
      )}
    </div>
  );
}
