import type { CsvForm } from "../../shared/csv";
import { LOG_CHANNELS, REPORT_STEPS } from "../../shared/fields/log-fields";
import { SHOWN_OUTCOMES, type ShownOutcome } from "../../shared/outcomes";
import {
  REPORT_PERIODS,
  REPORT_TABLES,
  type ReportPeriod,
  type ReportTable,
} from "../../shared/history/report";
import { senderChoices } from "../activity/accounts/accounts";
import { button, el, fillSelect, select, textInput } from "../activity/dom";
import { texts } from "../activity/formatting";
import { csvChoice } from "../history/csv-choice";
import { channelName } from "../history/wording";
import type { ReportForm } from "./report-model";

const options = (
  values: readonly string[],
  keyOf: (value: string) => string,
): readonly (readonly [string, string])[] => values.map((value) => [value, texts(keyOf(value))] as const);

/** What is counted, and how it is saved. @param read called when something else is chosen */
export function reportForm({ read, save }: { readonly read: () => void; readonly save: () => void }) {
  const row = (...children: readonly HTMLElement[]): HTMLElement =>
    el("div", "messaging-view-row", ...children);
  const date = (label: string): HTMLInputElement => {
    const input = textInput(label, read);
    input.type = "date";
    input.title = label;
    input.addEventListener("change", read);
    return input;
  };
  const [from, to] = [date(texts("report.from")), date(texts("report.to"))];
  const between = row(from, to);
  between.hidden = true;
  const period = select(
    texts("report.period.label"),
    options(REPORT_PERIODS, (each) => `report.period.${each}`),
    (chosen) => {
      between.hidden = chosen !== "between";
      read();
    },
  );
  period.value = "7-days" satisfies ReportPeriod;
  const step = select(
    texts("report.step.label"),
    options(REPORT_STEPS, (each) => `report.step.${each}`),
    read,
  );
  const channel = select(
    texts("report.channel"),
    [["", texts("report.anyChannel")], ...LOG_CHANNELS.map((each) => [each, channelName(each)] as const)],
    read,
  );
  const outcome = select(
    texts("history.outcome"),
    [["", texts("history.anyOutcome")], ...options(SHOWN_OUTCOMES, (each) => `result.${each}`)],
    read,
  );
  const node = select(texts("history.node"), [], read);
  const table = select(
    texts("report.table.label"),
    options(REPORT_TABLES, (each) => `report.table.${each}`),
  );
  const csv = csvChoice();
  const form = {
    element: el(
      "div",
      "messaging-report-form",
      row(period, step, button({ icon: "refresh", tip: texts("report.read") }, read)),
      between,
      row(channel, outcome),
      row(node),
    ),
    /** What saves it as a file. */
    file: row(table, csv, button({ icon: "download", text: "CSV", tip: texts("report.save") }, save)),
    /** Replaces the choice of nodes by the nodes of an account. */
    offerNodes: (account: string): void =>
      fillSelect(node, [
        ["", texts("history.anyNode")],
        ...senderChoices(account).map(({ id, label }) => [id, label] as const),
      ]),
    get table(): ReportTable {
      return table.value as ReportTable;
    },
    get csv(): CsvForm {
      return csv.value as CsvForm;
    },
    get values(): ReportForm {
      return {
        period: period.value as ReportPeriod,
        from: from.value,
        to: to.value,
        step: step.value as ReportForm["step"],
        channel: channel.value,
        outcome: outcome.value as ShownOutcome | "",
        node: node.value,
      };
    },
  };
  form.offerNodes("");
  return form;
}
