import { READ_HISTORY } from "../../shared/history/history";
import type { ReportQuery, ReportView } from "../../shared/history/report";
import { AccountPicker } from "../activity/accounts/account-picker";
import { accountLabel } from "../activity/accounts/accounts";
import type { ChosenAccount } from "../activity/accounts/chosen-account";
import { el } from "../activity/dom";
import { missingReports } from "../activity/entries/delivery-hint";
import { texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { RequestFailure } from "../activity/request";
import type { SidebarView } from "../activity/sidebar-view";
import { formatMoment } from "../dialog/locale";
import { installStyle } from "../dialog/style";
import { offerFile } from "../history/history-link";
import { failureText } from "../history/wording";
import { showNewest } from "./report-chart";
import { contentOf, tilesOf } from "./report-content";
import { reportForm } from "./report-form";
import { exportReport, readReport } from "./report-link";
import { fileNameOf, openOf, reportQuery } from "./report-model";
import css from "./report.css";

/** Faults that only a report has. */
const OWN_FAULTS: ReadonlySet<string> = new Set([
  "period",
  "too-long-day",
  "too-long-hour",
  "busy",
  "denied",
]);

const faultText = (failure: unknown): string =>
  failure instanceof RequestFailure && OWN_FAULTS.has(failure.fault)
    ? texts(`report.fault.${failure.fault}`)
    : failureText(failure);

/** The results of the messages of a period: the content of the view. */
export class ReportPanel implements SidebarView {
  readonly id = "report";
  readonly label = texts("report.title");
  readonly element = el("div", "messaging-view messaging-report");
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #picker: AccountPicker;
  readonly #form = reportForm({ read: () => void this.#read(), save: () => void this.#save() });
  /** Why there is no report, or that it is being counted. */
  readonly #said = new Notice("messaging-report-notice");
  /** What saving a file did. */
  readonly #saved = new Notice("messaging-report-notice");
  readonly #report = el("div", "messaging-report-shown");
  readonly #content: HTMLElement;
  /** The shown report, and what it was counted for. */
  #shown: { readonly account: string; readonly query: ReportQuery; readonly view: ReportView } | null = null;
  /** What was asked last: earlier answers are old, and what is still under way for them ends. */
  #asked = 0;
  #reading = new AbortController();

  constructor(chosen: ChosenAccount) {
    installStyle("messaging-report-style", css);
    this.#picker = new AccountPicker(texts("history.account"), chosen, () => this.#chosen());
    this.#content = el(
      "div",
      "",
      ...(this.#mayRead
        ? [this.#form.element, this.#said.element, this.#report]
        : [el("div", "messaging-report-notice", texts("report.fault.denied"))]),
    );
    this.element.append(this.#picker.element, this.#content);
  }

  start(): void {
    this.#picker.start(
      () => this.#chosen(),
      () => this.#form.offerNodes(this.#picker.value),
    );
    this.#readOnReturn();
  }

  /** Counts anew when somebody comes back from another tab of the sidebar, of which a view is not told. */
  #readOnReturn(): void {
    let wasAway = false;
    new IntersectionObserver((seen) => {
      const isSeen = seen.at(-1)?.isIntersecting === true;
      if (isSeen && wasAway && this.#picker.isVisible) {
        void this.#read();
      }
      wasAway = !isSeen;
    }).observe(this.element);
  }

  shown(visible: boolean): void {
    if (visible === this.#picker.isVisible) {
      return;
    }
    this.#picker.shown(visible);
    if (visible) {
      this.#chosen();
    } else {
      this.#asked++;
      this.#reading.abort();
    }
  }

  #chosen(): void {
    this.#form.offerNodes(this.#picker.value);
    void this.#read();
  }

  /** Counts the messages that the form selects. */
  async #read(): Promise<void> {
    const asked = ++this.#asked;
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const account = this.#picker.value;
    const query = reportQuery(this.#form.values);
    this.#content.hidden = account === "";
    this.#clear();
    if (!this.#mayRead || account === "") {
      return;
    }
    if (query === null) {
      this.#said.say(texts("report.choose"));
      return;
    }
    this.#said.say(texts("report.counting"));
    try {
      const view = await readReport(account, query, signal);
      if (asked === this.#asked) {
        this.#shown = { account, query, view };
        this.#show(account, query, view);
      }
    } catch (failure) {
      if (asked === this.#asked) {
        this.#said.say(faultText(failure), true);
      }
    }
  }

  #clear(): void {
    this.#shown = null;
    this.#report.replaceChildren();
    this.#saved.say("");
    this.#said.say("");
  }

  #show(account: string, query: ReportQuery, view: ReportView): void {
    const { report } = view;
    this.#said.say("");
    const isFiltered = [query.channel, query.node, query.outcome].some((each) => each !== undefined);
    this.#report.replaceChildren(
      el("div", "messaging-report-when messaging-activity-quiet", whenText(view)),
      ...(report.messages === 0 ? [el("div", "messaging-report-notice", texts("report.nothing"))] : []),
      tilesOf(report),
      ...(openOf(report) > 0 ? [missingReports(account, null) ?? ""] : []),
      ...contentOf(view, query),
      ...(isFiltered
        ? [el("div", "messaging-report-notice messaging-activity-quiet", texts("report.wholeAccount"))]
        : []),
      this.#form.file,
      this.#saved.element,
    );
    showNewest(this.#report);
  }

  async #save(): Promise<void> {
    const asked = this.#asked;
    const { table, csv } = this.#form;
    if (this.#shown === null) {
      return;
    }
    const { account, query, view } = this.#shown;
    this.#saved.say(texts("report.saving"));
    try {
      const file = await exportReport(account, query, table, csv, view.zone);
      offerFile(file, fileNameOf(accountLabel(account), table, view));
      if (asked === this.#asked) {
        this.#saved.say("");
      }
    } catch (failure) {
      if (asked === this.#asked) {
        this.#saved.say(faultText(failure), true);
      }
    }
  }
}

/** The period that was counted. */
function whenText({ report, zone }: ReportView): string {
  const moment = (at: string): string =>
    formatMoment(new Date(at), { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  return texts("report.when", {
    from: moment(report.from ?? report.to),
    to: moment(report.to),
    zone,
  });
}
