import type { NodeAPI } from "node-red";
import { z } from "zod";
import { OPT_OUT_SCOPES } from "../../shared/fields/opt-out-fields";
import { LONGEST_SEARCHED } from "../../shared/history";
import {
  COUNT_OPT_OUTS,
  OPT_OUT_COLUMNS,
  type OptOutAction,
  READ_OPT_OUTS,
  WRITE_OPT_OUTS,
} from "../../shared/opt-outs";
import {
  addOptOut,
  countOptOuts,
  findOptOut,
  listOptOuts,
  optOutsCsv,
  removeOptOut,
} from "../opt-outs/opt-outs-view";
import { serveEditor, serveEditorFile } from "./editor-request";
import { withAccount } from "./store-request";

const pathOf = (action: OptOutAction): string => `/messaging-account/:id/opt-outs/${action}`;

const number = z.string().trim().min(1).max(LONGEST_SEARCHED);
const nothing = z.strictObject({});
const page = z.strictObject({ after: z.string().regex(/^\d{0,15}$/) });
const one = z.strictObject({ number });
const addition = z.strictObject({ number, scope: z.enum(OPT_OUT_SCOPES) });
const exported = z.strictObject({
  /** In the language of the editor. */
  header: z.array(z.string().max(100)).length(OPT_OUT_COLUMNS.length),
});

/**
 * Serves the opt-outs to the sidebar. How many there are takes permission to read flows; the list has complete numbers, so that looking at it and
 * changing it take permissions of their own. Numbers are in the bodies of POSTs: those in addresses would get into the logs of proxies.
 */
export function serveOptOuts(RED: NodeAPI): void {
  serveEditor(RED, pathOf("count"), nothing, (id) => withAccount(RED, id, countOptOuts), COUNT_OPT_OUTS);
  serveEditor(
    RED,
    pathOf("list"),
    page,
    (id, { after }) => withAccount(RED, id, (account) => listOptOuts(account, after)),
    READ_OPT_OUTS,
  );
  serveEditor(
    RED,
    pathOf("find"),
    one,
    (id, body) => withAccount(RED, id, (account) => findOptOut(account, body.number)),
    READ_OPT_OUTS,
  );
  serveEditor(
    RED,
    pathOf("add"),
    addition,
    (id, body) => withAccount(RED, id, (account) => addOptOut(account, body.number, body.scope)),
    WRITE_OPT_OUTS,
  );
  serveEditor(
    RED,
    pathOf("remove"),
    one,
    (id, body) => withAccount(RED, id, (account) => removeOptOut(account, body.number)),
    WRITE_OPT_OUTS,
  );
  serveEditorFile(
    RED,
    pathOf("export"),
    exported,
    (id, { header }) =>
      withAccount(RED, id, async (account) => ({
        type: "text/csv; charset=utf-8",
        chunks: optOutsCsv(await account.optOuts(), header),
      })),
    READ_OPT_OUTS,
  );
}
