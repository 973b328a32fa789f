import type { NodeAPI } from "node-red";
import { z } from "zod";
import { READ_QUEUE, SENDING_ACTIONS, type SendingView, WRITE_SENDING } from "../../shared/history/history";
import type { Account } from "../account/account";
import type { AccountStore } from "../store/open-store";
import { serveAccount } from "./store-request";

const PATH = "/messaging-account/:id/sending";

const nothing = z.strictObject({});

async function viewSending(account: Account, store: AccountStore | null): Promise<SendingView> {
  const { since, bySettings } = account.stop;
  const counts = await store?.store.backlog.counts(store.account);
  return {
    stoppedSince: since === null ? null : new Date(since).toISOString(),
    stoppedBySettings: bySettings,
    waiting: counts === undefined ? account.sending.waiting : counts.ready + counts.waiting,
  };
}

/** Serves to the sidebar whether an account sends, and the switch that stops it, for accounts with and without a store. */
export function serveSending(RED: NodeAPI): void {
  serveAccount(RED, `${PATH}/look`, READ_QUEUE, nothing, (account, _body, store) =>
    viewSending(account, store),
  );
  for (const action of SENDING_ACTIONS) {
    serveAccount(RED, `${PATH}/${action}`, WRITE_SENDING, nothing, async (account, _body, store) => {
      await (action === "stop" ? account.stop.stop(store) : account.stop.goOn(store));
      return viewSending(account, store);
    });
  }
}
