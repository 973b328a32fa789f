import { el } from "./dom";
import { texts } from "./formatting";
import type { SidebarView } from "./sidebar-view";

const ID = "messaging-sidebar";

/** A row of tabs, with the view of the chosen one below it. */
export class ViewTabs {
  readonly element: HTMLElement;
  readonly #tabs: readonly HTMLButtonElement[];

  constructor(private readonly views: readonly SidebarView[]) {
    this.#tabs = views.map(({ id, label }, at) => {
      const tab = el("button", "messaging-sidebar-tab", label);
      tab.type = "button";
      tab.id = `${ID}-tab-${id}`;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", `${ID}-view-${id}`);
      tab.addEventListener("click", () => this.choose(id));
      tab.addEventListener("keydown", ({ key }) => this.#moved(at, key));
      return tab;
    });
    const list = el("div", "messaging-sidebar-tabs", ...this.#tabs);
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", texts("views"));
    for (const { id, element } of views) {
      element.id = `${ID}-view-${id}`;
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", `${ID}-tab-${id}`);
      element.hidden = true;
    }
    this.element = el("div", ID, list, ...views.map(({ element }) => element));
  }

  choose(id: string): void {
    for (const [at, view] of this.views.entries()) {
      const chosen = view.id === id;
      const tab = this.#tabs[at];
      tab?.setAttribute("aria-selected", String(chosen));
      if (tab) {
        tab.tabIndex = chosen ? 0 : -1;
      }
      const changes = view.element.hidden === chosen;
      view.element.hidden = !chosen;
      if (changes) {
        view.shown(chosen);
      }
    }
  }

  #moved(at: number, key: string): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) {
      return;
    }
    const to = (at + step + this.views.length) % this.views.length;
    const view = this.views[to];
    if (view) {
      this.choose(view.id);
      this.#tabs[to]?.focus();
    }
  }
}
