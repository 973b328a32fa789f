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
import { formatMoment } from "../dialog/locale";
import { installStyle } from "../dialog/style";
import { offerFile } from "../history/history-link";
import { memoryNotice } from "../history/memory-notice";
import { failureText } from "../history/wording";
import { showNewest } from "./report-chart";
import { accountTable, contentOf, tilesOf } from "./report-content";
import { reportForm } from "./report-form";
import { exportReport, readReport } from "./report-link";
import { fileNameOf, openOf, reportQuery, sumsOf } from "./report-model";
import css from "./report.css";

/** Faults that only a report has. */
const OWN_FAULTS: ReadonlySet<string> = new Set([
  "period",
  "too-long-day",
  "too-long-hour",
  "busy",
  "denied",
]);

const isMemory = (failure: unknown): boolean =>
  failure instanceof RequestFailure && failure.fault === "memory";

const faultText = (failure: unknown): string =>
  failure instanceof RequestFailure && OWN_FAULTS.has(failure.fault)
    ? texts(`report.fault.${failure.fault}`)
    : failureText(failure);

/** What became of the messages of a period, of one account or of all: the content of the view. */
export class ReportPanel {
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #picker: AccountPicker;
  readonly #form = reportForm({ read: () => void this.#read(), save: () => void this.#save() });
  readonly #memory: HTMLElement;
  /** Why there is no report, or that it is being counted. */
  readonly #said = new Notice("messaging-report-notice");
  /** Accounts that are not in it, and why. */
  readonly #without = new Notice("messaging-report-notice messaging-activity-quiet");
  /** What saving a file did. */
  readonly #saved = new Notice("messaging-report-notice");
  readonly #report = el("div", "messaging-report-shown");
  readonly #content: HTMLElement;
  /** What is shown, by the account, and what was asked for it. */
  #shown: ReadonlyMap<string, ReportView> = new Map();
  #query: ReportQuery | null = null;
  /** What was asked last: earlier answers are old, and what is still under way for them ends. */
  #asked = 0;
  #reading = new AbortController();

  /** @param element of the view, which is empty */
  constructor(element: HTMLElement, chosen: ChosenAccount) {
    installStyle("messaging-report-style", css);
    this.#picker = new AccountPicker(texts("history.account"), chosen, () => this.#chosen());
    this.#memory = memoryNotice(
      "messaging-report-notice messaging-report-memory",
      texts("report.memory"),
      () => RED.editor.editConfig("", "messaging-account", this.#picker.value),
    );
    this.#content = el(
      "div",
      "",
      ...(this.#mayRead
        ? [this.#form.element, this.#said.element, this.#without.element, this.#report]
        : [el("div", "messaging-report-notice", texts("report.fault.denied"))]),
    );
    element.append(this.#picker.element, this.#memory, this.#content);
    this.#picker.start(
      () => this.#chosen(),
      () => this.#form.offerNodes(this.#picker.value),
    );
    this.#readOnReturn(element);
  }

  /** Counts anew when somebody comes back from another tab of the sidebar, of which a view is not told. */
  #readOnReturn(element: HTMLElement): void {
    let wasAway = false;
    new IntersectionObserver((seen) => {
      const isSeen = seen.at(-1)?.isIntersecting === true;
      if (isSeen && wasAway && this.#picker.isVisible) {
        void this.#read();
      }
      wasAway = !isSeen;
    }).observe(element);
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

  /** Counts what the form asks for, account by account. */
  async #read(): Promise<void> {
    const asked = ++this.#asked;
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const { accounts } = this.#picker;
    const query = reportQuery(this.#form.values);
    this.#memory.hidden = true;
    this.#content.hidden = accounts.length === 0;
    this.#clear();
    if (!this.#mayRead || accounts.length === 0) {
      return;
    }
    if (query === null) {
      this.#said.say(texts("report.choose"));
      return;
    }
    this.#said.say(texts("report.counting"));
    const [found, without] = [new Map<string, ReportView>(), new Map<string, unknown>()];
    // One after the other: what all accounts wait for is one store mostly.
    for (const account of accounts) {
      await readReport(account, query, signal).then(
        (view) => found.set(account, view),
        (failure: unknown) => without.set(account, failure),
      );
      if (asked !== this.#asked) {
        return;
      }
    }
    this.#query = query;
    this.#shown = found;
    this.#show(query, without);
  }

  #clear(): void {
    this.#shown = new Map();
    this.#report.replaceChildren();
    this.#without.say("");
    this.#saved.say("");
    this.#said.say("");
  }

  #show(query: ReportQuery, without: ReadonlyMap<string, unknown>): void {
    const views = [...this.#shown.entries()];
    const [first] = views;
    const { isAll } = this.#picker;
    this.#said.say("");
    if (first === undefined) {
      this.#failed([...without.values()]);
      return;
    }
    this.#without.say([...without].map(withoutText).join(" "));
    const isFiltered = [query.channel, query.node, query.outcome].some((each) => each !== undefined);
    const sums = sumsOf(views.map(([, { report }]) => report));
    this.#report.replaceChildren(
      el("div", "messaging-report-when messaging-activity-quiet", whenText(first[1], isAll)),
      ...(sums.messages === 0 ? [el("div", "messaging-report-notice", texts("report.nothing"))] : []),
      ...(isAll
        ? [
            tilesOf(sums),
            accountTable(views.map(([account, { report }]) => this.#accountRow(account, report))),
          ]
        : [
            tilesOf(sums, first[1].report.deliverySeconds),
            // Why nobody knows what became of them.
            ...(openOf(sums) > 0 ? [missingReports(first[0], null) ?? ""] : []),
            ...contentOf(first[1], query),
          ]),
      ...(isFiltered
        ? [el("div", "messaging-report-notice messaging-activity-quiet", texts("report.wholeAccount"))]
        : []),
      this.#form.file,
      this.#saved.element,
    );
    showNewest(this.#report);
  }

  #accountRow(account: string, sums: ReportView["report"]) {
    return { label: accountLabel(account), sums, choose: () => this.#picker.choose(account) };
  }

  /** Nothing could be counted. */
  #failed(failures: readonly unknown[]): void {
    const other = failures.find((failure) => !isMemory(failure));
    this.#memory.hidden = other !== undefined || this.#picker.isAll;
    this.#content.hidden = !this.#memory.hidden;
    this.#said.say(other === undefined ? texts("report.noneKeeps") : faultText(other), other !== undefined);
  }

  /** A file for each account that is shown. */
  async #save(): Promise<void> {
    const [asked, query] = [this.#asked, this.#query];
    const { table, csv } = this.#form;
    if (query === null) {
      return;
    }
    this.#saved.say(texts("report.saving"));
    try {
      for (const [account, view] of this.#shown) {
        const file = await exportReport(account, query, table, csv, view.zone);
        offerFile(file, fileNameOf(accountLabel(account), table, view));
      }
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

function withoutText([account, failure]: readonly [string, unknown]): string {
  const key = isMemory(failure) ? "history.without.memory" : "history.without.other";
  return texts(key, { account: accountLabel(account), why: faultText(failure) });
}

/** Which time was counted. Days of several accounts may begin at different times. */
function whenText({ report, zone }: ReportView, isAll: boolean): string {
  const moment = (at: string): string =>
    formatMoment(new Date(at), { dateStyle: "medium", timeStyle: "short", timeZone: zone });
  return texts(isAll ? "report.whenOfAll" : "report.when", {
    from: moment(report.from ?? report.to),
    to: moment(report.to),
    zone,
  });
}
