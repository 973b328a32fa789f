import type { NodeAPI } from "node-red";
import { z } from "zod";
import {
  READ_QUEUE,
  SENDING_ACTIONS,
  type SendingAction,
  type SendingView,
  WRITE_SENDING,
} from "../../shared/history/history";
import type { Account } from "../account/account";
import { refusalSentence } from "../account/refusal-texts";
import type { AccountStore } from "../store/open-store";
import { refusedCallsOf } from "../webhook/refused-calls";
import { serveStore } from "./store-request";

const PATH = "/messaging-account/:id/sending";

const nothing = z.strictObject({});

const ACTIONS: Readonly<Record<SendingAction, (account: Account, store: AccountStore) => unknown>> = {
  stop: ({ stop }, store) => stop.stop(store),
  "go-on": ({ stop }, store) => stop.goOn(store),
  resume: ({ sending }) => sending.resume(),
};

async function viewSending(
  RED: NodeAPI,
  { stop, sending }: Account,
  { store, account }: AccountStore,
): Promise<SendingView> {
  const { since, bySettings } = stop;
  const { ready, waiting } = await store.backlog.counts(account);
  return {
    stoppedSince: since === null ? null : new Date(since).toISOString(),
    stoppedBySettings: bySettings,
    refused: sending.refused.map(refusalSentence),
    waiting: ready + waiting,
    refusedCalls: refusedCallsOf(RED).view(account),
  };
}

export function serveSending(RED: NodeAPI): void {
  serveStore(RED, `${PATH}/look`, READ_QUEUE, nothing, (store, _body, account) =>
    viewSending(RED, account, store),
  );
  for (const action of SENDING_ACTIONS) {
    serveStore(RED, `${PATH}/${action}`, WRITE_SENDING, nothing, async (store, _body, account) => {
      await ACTIONS[action](account, store);
      return viewSending(RED, account, store);
    });
  }
}
