import { currentValue } from "../../dialog/dialog";
import type { EditedNode, PropertyDefinition } from "../../dialog/node-definition";
import { check } from "../faults";
import { sharedTexts } from "../../dialog/texts";
import { accountsForTab } from "./tab-accounts";

export function findAccountFault(id: string, { z }: EditedNode): string | null {
  if (id === "" || id === "_ADD_") {
    const n = accountsForTab(z).length;
    return n > 1 ? sharedTexts("fault.account-unchosen", { n }) : sharedTexts("fault.account-missing");
  }
  const account = RED.nodes.node(id);
  if (!account) {
    return sharedTexts("fault.account-unknown");
  }
  if (account.d) {
    return sharedTexts("fault.account-disabled");
  }
  return account.valid === false ? sharedTexts("fault.account-invalid") : null;
}

export const ACCOUNT_PROPERTY: PropertyDefinition = {
  value: "",
  type: "messaging-account",
  validate: check(() => sharedTexts("field.account"), findAccountFault),
};

/** Id from the open dialog or the node; blank or `_ADD_` for none. */
export const accountOf = (node: EditedNode): string => String(currentValue(node, "account") ?? "");

export function isInMemory(id: string): boolean {
  return RED.nodes.node(id)?.keepMessages === "memory";
}
