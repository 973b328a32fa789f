import type { NodeAPI } from "node-red";
import { z } from "zod";
import { LOG_CHANNELS, REPORT_STEPS } from "../../shared/fields/log-fields";
import { LONGEST_SEARCHED, READ_HISTORY } from "../../shared/history/history";
import { SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import {
  REPORT_COLUMNS,
  REPORT_PERIODS,
  REPORT_TABLES,
  type ReportAction,
  type ReportFault,
  type ReportTable,
} from "../../shared/history/report";
import { NoPeriod } from "../report/report-period";
import { reportCsv, viewReport } from "../report/view-report";
import { csvBody } from "./csv-body";
import { serveEditor, serveEditorFile } from "./editor-request";
import { withStore } from "./store-request";

const getPath = (action: ReportAction): string => `/messaging-account/:id/report/${action}`;

/** Four digits, because some calendars read years before 1000 as two digits. */
const date = z.iso.date().regex(/^[1-9]/);
const query = z.strictObject({
  period: z.enum(REPORT_PERIODS),
  from: date.exactOptional(),
  to: date.exactOptional(),
  step: z.enum(REPORT_STEPS),
  channel: z.enum(LOG_CHANNELS).exactOptional(),
  node: z.string().trim().min(1).max(LONGEST_SEARCHED).exactOptional(),
  outcome: z.enum(SHOWN_OUTCOMES as [ShownOutcome, ...ShownOutcome[]]).exactOptional(),
});
const asked = z.strictObject({ query });
const exported = z.union(
  REPORT_TABLES.map((table) =>
    z.strictObject({
      query,
      table: z.literal<ReportTable>(table),
      csv: csvBody(REPORT_COLUMNS[table].length),
    }),
  ),
);

/** Turns an impossible period into a response; throws other errors. */
const orNoPeriod = <Body>(answer: Promise<Body>): Promise<Body | { readonly error: ReportFault }> =>
  answer.catch((error: unknown) => {
    if (error instanceof NoPeriod) {
      return { error: error.fault };
    }
    throw error;
  });

export function serveReport(RED: NodeAPI): void {
  serveEditor(RED, getPath("look"), READ_HISTORY, asked, (id, body, onGone, forReader) => {
    let isGone = false;
    onGone(() => {
      isGone = true;
    });
    return withStore(RED, id, (store, { zone }) =>
      orNoPeriod(viewReport(store, zone, body.query, forReader, () => !isGone)),
    );
  });
  serveEditorFile(RED, getPath("export"), READ_HISTORY, exported, (id, body) =>
    withStore(RED, id, (store, { zone }) => {
      const nameOf = (node: string): string | null => RED.nodes.getNode(node)?.name ?? null;
      return orNoPeriod(
        reportCsv(store, zone, body.query, body.table, body.csv, nameOf).then((chunks) => ({
          type: "text/csv; charset=utf-8",
          chunks,
        })),
      );
    }),
  );
}
