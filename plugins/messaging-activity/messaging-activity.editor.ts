import { ChosenAccount } from "../../lib/editor/activity/accounts/chosen-account";
import { addMessagingSidebar } from "../../lib/editor/activity/sidebar";
import { HistoryView } from "../../lib/editor/history/history-view";
import { OptOutsView } from "../../lib/editor/history/opt-outs/opt-outs-view";
import { ReportPanel } from "../../lib/editor/report/report-panel";

RED.plugins.registerPlugin("messaging-activity", {
  onadd() {
    const chosen = new ChosenAccount();
    addMessagingSidebar(chosen, [new HistoryView(chosen), new OptOutsView(chosen), new ReportPanel(chosen)]);
  },
});
