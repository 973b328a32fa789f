import type { NodeAPI } from "node-red";
import { z } from "zod";
import { READ_QUEUE, SENDING_ACTIONS, type SendingView, WRITE_SENDING } from "../../shared/history";
import type { Account } from "../account/account";
import type { AccountStore } from "../store/open-store";
import { serveEditor } from "./editor-request";
import { withAccount } from "./store-request";

const PATH = "/messaging-account/:id/sending";

const nothing = z.strictObject({});

async function waitingOf(account: Account, store: AccountStore | null): Promise<number> {
  if (store === null) {
    return account.waiting;
  }
  const { ready, waiting } = await store.store.backlog.counts(store.account);
  return ready + waiting;
}

async function viewSending(account: Account, store: AccountStore | null): Promise<SendingView> {
  const { since, bySettings } = account.stop;
  return {
    stoppedSince: since === null ? null : new Date(since).toISOString(),
    stoppedBySettings: bySettings,
    waiting: await waitingOf(account, store),
  };
}

/** Serves to the sidebar whether an account sends, and the switch that stops it, for accounts with and without a store. */
export function serveSending(RED: NodeAPI): void {
  serveEditor(RED, `${PATH}/look`, nothing, (id) => withAccount(RED, id, viewSending), READ_QUEUE);
  for (const action of SENDING_ACTIONS) {
    serveEditor(
      RED,
      `${PATH}/${action}`,
      nothing,
      (id) =>
        withAccount(RED, id, async (account, store) => {
          await (action === "stop" ? account.stop.stop(store) : account.stop.goOn(store));
          return viewSending(account, store);
        }),
      WRITE_SENDING,
    );
  }
}
