import type { Node, NodeAPI } from "node-red";
import { withInitialValues } from "../../shared/fields/initial-values";
import { variableName } from "../../shared/variable-name";
import { configsOf } from "../node-red/configs-of";
import { defaultFolder, folderOf, type StoreConfig } from "../store/store-settings";

/**
 * The absolute folders in which accounts of the deployed flows keep messages, or kept them before they were set to another place; disabled
 * accounts and those in subflows among them. The initial folder is always one of them.
 */
export function storeFolders(RED: NodeAPI): readonly string[] {
  const { userDir } = RED.settings;
  const folders = configsOf<StoreConfig>(RED, "messaging-account").map((config) => {
    const { storeFolder } = withInitialValues<StoreConfig>("messaging-account", config);
    return folderOf(resolved(RED, config.id, String(storeFolder)).trim(), userDir);
  });
  return [...new Set([defaultFolder(userDir), ...folders])];
}

/** The configuration as it is saved has variables that Node-RED replaces in the running node only. */
function resolved(RED: NodeAPI, id: string, typed: string): string {
  const variable = variableName(typed);
  if (variable === null) {
    return typed;
  }
  // An account that does not run, such as a disabled one, has the variables of the process.
  return String(RED.util.getSetting(RED.nodes.getNode(id) as Node, variable) ?? "");
}
