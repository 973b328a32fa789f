import { el } from "./dom";
import { texts } from "./formatting";
import type { SidebarView } from "./sidebar-view";

const ID = "messaging-sidebar";

/** A row of tabs, with the view of the chosen one below it. */
export function viewTabs(views: readonly SidebarView[]) {
  const choose = (id: string): void => {
    for (const [at, view] of views.entries()) {
      const chosen = view.id === id;
      const tab = tabs[at];
      if (tab) {
        tab.setAttribute("aria-selected", String(chosen));
        tab.tabIndex = chosen ? 0 : -1;
      }
      const changes = view.element.hidden === chosen;
      view.element.hidden = !chosen;
      if (changes) {
        view.shown(chosen);
      }
    }
  };
  const move = (from: number, key: string): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step !== undefined) {
      const to = (from + step + views.length) % views.length;
      choose(views[to]?.id ?? "");
      tabs[to]?.focus();
    }
  };
  const tabs = views.map(({ id, label }, at) => {
    const tab = el("button", "messaging-sidebar-tab", label);
    tab.type = "button";
    tab.id = `${ID}-tab-${id}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", `${ID}-view-${id}`);
    tab.addEventListener("click", () => choose(id));
    tab.addEventListener("keydown", ({ key }) => move(at, key));
    return tab;
  });
  const list = el("div", "messaging-sidebar-tabs", ...tabs);
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", texts("views"));
  for (const { id, element } of views) {
    element.id = `${ID}-view-${id}`;
    element.setAttribute("role", "tabpanel");
    element.setAttribute("aria-labelledby", `${ID}-tab-${id}`);
    element.hidden = true;
  }
  return { element: el("div", ID, list, ...views.map(({ element }) => element)), choose };
}
