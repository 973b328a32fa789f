import {
  EXPORT_COLUMNS,
  type HistoryPlace,
  type HistoryQuery,
  READ_HISTORY,
  WRITE_HISTORY,
} from "../../shared/history";
import { button, el, fillSelect, select } from "../activity/dom";
import { texts } from "../activity/formatting";
import type { SidebarView } from "../activity/sidebar-view";
import { installStyle } from "../activity/style";
import { accountChoices, accountOfTab } from "./accounts";
import { confirm } from "./confirm";
import css from "./history.css";
import {
  HistoryFailure,
  deleteNumber,
  exportHistory,
  offerFile,
  readLife,
  searchHistory,
} from "./history-link";
import { queryOf } from "./history-model";
import { InstancesPanel } from "./instances-panel";
import { QueuePanel } from "./queue-panel";
import { ResultList } from "./result-list";
import { SearchForm } from "./search-form";
import { SendingSwitch } from "./sending-switch";
import { tallyText } from "./tally-text";
import { failureText } from "./wording";

/** The view of what an account remembers: its queue, and what became of its messages. */
export class HistoryView implements SidebarView {
  readonly id = "history";
  readonly label = texts("history.title");
  readonly element: HTMLElement;
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #accounts: HTMLSelectElement;
  /** Whether a person has chosen the account. */
  #isChosen = false;
  readonly #memory: HTMLElement;
  readonly #sending = new SendingSwitch();
  readonly #queue = new QueuePanel((failure) => this.#failed(failure));
  readonly #instances = new InstancesPanel();
  readonly #form: SearchForm;
  readonly #list: ResultList;
  readonly #content: HTMLElement;
  /** What the shown entries were searched by, and where the next page begins. */
  #query: HistoryQuery = {};
  #next: HistoryPlace | null = null;
  #searches = 0;
  #visible = false;

  constructor() {
    installStyle("messaging-history-style", css);
    this.#accounts = select(texts("history.account"), [], () => {
      this.#isChosen = true;
      this.#chosen();
    });
    this.#memory = this.#memoryNotice();
    this.#form = new SearchForm(this.#mayRead && RED.user.hasPermission(WRITE_HISTORY), {
      search: () => void this.#search(),
      save: () => void this.#save(),
      forget: () => this.#forget(),
    });
    this.#list = new ResultList(
      ({ request, place }) => readLife(this.#account, request, place),
      () => void this.#readPage(this.#next),
    );
    this.#content = el(
      "div",
      "messaging-history-content",
      this.#queue.element,
      this.#instances.element,
      ...(this.#mayRead
        ? [this.#form.element, this.#list.element]
        : [el("div", "messaging-history-notice", texts("history.denied"))]),
    );
    this.element = el(
      "div",
      "messaging-history",
      el("label", "messaging-history-row", el("span", "", texts("history.account")), this.#accounts),
      this.#sending.element,
      this.#memory,
      this.#content,
    );
  }

  get #account(): string {
    return this.#accounts.value;
  }

  start(): void {
    const update = (): void => this.#offer();
    for (const event of ["nodes:add", "nodes:change", "nodes:remove", "flows:loaded"]) {
      RED.events.on(event, update);
    }
    // What an account keeps may be another thing now.
    RED.events.on("deploy", () => this.#visible && this.#chosen());
    this.#offer();
  }

  shown(visible: boolean): void {
    this.#visible = visible;
    if (visible) {
      this.#offer();
      const nearest = this.#isChosen ? null : accountOfTab();
      this.#accounts.value = nearest ?? this.#account;
      this.#chosen();
    } else {
      this.#watch(null);
    }
  }

  #offer(): void {
    const before = this.#account;
    const accounts = accountChoices();
    fillSelect(
      this.#accounts,
      accounts.map(({ id, label }) => [id, label] as const),
    );
    this.#form.offerNodes(this.#account);
    if (this.#visible && this.#account !== before) {
      this.#chosen();
    }
  }

  #chosen(): void {
    const account = this.#account;
    this.#memory.hidden = true;
    this.#content.hidden = false;
    this.#form.offerNodes(account);
    this.#list.clear();
    this.#watch(account === "" ? null : account);
    if (account === "") {
      this.#content.hidden = true;
      return;
    }
    void this.#search();
  }

  #watch(account: string | null): void {
    this.#sending.watch(account);
    this.#queue.watch(account);
    this.#instances.watch(account);
  }

  async #search(): Promise<void> {
    if (!this.#mayRead || this.#account === "") {
      return;
    }
    this.#query = queryOf(this.#form.values, Date.now());
    this.#list.clear();
    this.#list.say(texts("history.loading"));
    await this.#readPage(null);
  }

  async #readPage(after: HistoryPlace | null): Promise<void> {
    const search = ++this.#searches;
    try {
      const { entries, next, looked, tally } = await searchHistory(this.#account, this.#query, after);
      // Another search began meanwhile.
      if (search === this.#searches) {
        this.#next = next;
        this.#list.add(entries, next !== null, this.#accounts.length > 1, looked);
        if (tally !== undefined) {
          this.#list.tally(tallyText(tally));
        }
      }
    } catch (failure) {
      if (search === this.#searches) {
        this.#failed(failure);
      }
    }
  }

  /** Shows why there is no history, in place of everything where the account keeps none. */
  #failed(failure: unknown): void {
    const memory = failure instanceof HistoryFailure && failure.fault === "memory";
    this.#memory.hidden = !memory;
    this.#content.hidden = memory;
    this.#list.say(failureText(failure), true);
  }

  #memoryNotice(): HTMLElement {
    const open = button({ icon: "pencil", text: texts("history.memory.open") }, () =>
      RED.editor.editConfig("", "messaging-account", this.#account),
    );
    const notice = el(
      "div",
      "messaging-history-memory",
      el("p", "", el("b", "", texts("history.memory.title"))),
      el("p", "", texts("history.memory.what")),
      el("p", "", texts("history.memory.how")),
      open,
    );
    notice.hidden = true;
    return notice;
  }

  async #save(): Promise<void> {
    const header = EXPORT_COLUMNS.map((column) => texts(`history.column.${column}`));
    try {
      const query = queryOf(this.#form.values, Date.now());
      this.#list.say(texts("history.saving"));
      offerFile(await exportHistory(this.#account, query, header), "messages.csv");
      this.#list.say("");
    } catch (failure) {
      this.#list.say(failureText(failure), true);
    }
  }

  #forget(): void {
    const number = this.#form.values.text.trim();
    confirm(texts("history.forget.question", { number }), texts("history.forget.yes"), () => {
      deleteNumber(this.#account, number).then(
        async ({ recipients, events, open }) => {
          await this.#search();
          const deleted = texts("history.forget.done", { recipients, events });
          this.#list.say(open === 0 ? deleted : `${deleted} ${texts("history.forget.open", { n: open })}`);
        },
        (failure: unknown) => this.#list.say(failureText(failure), true),
      );
    });
  }
}
