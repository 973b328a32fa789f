import assert from "node:assert/strict";
import { toCsv } from "../../../../../lib/runtime/store/history/history-csv";
import { readHistory } from "../../../../../lib/runtime/store/history/history-view";
import type { CsvForm, CsvRequest } from "../../../../../lib/shared/csv";
import { EXPORT_COLUMNS, type ExportColumn } from "../../../../../lib/shared/history/history";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { answerOf } from "../../../../../lib/gateway/queue/stored-content";
import { csvRequest } from "../../../../support/csv/csv-request";
import { readCsv } from "../../../../support/csv/read-csv";
import { answered, takeJob } from "../../../store/suite/store-under-test";
import { useAccountStore } from "../account-store";

const HEADER = EXPORT_COLUMNS.map((column) => (column === "recipient" ? "=Empfänger" : column));
const WORDS = {
  "outcome.sent": "gesendet",
  "outcome.skipped": "ausgelassen",
  "reason.OPTED_OUT": "abgemeldet",
  "state.done": "erledigt",
  "settledBy.response": "Antwort",
  "simulated.false": "nein",
};
const SEPARATORS: Readonly<Record<CsvForm, string>> = { semicolon: ";", comma: ",", programs: "," };

describe("the export of a history", () => {
  const use = useAccountStore();

  async function textOf(form: CsvForm, given: Partial<CsvRequest> = {}): Promise<string> {
    const zone = "Europe/Berlin";
    const request = csvRequest({ form, zone, language: "de", header: HEADER, words: WORDS, ...given });
    let text = "";
    for await (const chunk of toCsv(readHistory(use(), { account: "a1" }), request, (id) => `node ${id}`)) {
      text += chunk;
    }
    return text;
  }
  type Row = Readonly<Record<ExportColumn, string>>;
  async function rowsOf(form: CsvForm, given: Partial<CsvRequest> = {}): Promise<readonly Row[]> {
    const [, ...rows] = readCsv(await textOf(form, given), SEPARATORS[form]);
    return rows.map(
      (cells) => Object.fromEntries(EXPORT_COLUMNS.map((column, at) => [column, cells[at] ?? ""])) as Row,
    );
  }

  /** A message to two that was sent as three SMS, and one to somebody who has opted out. */
  async function two(): Promise<void> {
    const { store, instances } = use();
    const requests = [
      { clientMessageId: "=cmd()", recipients: ["41790000001", "41790000009"] },
      { clientMessageId: "0012", recipients: ["41790000002"] },
    ];
    const [sent = 0, skipped = 0] = await takeJob(store, requests, { channel: "SMS" });
    await store.claims.claim("a1", instances.id, 2);
    const verdict = { ...localVerdict("OPTED_OUT"), recipients: [] };
    await store.settlements.settle(instances.id, [
      answered(sent, { transferId: "t;1", answer: '{"statusCode":2000,"smsCount":3}' }),
      answered(skipped, {
        outcome: verdict.outcome,
        transferId: null,
        answer: answerOf("sms.simple", verdict, false),
      }),
    ]);
  }

  it("uses the reader's language and local time, and keeps the plus of numbers", async () => {
    await two();
    const [skipped, sent] = await rowsOf("semicolon");
    assert.match(sent?.takenAt ?? "", /^\d\d\.\d\d\.20\d\d \d\d:\d\d:\d\d$/);
    const { recipient, channel, outcome, state, node, clientMessageId, transferId, settledBy } = sent!;
    assert.deepEqual(
      [recipient, channel, outcome, state, node, clientMessageId, transferId, settledBy],
      ["+41 790000001", "SMS", "gesendet", "erledigt", "node n1", "'=cmd()", "t;1", "Antwort"],
    );
    assert.deepEqual([sent?.smsCount, sent?.simulated], ["1,5", "nein"]);
    assert.deepEqual(
      [skipped?.recipient, skipped?.outcome, skipped?.statusMessage, skipped?.clientMessageId],
      ["+41 790000002", "ausgelassen", "abgemeldet", '="0012"'],
    );
  });

  it("has for programs what flows have", async () => {
    await two();
    const [skipped, sent] = await rowsOf("programs");
    assert.equal(new Date(sent?.takenAt ?? "").toISOString(), sent?.takenAt);
    assert.deepEqual(
      [sent?.recipient, sent?.outcome, sent?.state, sent?.settledBy, sent?.simulated],
      ["+41790000001", "sent", "done", "response", "false"],
    );
    assert.deepEqual(
      [skipped?.outcome, skipped?.statusName, skipped?.clientMessageId],
      ["rejected", "OPTED_OUT", "0012"],
    );
  });

  it("goes through all pages", async () => {
    const recipients = Array.from({ length: 1_201 }, (_, at) => String(41790000000 + at));
    await takeJob(use().store, [{ recipients }]);
    const rows = await rowsOf("programs");
    assert.deepEqual(
      rows.map(({ recipient }) => recipient.slice(1)),
      recipients,
    );
  });
});
