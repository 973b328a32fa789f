import { addMessagingSidebar } from "../../lib/editor/activity/sidebar";
import { HistoryView } from "../../lib/editor/history/history-view";

RED.plugins.registerPlugin("messaging-activity", {
  onadd() {
    addMessagingSidebar([new HistoryView()]);
  },
});
