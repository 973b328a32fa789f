import type { CsvRequest } from "../../../shared/csv";
import { EXPORT_COLUMNS, type ExportColumn } from "../../../shared/history/history";
import type { MessageRecord } from "../../../shared/history/message-record";
import { shownOutcome } from "../../../shared/outcomes";
import { CsvTable, csvFile } from "./csv-table";
import type { ExportPage } from "./history-view";
import { messageRecord } from "./message-record";

type NameOf = (node: string) => string | null;

/** The service counts the SMS of the whole request. */
const countSegments = (smsCount: number | null, recipients: number): number | null =>
  smsCount === null ? null : Math.round((smsCount / Math.max(1, recipients)) * 100) / 100;

interface Line {
  readonly record: MessageRecord;
  readonly table: CsvTable;
  readonly nameOf: NameOf;
  readonly recipients: number;
}

const nodeName = (name: string | null, { channel }: MessageRecord): string =>
  name === "" ? (channel === "Voice" ? "SMS" : channel) : (name ?? "");

/** Skipped messages show the rule instead of their outcome. */
const getOutcome = ({ outcome, statusName }: MessageRecord, table: CsvTable): string | null =>
  outcome !== null && table.isForPeople ? shownOutcome(outcome, statusName) : outcome;

const getReason = ({ statusName, statusMessage, meaning }: MessageRecord, table: CsvTable): string | null =>
  table.isForPeople ? (table.wordOf("reason", statusName ?? "") ?? statusMessage ?? meaning) : statusMessage;

const CELLS: Readonly<Record<ExportColumn, (line: Line) => string>> = {
  takenAt: ({ record, table }) => table.time(record.takenAt),
  recipient: ({ record, table }) => table.phone(record.recipient),
  name: ({ record, table }) => table.text(record.name),
  row: ({ record, table }) => table.count(record.row),
  channel: ({ record, table }) => table.text(table.wordOf("channel", record.channel) ?? record.channel),
  outcome: ({ record, table }) => table.word("outcome", getOutcome(record, table)),
  statusMessage: ({ record, table }) => table.text(getReason(record, table)),
  smsCount: ({ record, table, recipients }) => table.count(countSegments(record.smsCount, recipients)),
  delivery: ({ record, table }) => table.word("delivery", record.delivery),
  deliveryAt: ({ record, table }) => table.time(record.deliveryAt),
  state: ({ record, table }) => table.word("state", record.state),
  node: ({ record, table, nameOf }) => table.text(nodeName(nameOf(record.node), record)),
  clientMessageId: ({ record, table }) => table.text(record.clientMessageId),
  transferId: ({ record, table }) => table.text(record.transferId),
  statusCode: ({ record, table }) => table.count(record.statusCode),
  statusName: ({ record, table }) => table.text(record.statusName),
  attempts: ({ record, table }) => table.count(record.attempts),
  settledAt: ({ record, table }) => table.time(record.settledAt),
  settledBy: ({ record, table }) => table.word("settledBy", record.settledBy),
  simulated: ({ record, table }) => table.word("simulated", record.simulated),
  operation: ({ record, table }) => table.text(record.operation),
  nodeId: ({ record, table }) => table.text(record.node),
};

/** @param nameOf blank for a nameless node, null for a missing one */
export function toCsv(
  pages: AsyncIterable<ExportPage>,
  request: CsvRequest,
  nameOf: NameOf,
): AsyncIterable<string> {
  const table = new CsvTable(request);
  return csvFile(
    table,
    EXPORT_COLUMNS,
    pages,
    ({ entries }) => entries,
    (entry, { sizes }) => {
      const line = { record: messageRecord(entry), table, nameOf, recipients: sizes.get(entry.request) ?? 1 };
      return EXPORT_COLUMNS.map((column) => CELLS[column](line));
    },
  );
}
