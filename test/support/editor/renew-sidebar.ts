/**
 * Runs in the page: adds the sidebar of this package as a page does that has just loaded. Listeners of the sidebar before it are removed.
 */
export const RENEW_SIDEBAR = `(() => {
  const undo = (window.renewedSidebar ??= []);
  for (const each of undo.splice(0)) each();
  const tab = "messaging-sidebar";
  RED.sidebar.removeTab(tab);
  for (const view of ["history", "conversation", "queue", "opt-outs", "report", "simulator"]) {
    RED.actions.remove("messaging:show-" + view + "-tab");
  }
  const on = RED.events.on;
  RED.events.on = (name, work) => {
    undo.push(() => RED.events.off(name, work));
    on(name, work);
  };
  try {
    RED.plugins.getPlugin(tab).onadd();
  } finally {
    RED.events.on = on;
  }
})()`;
