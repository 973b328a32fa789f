import type { NodeAPI } from "node-red";
import { z } from "zod";
import { loadSqlite } from "../../store/engine/sqlite/sqlite-driver";
import { defaultFolder } from "../store/store-settings";
import { serveEditor } from "./editor-request";

const ROUTE = "/messaging-account/:id/storage";

/** What the dialog cannot know of this computer. */
interface StorageFacts {
  /** Absolute path of the folder of accounts that name none. */
  readonly folder: string;
  /** Whether this Node.js has SQLite, or the package that stands for it. */
  readonly sqlite: boolean;
}

/** Tells the dialog of an account where messages are kept unless it names a folder, and whether they can be. */
export function serveStorageFacts(RED: NodeAPI): void {
  serveEditor(RED, ROUTE, z.object({}), async (): Promise<StorageFacts> => {
    const sqlite = await loadSqlite().then(
      () => true,
      () => false,
    );
    return { folder: defaultFolder(RED.settings.userDir), sqlite };
  });
}
