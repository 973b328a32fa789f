import type { NodeAPI } from "node-red";
import { z } from "zod";
import {
  EXPORT_COLUMNS,
  type HistoryAction,
  type HistoryQuery,
  LONGEST_SEARCHED,
  READ_HISTORY,
  WRITE_HISTORY,
} from "../../shared/history";
import { OUTCOMES, type Outcome } from "../../shared/outcomes";
import { csvOf } from "../store/history/history-csv";
import { deleteNumber, filterOf, lifeOf, readHistory, searchHistory } from "../store/history/history-view";
import { serveEditor, serveEditorFile } from "./editor-request";
import { withStore } from "./store-request";

const pathOf = (action: HistoryAction): string => `/messaging-account/:id/history/${action}`;

const searched = z.string().trim().min(1).max(LONGEST_SEARCHED);
const time = z.int().min(0);
const query = z.strictObject({
  number: searched.optional(),
  clientMessageId: searched.optional(),
  transferId: searched.optional(),
  node: searched.optional(),
  outcome: z.enum(Object.keys(OUTCOMES) as [Outcome, ...Outcome[]]).optional(),
  from: time.optional(),
  to: time.optional(),
});
const place = z.tuple([time, time, time, time, time]);
const search = z.strictObject({ query, after: place.nullable() });
const message = z.strictObject({ request: time, place: time });
const exported = z.strictObject({
  query,
  /** In the language of the editor. */
  header: z.array(z.string().max(100)).length(EXPORT_COLUMNS.length),
});
const deletion = z.strictObject({ number: searched });

const queryOf = (parsed: z.infer<typeof query>): HistoryQuery =>
  Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== undefined));

/**
 * Serves the history to the sidebar: it finds messages with complete numbers, so each route takes a permission of its own.
 * Searches are the bodies of POSTs, for numbers in addresses would get into the logs of proxies.
 */
export function serveHistory(RED: NodeAPI): void {
  serveEditor(
    RED,
    pathOf("search"),
    search,
    (id, { query: parsed, after }) =>
      withStore(RED, id, (store, { defaultCountry }) =>
        searchHistory(store, filterOf(store, queryOf(parsed), defaultCountry), after),
      ),
    READ_HISTORY,
  );
  serveEditor(
    RED,
    pathOf("message"),
    message,
    (id, { request, place: at }) => withStore(RED, id, (store) => lifeOf(store, request, at)),
    READ_HISTORY,
  );
  serveEditorFile(
    RED,
    pathOf("export"),
    exported,
    (id, { query: parsed, header }) =>
      withStore(RED, id, async (store, { defaultCountry }) => {
        const filter = filterOf(store, queryOf(parsed), defaultCountry);
        const nameOf = (node: string): string => RED.nodes.getNode(node)?.name ?? "";
        return { type: "text/csv; charset=utf-8", chunks: csvOf(readHistory(store, filter), header, nameOf) };
      }),
    READ_HISTORY,
  );
  serveEditor(
    RED,
    pathOf("delete-number"),
    deletion,
    (id, { number }) =>
      withStore(RED, id, (store, { defaultCountry }) => deleteNumber(store, number, defaultCountry)),
    WRITE_HISTORY,
  );
}
