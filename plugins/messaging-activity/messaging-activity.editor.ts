import { addActivitySidebar } from "../../lib/editor/activity/sidebar";

RED.plugins.registerPlugin("messaging-activity", {
  onadd() {
    addActivitySidebar();
  },
});
