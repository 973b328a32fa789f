import type { Counted } from "../../shared/activity";
import { Chart } from "./chart";
import { CounterChips } from "./counter-chips";
import { el } from "./dom";
import { EntryList } from "./entry-list";
import { ActivityFeed, type Connection } from "./feed";
import { type ActivityFilter, ActivityModel, type Change } from "./model";
import { inScope, type Scope } from "./node-lookup";
import { RunningList } from "./running-list";
import { SimulatorPanel } from "./simulator-panel";
import { installActivityStyle } from "./style";
import { buildToolbar } from "./toolbar";
import { texts } from "./formatting";

const TAB = "messaging-activity";
const SHOW = "messaging:show-activity-tab";
/** ms between drawings of the chart without new entries, because its minutes move on. */
const REDRAW = 20_000;

/** The sidebar tab: live activity, and actions as the recipient of simulated accounts. */
class ActivitySidebar {
  readonly element: HTMLElement;
  readonly #model = new ActivityModel();
  readonly #chips = new CounterChips((result) => this.#filterBy({ result }));
  readonly #chart = new Chart();
  readonly #running = new RunningList();
  readonly #list = new EntryList();
  readonly #simulator = new SimulatorPanel();
  readonly #notice = el("div", "messaging-activity-notice");
  readonly #feed = new ActivityFeed(
    this.#model,
    (change) => this.#changed(change),
    (state) => this.#connected(state),
  );
  #filter: Omit<ActivityFilter, "wants"> = { text: "", result: null as Counted | null };
  #scope: Scope = "all";

  constructor() {
    const toolbar = buildToolbar({
      search: (text) => this.#filterBy({ text }),
      scope: (scope) => {
        this.#scope = scope;
        this.#showAll();
      },
      clear: () => this.#feed.clear(),
    });
    this.#notice.hidden = true;
    this.element = el(
      "div",
      "messaging-activity",
      toolbar,
      this.#notice,
      el(
        "div",
        "messaging-activity-summary",
        this.#chart.element,
        this.#chips.element,
        this.#running.element,
      ),
      this.#list.element,
      this.#simulator.element,
    );
    this.#changed({ added: [], replaced: true, incomplete: false });
  }

  start(): void {
    this.#feed.start();
    setInterval(() => this.#draw(), REDRAW);
    // Current flow and selection change the filter; names are known when flows are loaded.
    RED.events.on("view:selection-changed", () => this.#scope !== "all" && this.#showAll());
    RED.events.on("workspace:change", () => this.#scope !== "all" && this.#showAll());
    RED.events.on("flows:loaded", () => this.#showAll());
    this.#simulator.start();
  }

  #connected(state: Connection): void {
    this.#notice.textContent = state === "up" ? "" : texts(`connection.${state}`);
    this.#notice.hidden = state === "up";
  }

  #changed({ added, replaced }: Change): void {
    this.#draw();
    const { entries } = this.#model;
    // Entries that an update left out arrive later and belong further down.
    const appends = added.at(-1) === entries.at(-1) && entries.at(-added.length) === added[0];
    if (replaced || (added.length > 0 && !appends)) {
      this.#showAll();
    } else {
      this.#list.add(added, this.#wanted());
    }
    if (added.some(({ simulated }) => simulated)) {
      this.#simulator.messageSent();
    }
  }

  #draw(): void {
    this.#chart.draw(this.#model.minutes(Date.now()));
    this.#chips.show(this.#model.counters);
    this.#running.show(this.#model.running, this.#model.runningCount);
  }

  #filterBy(change: Partial<Pick<ActivityFilter, "text" | "result">>): void {
    this.#filter = { ...this.#filter, ...change };
    this.#showAll();
  }

  #showAll(): void {
    this.#list.showAll(this.#model.entries, this.#wanted());
  }

  #wanted(): ActivityFilter {
    return { ...this.#filter, wants: inScope(this.#scope) };
  }
}

/** Adds the tab to the editor. */
export function addActivitySidebar(): void {
  installActivityStyle();
  const sidebar = new ActivitySidebar();
  RED.actions.add(SHOW, () => RED.sidebar.show(TAB));
  RED.sidebar.addTab({
    id: TAB,
    label: texts("tab"),
    name: texts("name"),
    iconClass: "fa fa-commenting-o",
    content: sidebar.element,
    enableOnEdit: true,
    action: SHOW,
  });
  sidebar.start();
}
