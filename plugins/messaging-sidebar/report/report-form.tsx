import { LOG_CHANNELS, REPORT_STEPS } from "../../../lib/shared/fields/log-fields";
import { REPORT_PERIODS } from "../../../lib/shared/history/report";
import { SHOWN_OUTCOMES } from "../../../lib/shared/outcomes";
import { channelName, texts } from "../shared/format";
import { type Options, Select, TextInput } from "../shared/inputs";
import { getSenders } from "../shared/nodes";
import { Button } from "../shared/parts";
import type { ReportForm as Values } from "./report-query";

interface ReportFormProps {
  readonly account: string;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly onRefresh: () => void;
}

/** The period of a report and its filters. */
export function ReportForm({ account, values, onChange, onRefresh }: ReportFormProps) {
  const select = (key: keyof Values, label: string, options: Options) => (
    <Select
      label={texts(label)}
      options={options}
      value={values[key]}
      onChange={(value) => onChange({ ...values, [key]: value })}
    />
  );
  const date = (key: "from" | "to") => (
    <TextInput
      type="date"
      label={texts(`report.${key}`)}
      value={values[key]}
      onInput={(value) => onChange({ ...values, [key]: value })}
    />
  );
  const toOptions = (list: readonly string[], group: string): Options =>
    list.map((each) => [each, texts(`${group}.${each}`)]);
  return (
    <div class="messaging-form">
      <div class="messaging-row">
        {select("period", "report.period.label", toOptions(REPORT_PERIODS, "report.period"))}
        {select("step", "report.step.label", toOptions(REPORT_STEPS, "report.step"))}
        <Button icon="refresh" tip={texts("report.read")} onPress={onRefresh} />
      </div>
      {values.period === "between" && (
        <div class="messaging-row">
          {date("from")}
          {date("to")}
        </div>
      )}
      <div class="messaging-row">
        {select("channel", "report.channel", [
          ["", texts("report.anyChannel")],
          ...LOG_CHANNELS.map((each) => [each, channelName(each)] as const),
        ])}
        {select("outcome", "history.outcome", [
          ["", texts("history.anyOutcome")],
          ...toOptions(SHOWN_OUTCOMES, "result"),
        ])}
        {select("node", "history.node", [["", texts("history.anyNode")], ...getSenders(account)])}
      </div>
    </div>
  );
}
