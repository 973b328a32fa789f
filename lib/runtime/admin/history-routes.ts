import type { NodeAPI } from "node-red";
import { z } from "zod";
import { findIdProblem } from "../../gateway/contract/well-formed";
import { CONVERSATION_PAGE, READ_CONVERSATIONS } from "../../shared/history/conversation-message";
import {
  EXPORT_COLUMNS,
  type HistoryAction,
  LONGEST_SEARCHED,
  READ_HISTORY,
  WRITE_HISTORY,
  WRITE_QUEUE,
} from "../../shared/history/history";
import { SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import type { Account } from "../account/account";
import { viewConversation } from "../store/history/conversation";
import { toCsv } from "../store/history/history-csv";
import { deleteNumber, filterOf, readLife, readHistory, searchHistory } from "../store/history/history-view";
import { type AgainAccount, planAgain, sendAgain } from "../store/history/send-again";
import { csvBody } from "./csv-body";
import { serveEditorFile } from "./editor-request";
import { serveStore, withStore } from "./store-request";

const getPath = (action: HistoryAction): string => `/messaging-account/:id/history/${action}`;

const searched = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST_SEARCHED)
  .refine((text) => findIdProblem(text) === null);
const time = z.int().min(0);
const query = z.strictObject({
  number: searched.exactOptional(),
  name: searched.exactOptional(),
  clientMessageId: searched.exactOptional(),
  transferId: searched.exactOptional(),
  node: searched.exactOptional(),
  outcome: z.enum(SHOWN_OUTCOMES as [ShownOutcome, ...ShownOutcome[]]).exactOptional(),
  from: time.exactOptional(),
  to: time.exactOptional(),
  job: time.exactOptional(),
});
const place = z.strictObject({
  sent: z.tuple([time, time, time]).nullable(),
  received: z.tuple([time, time]).nullable(),
});
const search = z.strictObject({ query, after: place.nullable() });
const message = z.strictObject({ request: time, place: time });
const exported = z.strictObject({ query, csv: csvBody(EXPORT_COLUMNS.length) });
const deletion = z.strictObject({ number: searched });
const talk = z.strictObject({ number: searched, most: z.int().min(1).max(CONVERSATION_PAGE.most) });
const planned = z.strictObject({ query });
const again = z.strictObject({ query, most: z.int().min(1) });
/** Sending again reads like the history and changes like the queue. */
const SEND_AGAIN = [READ_HISTORY, WRITE_QUEUE];

/** Searches are bodies of POSTs because numbers in addresses would get into the logs of proxies. */
export function serveHistory(RED: NodeAPI): void {
  serveStore(
    RED,
    getPath("search"),
    READ_HISTORY,
    search,
    (store, { query: asked, after }, account, forReader) =>
      searchHistory(store, filterOf(store, asked, account.defaultCountry), after, undefined, forReader),
  );
  serveStore(
    RED,
    getPath("message"),
    READ_HISTORY,
    message,
    (store, { request, place: at }, _account, forReader) => readLife(store, request, at, forReader),
  );
  serveEditorFile(RED, getPath("export"), READ_HISTORY, exported, (id, { query: asked, csv }) =>
    withStore(RED, id, async (store, { defaultCountry }) => {
      const filter = filterOf(store, asked, defaultCountry);
      const nameOf = (id: string): string | null => {
        const node = RED.nodes.getNode(id);
        return node ? (node.name ?? "") : null;
      };
      return { type: "text/csv; charset=utf-8", chunks: toCsv(readHistory(store, filter), csv, nameOf) };
    }),
  );
  serveStore(RED, getPath("plan-again"), SEND_AGAIN, planned, (store, { query: asked }, account) =>
    planAgain(store, filterOf(store, asked, account.defaultCountry), againAccount(account)),
  );
  serveStore(
    RED,
    getPath("send-again"),
    SEND_AGAIN,
    again,
    async (store, { query: asked, most }, account) => {
      const filter = filterOf(store, asked, account.defaultCountry);
      const done = await sendAgain(store, filter, againAccount(account), most).catch(
        async (error: unknown) => {
          await account.sending.sendStored().catch(() => {});
          throw error;
        },
      );
      await account.sending.sendStored();
      return done;
    },
  );
  serveStore(
    RED,
    getPath("conversation"),
    [READ_HISTORY, READ_CONVERSATIONS],
    talk,
    (store, { number, most }, account) => viewConversation(store, number, most, account.defaultCountry),
  );
  serveStore(RED, getPath("delete-number"), WRITE_HISTORY, deletion, (store, { number }, account) =>
    deleteNumber(store, number, account.defaultCountry),
  );
}

const againAccount = ({ nodes, destination }: Account): AgainAccount => ({
  nodes: nodes.identities,
  destination,
});
