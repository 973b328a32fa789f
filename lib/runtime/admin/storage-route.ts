import type { NodeAPI } from "node-red";
import { z } from "zod";
import { loadSqlite } from "../../store/engine/sqlite/sqlite-driver";
import { Account } from "../account/account";
import { countWaiting } from "../store/previous-storage";
import { defaultFolder } from "../store/store-settings";
import { serveEditor } from "./editor-request";

const ROUTE = "/messaging-account/:id/storage";

interface StorageFacts {
  readonly folder: string;
  readonly sqlite: boolean;
  readonly waiting: number;
}

export function serveStorageFacts(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, "flows.write", z.object({}), async (id): Promise<StorageFacts> => {
    const sqlite = await loadSqlite().then(
      () => true,
      () => false,
    );
    const waiting = await countWaitingIn(RED, id).catch(() => 0);
    return { folder: defaultFolder(RED.settings.userDir), sqlite, waiting };
  });
}

/** @throws SetupError, StoreError */
async function countWaitingIn(RED: NodeAPI, id: string): Promise<number> {
  const opened = await Account.find(RED.nodes.getNode(id))?.store();
  return opened == null ? 0 : countWaiting(opened.store, opened.account);
}
