import type { ChosenAccount } from "../activity/accounts/chosen-account";
import { el } from "../activity/dom";
import { texts } from "../activity/formatting";
import type { SidebarView } from "../activity/sidebar-view";

/** The tab of the report. Nothing of the view is made, and no code of it runs, before somebody opens it. */
export class ReportTab implements SidebarView {
  readonly id = "report";
  readonly label = texts("report.title");
  readonly element = el("div", "messaging-view messaging-report");
  #view: Promise<{ shown(visible: boolean): void }> | null = null;

  constructor(private readonly chosen: ChosenAccount) {}

  start(): void {}

  shown(visible: boolean): void {
    if (visible || this.#view !== null) {
      this.#view ??= this.#open();
      void this.#view.then((view) => view.shown(!this.element.hidden));
    }
  }

  async #open(): Promise<{ shown(visible: boolean): void }> {
    const { ReportPanel } = await import("./report-panel");
    return new ReportPanel(this.element, this.chosen);
  }
}
