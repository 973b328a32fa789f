import type { CsvRequest } from "../../shared/csv";
import {
  REPORT_COLUMNS,
  REPORT_TOTALS,
  type Report,
  type ReportNode,
  type ReportQuery,
  type ReportReason,
  type ReportRow,
  type ReportStep,
  type ReportTable,
  type ReportTotals,
  type ReportView,
} from "../../shared/history/report";
import { inLanguage } from "../../texts/say";
import { CsvTable, csvFile } from "../store/history/csv-table";
import { countReport, type ReportStore } from "./count-report";
import { reportOf } from "./log-report";
import { reportPeriod } from "./report-period";

type ForReader = <Made>(make: () => Made) => Made;

/** Returns the report of a period as message-log emits it. @throws StoreError, NoPeriod; Busy for a full queue */
export async function viewReport(
  store: ReportStore,
  zone: string,
  query: ReportQuery,
  forReader: ForReader,
  isThere: () => boolean = () => true,
): Promise<ReportView> {
  const { step, channel, node, outcome } = query;
  const question = { ...reportPeriod(query, zone, Date.now()), step, channel, node, outcome };
  const counted = await countReport(store, question, zone, isThere);
  return { zone, report: forReader(() => reportOf(counted)) };
}

type NameOf = (node: string) => string | null;

const toTotals = (totals: ReportTotals, table: CsvTable): readonly string[] =>
  REPORT_TOTALS.map((each) => table.count(totals[each]));

/** Cells of each table in the order of its columns. */
const LINES: {
  readonly [Table in ReportTable]: (
    report: Report,
    table: CsvTable,
    nameOf: NameOf,
  ) => readonly (readonly string[])[];
} = {
  steps: ({ steps }, table) =>
    steps.map((step: ReportStep) => [
      table.time(step.from),
      ...toTotals(step, table),
      table.count(step.replies),
      table.count(step.optOuts),
    ]),
  rows: ({ rows }, table) =>
    rows.map(({ channel, outcome, delivery, count }: ReportRow) => [
      table.text(table.wordOf("channel", channel) ?? channel),
      table.word("outcome", outcome),
      table.word("delivery", delivery),
      table.count(count),
    ]),
  reasons: ({ reasons }, table) =>
    reasons.map(({ reason, count, advice, statusCode, statusName }: ReportReason) => [
      table.text(reason),
      table.count(count),
      table.text(advice),
      table.count(statusCode),
      table.text(statusName),
    ]),
  nodes: ({ nodes }, table, nameOf) =>
    nodes.map(({ node, ...totals }: ReportNode) => [
      table.text(nameOf(node)),
      ...toTotals(totals, table),
      table.text(node),
    ]),
};

/** @param nameOf name of a node; null if the node does not exist @throws StoreError, NoPeriod, Busy */
export async function reportCsv(
  store: ReportStore,
  zone: string,
  query: ReportQuery,
  table: ReportTable,
  csv: CsvRequest,
  nameOf: NameOf,
): Promise<AsyncIterable<string>> {
  const { report } = await viewReport(store, zone, query, (make) => inLanguage(csv.language, make));
  const written = new CsvTable(csv);
  return csvFile(
    written,
    REPORT_COLUMNS[table],
    onePage(LINES[table](report, written, nameOf)),
    (lines) => lines,
    (cells) => cells,
  );
}

async function* onePage<Page>(page: Page): AsyncGenerator<Page, void, undefined> {
  yield page;
}
