import type { NodeAPI } from "node-red";
import { z } from "zod";
import { OPT_OUT_SCOPES } from "../../shared/fields/opt-out-fields";
import { LONGEST_SEARCHED } from "../../shared/history/history";
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
import { csvBody } from "./csv-body";
import { serveEditorFile } from "./editor-request";
import { serveStore, withStore } from "./store-request";

const getPath = (action: OptOutAction): string => `/messaging-account/:id/opt-outs/${action}`;

const number = z.string().trim().min(1).max(LONGEST_SEARCHED);
const nothing = z.strictObject({});
const page = z.strictObject({ after: z.string().regex(/^\d{0,15}$/) });
const one = z.strictObject({ number });
const addition = z.strictObject({ number, scope: z.enum(OPT_OUT_SCOPES) });
const exported = z.strictObject({ csv: csvBody(OPT_OUT_COLUMNS.length) });

/** Numbers are in bodies of POSTs because addresses get into the logs of proxies. */
export function serveOptOuts(RED: NodeAPI): void {
  serveStore(RED, getPath("count"), COUNT_OPT_OUTS, nothing, countOptOuts);
  serveStore(RED, getPath("list"), READ_OPT_OUTS, page, (_store, { after }, account) =>
    listOptOuts(account, after),
  );
  serveStore(RED, getPath("find"), READ_OPT_OUTS, one, (_store, body, account) =>
    findOptOut(account, body.number),
  );
  serveStore(RED, getPath("add"), WRITE_OPT_OUTS, addition, (_store, body, account) =>
    addOptOut(account, body.number, body.scope),
  );
  serveStore(RED, getPath("remove"), WRITE_OPT_OUTS, one, (_store, body, account) =>
    removeOptOut(account, body.number),
  );
  serveEditorFile(RED, getPath("export"), READ_OPT_OUTS, exported, (id, { csv }) =>
    withStore(RED, id, async (_store, account) => ({
      type: "text/csv; charset=utf-8",
      chunks: optOutsCsv(await account.optOuts(), csv),
    })),
  );
}
