/**
 * Runs in the page: adds the sidebar of this package as a page does that has just loaded. What the sidebar before it had registered is
 * taken back; that of the load itself goes on unseen.
 */
export const RENEW_SIDEBAR = `(() => {
  const undo = (window.renewedSidebar ??= []);
  for (const each of undo.splice(0)) each();
  const tab = "messaging-activity";
  RED.sidebar.removeTab(tab);
  for (const view of ["activity", "history", "opt-outs", "report"]) RED.actions.remove("messaging:show-" + view + "-tab");
  const [restore, replaced] = [[], (object, name, make) => {
    const own = object[name];
    restore.push(() => { object[name] = own; });
    object[name] = make(own.bind(object));
  }];
  replaced(RED.events, "on", (on) => (name, work) => {
    undo.push(() => RED.events.off(name, work));
    on(name, work);
  });
  replaced(RED.comms, "subscribe", (subscribe) => (topic, work) => {
    undo.push(() => RED.comms.unsubscribe(topic, work));
    subscribe(topic, work);
  });
  replaced(document, "addEventListener", (listen) => (name, work, options) => {
    undo.push(() => document.removeEventListener(name, work, options));
    listen(name, work, options);
  });
  replaced(window, "setInterval", (begin) => (work, ms) => {
    const timer = begin(work, ms);
    undo.push(() => clearInterval(timer));
    return timer;
  });
  try {
    RED.plugins.getPlugin(tab).onadd();
  } finally {
    for (const each of restore) each();
  }
})()`;
