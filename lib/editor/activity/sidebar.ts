import type { Counted } from "../../shared/activity";
import { findNumber } from "./activity-link";
import { AccountPicker } from "./accounts/account-picker";
import { afterPress } from "./after-press";
import { Chart } from "./chart";
import type { ChosenAccount } from "./accounts/chosen-account";
import { CounterChips } from "./counter-chips";
import { installStyle } from "../dialog/style";
import { el } from "./dom";
import { EntryList } from "./entries/entry-list";
import { ActivityFeed, type Connection } from "./feed";
import { type ActivityFilter, ActivityModel, type Change } from "./model";
import { belongsTo, inScope, type Scope } from "./node-lookup";
import { NumberSearch } from "./number-search";
import { openOnce } from "./first-steps/open-once";
import { RunningList } from "./running-list";
import { SimulatorPanel } from "./simulator/simulator-panel";
import { showImported } from "./first-steps/show-imported";
import css from "./activity.css";
import entriesCss from "./entries/entries.css";
import type { SidebarView } from "./sidebar-view";
import { buildToolbar } from "./toolbar";
import { texts } from "./formatting";
import { viewTabs } from "./view-tabs";

const TAB = "messaging-activity";
/** Name of the action that shows the tab with a view. */
const showAction = (view: string): string => `messaging:show-${view}-tab`;
/** ms between drawings of the chart without new entries, because its minutes move on. */
const REDRAW = 20_000;

/** The view of live activity, with actions as the recipient of simulated accounts. */
class ActivityView implements SidebarView {
  readonly id = "activity";
  readonly label = texts("activity");
  readonly element: HTMLElement;
  /** What stands above the list moves it. */
  readonly #whenReleased: (draw: () => void) => void;
  readonly #model = new ActivityModel();
  readonly #chips = new CounterChips((result) => this.#filterBy({ result }));
  readonly #chart = new Chart();
  readonly #running = new RunningList();
  readonly #list = new EntryList(() => this.#model.epoch);
  readonly #number = new NumberSearch(findNumber, () => this.#showAll());
  readonly #simulator = new SimulatorPanel();
  readonly #notice = el("div", "messaging-activity-notice");
  readonly #feed = new ActivityFeed(
    this.#model,
    (change) => this.#changed(change),
    (state) => this.#connected(state),
  );
  readonly #picker: AccountPicker;
  readonly #account: HTMLElement;
  #filter: Omit<ActivityFilter, "wants"> = { text: "", result: null as Counted | null };
  #scope: Scope = "all";

  constructor(chosen: ChosenAccount) {
    this.#picker = new AccountPicker(texts("history.account"), chosen, () => this.#accountChosen());
    this.#account = el("div", "messaging-activity-account", this.#picker.element);
    const toolbar = buildToolbar({
      search: (text) => {
        this.#number.search(text);
        this.#filterBy({ text });
      },
      scope: (scope) => {
        this.#scope = scope;
        this.#showAll();
      },
      clear: () => this.#feed.clear((why) => RED.notify(texts(`notCleared.${why}`), "error")),
    });
    this.#notice.hidden = true;
    this.element = el(
      "div",
      "messaging-activity",
      this.#account,
      toolbar,
      this.#notice,
      el(
        "div",
        "messaging-activity-summary",
        this.#chart.element,
        this.#chips.element,
        this.#running.element,
      ),
      this.#simulator.element,
      this.#list.element,
    );
    this.#whenReleased = afterPress(this.element);
    this.#changed({ added: [], changed: [], replaced: true });
  }

  start(): void {
    this.#feed.start();
    setInterval(() => this.#draw(), REDRAW);
    // Current flow and selection change the filter; names are known when flows are loaded.
    RED.events.on("view:selection-changed", () => this.#scope !== "all" && this.#showAll());
    RED.events.on("workspace:change", () => this.#scope !== "all" && this.#showAll());
    RED.events.on("flows:loaded", () => this.#showAll());
    this.#simulator.start();
    this.#picker.start(
      () => {},
      () => this.#offered(),
    );
  }

  shown(visible: boolean): void {
    this.#picker.shown(visible);
    if (visible) {
      this.#accountChosen();
    }
  }

  #offered(): void {
    this.#account.hidden = !this.#picker.isOneOfSeveral;
  }

  #accountChosen(): void {
    this.#offered();
    this.#simulator.show(this.#picker.value);
    this.#draw();
    this.#showAll();
  }

  #connected(state: Connection): void {
    this.#notice.textContent = state === "up" ? "" : texts(`connection.${state}`);
    this.#notice.hidden = state === "up";
  }

  #changed({ added, changed, replaced }: Change): void {
    this.#draw();
    const { entries } = this.#model;
    // A request can belong before replies to it that are known already, and a refusal before messages.
    const appends = added.at(-1) === entries.at(-1) && entries.at(-added.length) === added[0];
    if (replaced || (added.length > 0 && !appends) || changed.some(({ folded }) => folded)) {
      this.#showAll();
    } else {
      this.#list.add(added, this.#wanted());
      if (!this.#list.change(changed, this.#wanted())) {
        this.#showAll();
      }
    }
    if (replaced || added.length > 0) {
      this.#number.again();
    }
    if (added.some(({ simulated }) => simulated)) {
      this.#simulator.messageSent();
    }
  }

  #draw(): void {
    this.#whenReleased(() => {
      const account = this.#picker.value;
      const { running, runningCount } = this.#model;
      this.#chart.draw(this.#model.minutes(Date.now(), account));
      this.#chips.show(this.#model.counters(account));
      this.#chips.since(this.#model);
      this.#running.show(
        running.filter((send) => belongsTo(account, send)),
        runningCount - running.length,
      );
    });
  }

  #filterBy(change: Partial<Pick<ActivityFilter, "text" | "result">>): void {
    this.#filter = { ...this.#filter, ...change };
    this.#showAll();
  }

  #showAll(): void {
    this.#list.showAll(this.#model.entries, this.#wanted(), this.#number.state);
  }

  #wanted(): ActivityFilter {
    return { ...this.#filter, wants: this.#wants(), found: this.#number.found };
  }

  /** Entries of the chosen nodes and account. */
  #wants(): ActivityFilter["wants"] {
    const scope = inScope(this.#scope);
    const account = this.#picker.value;
    return (entry) => belongsTo(account, entry) && (scope === null || scope(entry));
  }
}

/**
 * Adds the tab to the editor.
 * @param chosen the account that all views show
 * @param others views beside that of the activity
 */
export function addMessagingSidebar(chosen: ChosenAccount, others: readonly SidebarView[]): void {
  installStyle("messaging-activity-style", css);
  installStyle("messaging-activity-entries-style", entriesCss);
  const views = [new ActivityView(chosen), ...others];
  const tabs = viewTabs(views);
  const show = (view: string): void => {
    RED.sidebar.show(TAB);
    tabs.choose(view);
  };
  for (const { id } of views) {
    RED.actions.add(showAction(id), () => show(id));
  }
  RED.sidebar.addTab({
    id: TAB,
    label: texts("tab"),
    name: texts("name"),
    iconClass: "fa fa-commenting-o",
    content: tabs.element,
    enableOnEdit: true,
    action: showAction("activity"),
  });
  tabs.choose("activity");
  for (const view of views) {
    view.start();
  }
  openOnce(() => show("activity"));
  showImported();
}
