import type { NodeAPI } from "node-red";
import { object, string } from "zod";
import { type FileFactsAnswer, readFileFacts } from "../../gateway/http/file-facts";
import { Account } from "../account/account";
import { serveEditor } from "./editor-request";

const ROUTE = "/messaging-account/:id/file-facts";
/** ms; a person waits in front of the dialog. */
const TIMEOUT = 10_000;
/** Files that are asked for at the same time. */
const MOST = 4;
/** Characters of a URL. */
const LONGEST = 2_048;

const asked = object({ url: string().max(LONGEST) });

/** `busy`: too many at once. */
type Answer = FileFactsAnswer | { readonly error: "busy" };

/** Serves type and size of a file on the internet to the dialogs: nothing of its content. */
export function serveFileFacts(RED: NodeAPI): void {
  let running = 0;
  serveEditor(RED, ROUTE, "flows.write", asked, async (id, { url }): Promise<Answer> => {
    if (running >= MOST) {
      return { error: "busy" };
    }
    running++;
    try {
      const proxy = Account.find(RED.nodes.getNode(id))?.proxy ?? null;
      return await readFileFacts(url, { proxy, env: process.env, timeout: TIMEOUT });
    } finally {
      running--;
    }
  });
}
