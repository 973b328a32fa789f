import { useEffect, useState } from "preact/hooks";
import { formatMoment } from "../../../lib/editor/dialog/locale";
import { READ_HISTORY } from "../../../lib/shared/history/history";
import {
  REPORT_TABLES,
  type ReportQuery,
  type ReportTable,
  type ReportView as ReportData,
} from "../../../lib/shared/history/report";
import { post, save } from "../shared/api";
import { CsvSelect, csvRequest, getCsvForm } from "../shared/csv";
import { DeliveryHint } from "../shared/delivery-hint";
import { failureText, texts } from "../shared/format";
import { Select } from "../shared/inputs";
import { accountLabel } from "../shared/nodes";
import { Button, Notice } from "../shared/parts";
import { type Said, useSaid } from "../shared/use-said";
import type { View, ViewProps } from "../shared/view";
import { ReportContent, Tiles } from "./report-content";
import { ReportForm } from "./report-form";
import { countOpen, getFileName, type ReportForm as Values, toReportQuery } from "./report-query";
import { getTableTexts } from "./report-tables";

const WEEK: Values = {
  period: "7-days",
  from: "",
  to: "",
  step: "day",
  channel: "",
  outcome: "",
  node: "",
};

const faultText = (failure: unknown): string => failureText(failure, "report.fault");

/** The period that was counted. */
function whenText({ report, zone }: ReportData): string {
  const moment = (at: string): string =>
    formatMoment(new Date(at), { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  return texts("report.when", { from: moment(report.from ?? report.to), to: moment(report.to), zone });
}

interface FileProps {
  readonly account: string;
  readonly query: ReportQuery;
  readonly view: ReportData;
}

/** Saves a table of the report. */
function SaveTable({ account, query, view }: FileProps) {
  const [table, setTable] = useState<ReportTable>("steps");
  const [csv, setCsv] = useState(getCsvForm);
  const { said, say, report } = useSaid();
  const saveFile = (): void => {
    say(texts("report.saving"));
    // The days of the table are those of the account.
    const input = { query, table, csv: csvRequest(csv, getTableTexts(table), view.zone) };
    const name = getFileName(accountLabel(account), table, view);
    void report(
      save(account, "report/export", input, name).then(() => ""),
      faultText,
    );
  };
  return (
    <>
      <div class="messaging-row">
        <Select
          label={texts("report.table.label")}
          options={REPORT_TABLES.map((each) => [each, texts(`report.table.${each}`)])}
          value={table}
          onChange={(value) => setTable(value as ReportTable)}
        />
        <CsvSelect form={csv} onChange={setCsv} />
        <Button icon="download" text="CSV" tip={texts("report.save")} onPress={saveFile} />
      </div>
      <Notice said={said} />
    </>
  );
}

function ShownReport({ account, query, view }: FileProps) {
  const { report } = view;
  const isFiltered = [query.channel, query.node, query.outcome].some((each) => each !== undefined);
  return (
    <>
      <div class="messaging-notice messaging-quiet">{whenText(view)}</div>
      {report.messages === 0 && <div class="messaging-notice">{texts("report.nothing")}</div>}
      <Tiles report={report} />
      {countOpen(report) > 0 && <DeliveryHint account={account} beside={null} />}
      <ReportContent view={view} query={query} />
      {isFiltered && <div class="messaging-notice messaging-quiet">{texts("report.wholeAccount")}</div>}
      <SaveTable account={account} query={query} view={view} />
    </>
  );
}

/** A report, or why there is none. */
type Counted = { readonly said: Said } | { readonly query: ReportQuery; readonly view: ReportData };

/** The results of the messages of a period. */
function ReportView({ account, isActive, deploys }: ViewProps) {
  const [values, setValues] = useState(WEEK);
  const [turn, setTurn] = useState(0);
  const [counted, setCounted] = useState<Counted | null>(null);
  const mayRead = RED.user.hasPermission(READ_HISTORY);
  useEffect(() => {
    if (!isActive || !mayRead) {
      return;
    }
    const query = toReportQuery(values);
    if (query === null) {
      setCounted({ said: { text: texts("report.choose"), isWrong: false } });
      return;
    }
    // The runtime does not count for a user who has left.
    const reading = new AbortController();
    setCounted({ said: { text: texts("report.counting"), isWrong: false } });
    post<ReportData>(account, "report/look", { query }, reading.signal).then(
      (view) => reading.signal.aborted || setCounted({ query, view }),
      (failure: unknown) =>
        reading.signal.aborted || setCounted({ said: { text: faultText(failure), isWrong: true } }),
    );
    return () => reading.abort();
  }, [account, isActive, deploys, values, turn]);
  if (!mayRead) {
    return <div class="messaging-notice">{texts("report.fault.denied")}</div>;
  }
  return (
    <>
      <ReportForm
        account={account}
        values={values}
        onChange={setValues}
        onRefresh={() => setTurn(turn + 1)}
      />
      <Notice said={counted !== null && "said" in counted ? counted.said : { text: "", isWrong: false }} />
      {counted !== null && "view" in counted && (
        <ShownReport account={account} query={counted.query} view={counted.view} />
      )}
    </>
  );
}

export const REPORT: View = { id: "report", label: "report.title", Component: ReportView };
