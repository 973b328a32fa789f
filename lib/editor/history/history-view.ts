import {
  EXPORT_COLUMNS,
  type HistoryPage,
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
import { ask } from "./ask";
import css from "./history.css";
import {
  HistoryFailure,
  deleteNumber,
  exportHistory,
  offerFile,
  readLife,
  searchHistory,
} from "./history-link";
import { type SearchForm as FormValues, queryOf } from "./history-model";
import { FormerPanel } from "./former-panel";
import { InstancesPanel } from "./instances-panel";
import { Notice } from "./notice";
import { Poll } from "./poll";
import { QueuePanel } from "./queue-panel";
import { ResultList } from "./result-list";
import { SearchForm } from "./search-form";
import { SendingSwitch } from "./sending-switch";
import { tallyText } from "./tally-text";
import { failureText } from "./wording";

/** Pages that are read to renew what is shown. */
const MOST_RENEWED = 4;

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
  readonly #former = new FormerPanel(() => this.#queue.watch(this.#account));
  readonly #queue: QueuePanel = new QueuePanel((failure) => this.#failed(failure));
  readonly #instances = new InstancesPanel();
  readonly #form: SearchForm;
  readonly #list: ResultList;
  /** What an action did, or why it failed. */
  readonly #did = new Notice("messaging-history-notice");
  readonly #content: HTMLElement;
  /** What the shown entries were searched by, and where the next page begins. */
  #query: HistoryQuery = {};
  #next: HistoryPlace | null = null;
  #searches = 0;
  #visible = false;
  /** What the form held when the shown entries were searched: a filter that is being typed is not used yet. */
  #searched: FormValues | null = null;
  /** Whether a page is being read. */
  #reading = false;
  /** Whether the notice says why there are no messages. */
  #isFailing = false;
  readonly #poll = new Poll(
    () => this.#content.offsetParent !== null,
    (isCurrent) => this.#renew(isCurrent),
  );

  constructor() {
    installStyle("messaging-history-style", css);
    this.#accounts = select(texts("history.account"), [], () => {
      this.#isChosen = true;
      this.#chosen();
    });
    this.#memory = this.#memoryNotice();
    this.#form = new SearchForm(this.#mayRead && RED.user.hasPermission(WRITE_HISTORY), {
      search: () => {
        this.#did.say("");
        void this.#search(this.#form.values);
      },
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
        ? [this.#form.element, this.#did.element, this.#list.element]
        : [el("div", "messaging-history-notice", texts("history.denied"))]),
    );
    this.element = el(
      "div",
      "messaging-history",
      el("label", "messaging-history-row", el("span", "", texts("history.account")), this.#accounts),
      this.#sending.element,
      this.#former.element,
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
    RED.events.on("deploy", () => this.#visible && this.#chosen(this.#searched));
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

  /** @param searched what was searched before, with what is chosen now: what is being typed is not used yet */
  #chosen(searched: FormValues | null = null): void {
    const account = this.#account;
    this.#did.say("");
    this.#memory.hidden = true;
    this.#content.hidden = false;
    this.#form.offerNodes(account);
    this.#list.clear();
    this.#watch(account === "" ? null : account);
    if (account === "") {
      this.#content.hidden = true;
      return;
    }
    const { text, from, to } = searched ?? this.#form.values;
    void this.#search({ ...this.#form.values, text, from, to });
  }

  #watch(account: string | null): void {
    this.#sending.watch(account);
    this.#former.watch(account);
    this.#queue.watch(account);
    this.#instances.watch(account);
    if (account === null) {
      this.#poll.stop();
    }
  }

  async #search(values: FormValues): Promise<void> {
    if (!this.#mayRead || this.#account === "") {
      return;
    }
    this.#searched = values;
    this.#query = queryOf(values, Date.now());
    this.#list.clear();
    this.#list.say(texts("history.loading"));
    await this.#readPage(null);
    if (this.#visible) {
      this.#poll.follow();
    }
  }

  /** Shows what the search finds now, in the messages that are shown and before them. */
  async #renew(isCurrent: () => boolean): Promise<true> {
    const search = this.#searches;
    const query = queryOf(this.#searched ?? this.#form.values, Date.now());
    const isOld = (): boolean => !isCurrent() || search !== this.#searches || this.#reading;
    if (isOld()) {
      return true;
    }
    try {
      const page = await this.#readAgain(query, isOld);
      this.#list.whenReleased(() => {
        if (!isOld()) {
          this.#showAgain(page);
        }
      });
    } catch (failure) {
      if (!isOld() && !(failure instanceof HistoryFailure && failure.fault === "busy")) {
        this.#failed(failure);
      }
    }
    return true;
  }

  #showAgain({ entries, next, looked, tally }: HistoryPage): void {
    const wasEmpty = this.#list.count === 0;
    const stays = this.#list.renew(entries, next === null, looked !== undefined);
    if (stays === false) {
      this.#next = next;
      this.#list.goesOn(next !== null);
    }
    if (tally !== undefined) {
      this.#list.tally(tallyText(tally));
    }
    if (this.#isFailing || wasEmpty !== (this.#list.count === 0)) {
      this.#isFailing = false;
      this.#list.status(this.#accounts.length > 1, looked);
    }
  }

  /** The first pages, until one has a message that is shown. @param isOld asked before each further page */
  async #readAgain(query: HistoryQuery, isOld: () => boolean): Promise<HistoryPage> {
    const account = this.#account;
    const first = await searchHistory(account, query, null);
    let [entries, next] = [first.entries, first.next];
    for (let page = 1; page < MOST_RENEWED && next !== null && this.#list.count > 0; page++) {
      const last = entries.at(-1);
      if (isOld() || first.looked !== undefined || last === undefined || this.#list.has(last)) {
        break;
      }
      const more = await searchHistory(account, query, next);
      entries = [...entries, ...more.entries];
      next = more.next;
    }
    return { ...first, entries, next };
  }

  async #readPage(after: HistoryPlace | null): Promise<void> {
    const search = ++this.#searches;
    this.#reading = true;
    try {
      const { entries, next, looked, tally } = await searchHistory(this.#account, this.#query, after);
      // Another search began meanwhile.
      if (search === this.#searches) {
        this.#next = next;
        this.#isFailing = false;
        this.#list.add(entries, next !== null, this.#accounts.length > 1, looked);
        if (tally !== undefined) {
          this.#list.tally(tallyText(tally));
        }
      }
    } catch (failure) {
      if (search === this.#searches) {
        this.#failed(failure);
      }
    } finally {
      if (search === this.#searches) {
        this.#reading = false;
      }
    }
  }

  /** Shows why there is no history, in place of everything where the account keeps none. */
  #failed(failure: unknown): void {
    const memory = failure instanceof HistoryFailure && failure.fault === "memory";
    this.#memory.hidden = !memory;
    this.#content.hidden = memory;
    this.#isFailing = true;
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

  /** Says something of an account where that is still shown. */
  #sayOf(account: string, text: string, wrong = false): void {
    if (account === this.#account) {
      this.#did.say(text, wrong);
    }
  }

  async #save(): Promise<void> {
    const account = this.#account;
    const header = EXPORT_COLUMNS.map((column) => texts(`history.column.${column}`));
    try {
      const query = queryOf(this.#form.values, Date.now());
      this.#did.say(texts("history.saving"));
      offerFile(await exportHistory(account, query, header), "messages.csv");
      this.#sayOf(account, "");
    } catch (failure) {
      this.#sayOf(account, failureText(failure), true);
    }
  }

  #forget(): void {
    const account = this.#account;
    const { values } = this.#form;
    const number = values.text.trim();
    ask(texts("history.forget.question", { number }), texts("history.forget.yes"), () => {
      this.#did.say("");
      deleteNumber(account, number).then(
        ({ recipients, events, open }) => {
          if (account === this.#account) {
            const deleted = texts("history.forget.done", { recipients, events });
            this.#did.say(open === 0 ? deleted : `${deleted} ${texts("history.forget.open", { n: open })}`);
            void this.#search(values);
          }
        },
        (failure: unknown) => this.#sayOf(account, failureText(failure), true),
      );
    });
  }
}
