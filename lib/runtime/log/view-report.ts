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

/** Runs what makes sentences, in the language of who reads them. */
type ForReader = <Made>(make: () => Made) => Made;

/**
 * The report of a period for the sidebar: the one that message-log gives to flows.
 * @param zone IANA name, whose days are counted
 * @param isThere asked when it is its turn: nothing is counted for who has left
 * @throws StoreError, NoPeriod; Busy where too many wait, and for who has left
 */
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

const totalsOf = (totals: ReportTotals, table: CsvTable): readonly string[] =>
  REPORT_TOTALS.map((each) => table.count(totals[each]));

/** The lines of each table, in the order of its columns. */
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
      ...totalsOf(step, table),
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
      ...totalsOf(totals, table),
      table.text(node),
    ]),
};

/**
 * A table of the same report as CSV. Titles are those of its columns, in their order.
 * @param nameOf name of a node; null where there is no such node
 * @throws StoreError, NoPeriod, Busy
 */
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
