import type { NodeAPI } from "node-red";
import type { ZodType } from "zod";
import type { HistoryProblem } from "../../shared/history/history";
import { MessagingError, SetupError } from "../../shared/messaging-error";
import { StoreError } from "../../store/engine/store-error";
import { Account } from "../account/account";
import { Busy } from "../../shared/async/turns";
import { Gone, NoNumber } from "../store/history/history-view";
import type { AccountStore } from "../store/open-store";
import { HasNode } from "../store/history/queue-actions";
import type { Permission } from "./add-route";
import { type EditorAnswer, type ForReader, serveEditor } from "./editor-request";

const PROBLEMS = [
  [NoNumber, "number"],
  [Gone, "gone"],
  [Busy, "busy"],
  [HasNode, "has-node"],
] as const;

/** Returns the problem that a user can solve; throws other errors. */
export function problemOf(error: unknown): HistoryProblem {
  for (const [type, problem] of PROBLEMS) {
    if (error instanceof type) {
      return { error: problem };
    }
  }
  if (error instanceof SetupError && error.code === "ACCOUNT_CLOSED") {
    return { error: "not-running" };
  }
  // Readers learn the problem, but not the location of the messages.
  if (error instanceof StoreError) {
    return { error: "store", message: error.withoutPlace };
  }
  if (error instanceof MessagingError) {
    return { error: "store", message: error.message };
  }
  throw error;
}

/** Calls `use` with the store of a running account. Rejects only for unexpected errors. */
export async function withStore<Body>(
  RED: NodeAPI,
  id: string,
  use: (store: AccountStore, account: Account) => Promise<Body>,
): Promise<Body | HistoryProblem> {
  const account = Account.find(RED.nodes.getNode(id));
  if (account === null) {
    return { error: "not-running" };
  }
  try {
    return await use(await account.store(), account);
  } catch (error) {
    return problemOf(error);
  }
}

export function serveStore<Body>(
  RED: NodeAPI,
  path: string,
  permission: Permission,
  schema: ZodType<Body>,
  use: (store: AccountStore, body: Body, account: Account, forReader: ForReader) => Promise<EditorAnswer>,
): void {
  serveEditor(RED, path, permission, schema, (id, body, _onGone, forReader) =>
    withStore(RED, id, (store, account) => use(store, body, account, forReader)),
  );
}
