import { isOurNode } from "../../../lib/editor/dialog/our-nodes";

/** In the browser's storage, as Node-RED keeps it. */
const OPENED = "messaging-tab-opened";

/** Opens the tab after the first deploy with a node of this package: once in a browser, whatever is deployed later. */
export function openOnce(open: () => void): void {
  const settings = RED.settings as unknown as {
    getLocal(key: string): string | null;
    setLocal(key: string, value: string): void;
  };
  RED.events.on("deploy", () => {
    if (settings.getLocal(OPENED) === null && hasOurNode()) {
      settings.setLocal(OPENED, "true");
      open();
    }
  });
}

function hasOurNode(): boolean {
  let found = false;
  RED.nodes.eachNode((node) => {
    found = isOurNode((node as { readonly type: string }).type);
    return !found;
  });
  return found;
}
