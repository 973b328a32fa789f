import type { Node, NodeAPI } from "node-red";
import { ACCOUNT_VALUES } from "../../shared/fields/account-defaults";
import { withInitialValues } from "../../shared/fields/initial-values";
import { variableName } from "../../shared/variable-name";
import { getConfigs } from "../node-red/get-configs";
import { defaultFolder, resolveFolder, type StoreConfig } from "../store/store-settings";

/** Lists the store folders of all accounts, also of disabled ones and of those in subflows, and the initial folder. */
export function storeFolders(RED: NodeAPI): readonly string[] {
  const { userDir } = RED.settings;
  const folders = getConfigs<StoreConfig>(RED, "messaging-account").map((config) => {
    const { storeFolder } = withInitialValues<StoreConfig>(ACCOUNT_VALUES, config);
    return resolveFolder(resolved(RED, config.id, String(storeFolder)).trim(), userDir);
  });
  return [...new Set([defaultFolder(userDir), ...folders])];
}

/** The saved configuration has variables that Node-RED replaces in the running node only. */
function resolved(RED: NodeAPI, id: string, typed: string): string {
  const variable = variableName(typed);
  if (variable === null) {
    return typed;
  }
  // An account that does not run, such as a disabled one, has the variables of the process.
  return String(RED.util.getSetting(RED.nodes.getNode(id) as Node, variable) ?? "");
}
