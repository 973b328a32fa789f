import type { NodeAPI, NodeDef } from "node-red";
import { ACCOUNT_VALUES } from "../../shared/fields/account-defaults";
import { withInitialValues } from "../../shared/fields/initial-values";
import { isVariable } from "../../shared/variable-name";
import type { WaitKind } from "../../shared/fields/wait-fields";
import { WEBHOOK_VALUES } from "../../shared/fields/webhook-defaults";

interface FlowEntry extends NodeDef {
  readonly account?: string;
  readonly kind?: string;
  readonly keepMessages?: string;
  readonly disabled?: boolean;
  readonly d?: boolean;
}

export type NeededEvents = "inbound" | "status";

export const neededEvents = (kind: WaitKind): NeededEvents => (kind === "reply" ? "inbound" : "status");

/** Checks only this Node-RED: with PostgreSQL, another one may have the webhook-in node. */
export function areEventsReceived(RED: NodeAPI, account: string, events: NeededEvents): boolean {
  const off = new Set<string>();
  const receivers: FlowEntry[] = [];
  let isShared = false;
  // In an instance of a subflow the account has the id of the instance before its own.
  const isAccount = (id: string | undefined): boolean =>
    id !== undefined && id !== "" && (id === account || account.endsWith(`-${id}`));
  // Only the instances of a subflow know the values of its properties.
  const mayBeAccount = (id = ""): boolean => isAccount(id) || isVariable(id);
  RED.nodes.eachNode((node) => {
    const entry = node as FlowEntry;
    if (entry.disabled === true) {
      off.add(entry.id);
    }
    if (entry.type === "messaging-account" && isAccount(entry.id)) {
      isShared ||= withInitialValues<FlowEntry>(ACCOUNT_VALUES, entry).keepMessages === "postgresql";
    }
    if (entry.type === "messaging-webhook-in" && entry.d !== true && mayBeAccount(entry.account)) {
      receivers.push(withInitialValues<FlowEntry>(WEBHOOK_VALUES, entry));
    }
  });
  return (
    isShared ||
    receivers.some(
      ({ kind, z }) => (kind === "status" ? "status" : "inbound") === events && !off.has(z ?? ""),
    )
  );
}
