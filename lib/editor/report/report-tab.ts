import type { ChosenAccount } from "../activity/accounts/chosen-account";
import { el } from "../activity/dom";
import { texts } from "../activity/formatting";
import type { SidebarView } from "../activity/sidebar-view";
import { latePart } from "../dialog/late-part";
import type { ReportPanel } from "./report-panel";

/** The tab of the report. The page does not get the code of the view before somebody opens it. */
export class ReportTab implements SidebarView {
  readonly id = "report";
  readonly label = texts("report.title");
  readonly element = el("div", "messaging-view messaging-report");
  #panel: ReportPanel | null = null;

  constructor(private readonly chosen: ChosenAccount) {}

  start(): void {}

  shown(visible: boolean): void {
    if (this.#panel !== null) {
      this.#panel.shown(visible);
    } else if (visible) {
      void this.#open();
    }
  }

  async #open(): Promise<void> {
    try {
      const Panel = await latePart<typeof ReportPanel>("report");
      this.element.replaceChildren();
      this.#panel ??= new Panel(this.element, this.chosen);
      this.#panel.shown(!this.element.hidden);
    } catch {
      const failed = el(
        "div",
        "messaging-activity-empty messaging-activity-wrong",
        texts("report.notLoaded"),
      );
      failed.setAttribute("role", "alert");
      this.element.replaceChildren(failed);
    }
  }
}
