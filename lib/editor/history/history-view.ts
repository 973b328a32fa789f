import { READ_CONVERSATIONS } from "../../shared/history/conversation-message";
import { type HistoryQuery, READ_HISTORY, WRITE_HISTORY, WRITE_QUEUE } from "../../shared/history/history";
import type { MessageRecord } from "../../shared/history/message-record";
import { AccountPicker } from "../activity/accounts/account-picker";
import { accountLabel } from "../activity/accounts/accounts";
import type { ChosenAccount } from "../activity/accounts/chosen-account";
import { el } from "../activity/dom";
import { texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { RequestFailure } from "../activity/request";
import type { SidebarView } from "../activity/sidebar-view";
import { installStyle } from "../dialog/style";
import { ConversationPanel } from "./conversation/conversation-panel";
import css from "./history.css";
import { HistoryActions } from "./history-actions";
import { readLife } from "./history-link";
import { type SearchForm as FormValues, queryOf } from "./history-model";
import { memoryNotice } from "./memory-notice";
import { FormerPanel } from "./former-panel";
import { InstancesSection } from "./instances-section";
import { Poll } from "./poll";
import { QueuePanel } from "./queue-panel";
import { ResultList } from "./result-list";
import { searchForm } from "./search-form";
import { SendingSwitch } from "./sending-switch";
import { beginningOf, type Places, searchHistories, type SeveralPage } from "./several-histories";
import { failureText } from "./wording";

/** Pages that are read to renew what is shown. */
const MOST_RENEWED = 4;

/** The view of what the chosen account remembers, or all: its queue, and what became of its messages. */
export class HistoryView implements SidebarView {
  readonly id = "history";
  readonly label = texts("history.title");
  readonly element: HTMLElement;
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #picker: AccountPicker;
  readonly #memory = memoryNotice("messaging-history-memory", texts("history.memory.what"), () =>
    this.#openAccount(this.#account),
  );
  readonly #sending = new SendingSwitch();
  readonly #former = new FormerPanel(() => this.#queue.watch(this.#account));
  readonly #queue: QueuePanel = new QueuePanel((failure) => this.#failed(failure));
  readonly #instances = new InstancesSection();
  readonly #form: ReturnType<typeof searchForm>;
  readonly #list: ResultList;
  /** In place of the list. */
  readonly #conversation = new ConversationPanel((account) => this.#openAccount(account));
  readonly #actions: HistoryActions;
  /** Accounts that the list has nothing of, and why. */
  readonly #without = new Notice("messaging-history-notice messaging-activity-quiet");
  /** Of all accounts: where their queues are. */
  readonly #each = el("div", "messaging-history-notice messaging-activity-quiet", texts("history.each"));
  readonly #content: HTMLElement;
  /** What the shown entries were searched by, and where the next page begins. */
  #query: HistoryQuery = {};
  #next: Places | null = null;
  #searches = 0;
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

  constructor(chosen: ChosenAccount) {
    installStyle("messaging-history-style", css);
    this.#picker = new AccountPicker(texts("history.account"), chosen, () => this.#chosen());
    const may = {
      forget: this.#mayRead && RED.user.hasPermission(WRITE_HISTORY),
      sendAgain: this.#mayRead && RED.user.hasPermission(WRITE_QUEUE),
      converse: this.#mayRead && RED.user.hasPermission(READ_CONVERSATIONS),
    };
    const searchAgain = (values: FormValues | null): void =>
      void this.#search(values ?? this.#searched ?? this.#form.values);
    this.#actions = new HistoryActions(this.#picker, () => this.#form, searchAgain);
    this.#form = searchForm(may, {
      search: () => {
        this.#actions.clear();
        void this.#search(this.#form.values);
      },
      save: () => this.#actions.save(),
      forget: () => this.#actions.forget(),
      sendAgain: () => {
        const { values } = this.#form;
        // The list shows what the question is about.
        void this.#search(values);
        void this.#actions.sendAgain(queryOf(values, Date.now()));
      },
    });
    this.#list = new ResultList(
      ({ account, request, place }) => readLife(account, request, place),
      () => void this.#readPage(this.#next),
      {
        sendAgain: may.sendAgain
          ? ({ account, job }) => void this.#actions.sendAgain({ job }, account)
          : null,
        converse: may.converse ? (record) => this.#converse(record) : null,
      },
    );
    this.#content = el(
      "div",
      "messaging-history-content",
      this.#queue.element,
      this.#instances.element,
      ...(this.#mayRead
        ? [
            this.#form.element,
            this.#actions.element,
            this.#without.element,
            this.#conversation.element,
            this.#list.element,
          ]
        : [el("div", "messaging-history-notice", texts("history.denied"))]),
    );
    this.element = el(
      "div",
      "messaging-view messaging-history",
      this.#picker.element,
      this.#each,
      this.#sending.element,
      this.#former.element,
      this.#memory,
      this.#content,
    );
  }

  get #account(): string {
    return this.#picker.value;
  }

  start(): void {
    this.#picker.start(
      // What an account keeps may be another thing now.
      () => this.#chosen(this.#searched),
      () => this.#form.offerNodes(this.#account),
    );
  }

  shown(visible: boolean): void {
    this.#picker.shown(visible);
    if (visible) {
      this.#chosen();
    } else {
      this.#watch(null);
    }
  }

  /** @param searched what was searched before, with what is chosen now: what is being typed is not used yet */
  #chosen(searched: FormValues | null = null): void {
    const account = this.#account;
    this.#actions.clear();
    this.#memory.hidden = true;
    this.#content.hidden = false;
    this.#form.offerNodes(account);
    this.#list.clear();
    const { isAll, accounts } = this.#picker;
    this.#without.say("");
    this.#each.hidden = !isAll;
    for (const { element } of [this.#queue, this.#instances, this.#sending, this.#former]) {
      element.classList.toggle("messaging-history-of-one", isAll);
    }
    this.#form.forAll(isAll);
    this.#watch(account === "" ? null : account);
    if (accounts.length === 0) {
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
    if (!this.#mayRead || this.#picker.accounts.length === 0) {
      return;
    }
    this.#searched = values;
    this.#query = queryOf(values, Date.now());
    this.#list.clear();
    const isConversation = values.by === "conversation";
    this.#list.element.hidden = isConversation;
    if (isConversation) {
      await this.#showConversation(values.text.trim());
      return;
    }
    this.#conversation.hide();
    this.#list.say(texts("history.loading"));
    await this.#readPage(null, true);
    if (this.#picker.isVisible) {
      this.#poll.follow();
    }
  }

  /** Shows a conversation of one account in place of the list. */
  async #showConversation(number: string): Promise<void> {
    this.#searches++;
    this.#reading = false;
    this.#without.say("");
    if (number === "" || this.#picker.isAll) {
      this.#poll.stop();
      this.#conversation.say(
        number === "" ? texts("history.conversation.whose") : texts("history.conversation.one"),
      );
      return;
    }
    this.#picker.keep();
    await this.#conversation.show({ account: this.#account, number });
    if (this.#picker.isVisible) {
      this.#poll.follow();
    }
  }

  /** From a message to the conversation that it is part of. */
  #converse({ account, recipient }: MessageRecord): void {
    if (this.#picker.isAll) {
      this.#picker.choose(account);
    }
    this.#form.converse(recipient);
  }

  #openAccount(account: string): void {
    RED.editor.editConfig("", "messaging-account", account);
  }

  /** Shows what the search finds now, in the messages that are shown and before them. */
  async #renew(isCurrent: () => boolean): Promise<void> {
    if (this.#conversation.isShown) {
      return this.#conversation.read();
    }
    const search = this.#searches;
    const query = queryOf(this.#searched ?? this.#form.values, Date.now());
    const isOld = (): boolean => !isCurrent() || search !== this.#searches || this.#reading;
    if (isOld()) {
      return;
    }
    try {
      const page = await this.#readAgain(query, isOld);
      this.#list.whenReleased(() => {
        if (!isOld()) {
          this.#showAgain(page);
        }
      });
    } catch (failure) {
      if (!isOld() && !(failure instanceof RequestFailure && failure.fault === "busy")) {
        this.#failed(failure);
      }
    }
  }

  #showAgain({ entries, next, looked, tally, without }: SeveralPage): void {
    this.#tellWithout(without);
    const wasEmpty = this.#list.count === 0;
    const stays = this.#list.renew(entries, next === null, looked !== undefined);
    if (stays === false) {
      this.#next = next;
      this.#list.goesOn(next !== null);
    }
    if (tally !== undefined) {
      this.#list.tally(tally);
    }
    if (this.#isFailing || wasEmpty !== (this.#list.count === 0)) {
      this.#isFailing = false;
      this.#list.status(this.#oneOfSeveral, looked);
    }
  }

  /** The first pages, until one has a message that is shown. @param isOld asked before each further page */
  async #readAgain(query: HistoryQuery, isOld: () => boolean): Promise<SeveralPage> {
    const first = await searchHistories(beginningOf(this.#picker.accounts), query);
    let [entries, next] = [first.entries, first.next];
    for (let page = 1; page < MOST_RENEWED && next !== null && this.#list.count > 0; page++) {
      const last = entries.at(-1);
      if (isOld() || first.looked !== undefined || last === undefined || this.#list.has(last)) {
        break;
      }
      const more = await searchHistories(next, query);
      entries = [...entries, ...more.entries];
      next = more.next;
    }
    return { ...first, entries, next };
  }

  /** @param isFirst whether it is the page that a search begins with */
  async #readPage(after: Places | null, isFirst = false): Promise<void> {
    const search = ++this.#searches;
    this.#reading = true;
    try {
      const places = after ?? beginningOf(this.#picker.accounts);
      const { entries, next, looked, tally, without } = await searchHistories(places, this.#query);
      // Another search began meanwhile.
      if (search === this.#searches) {
        this.#next = next;
        this.#isFailing = false;
        if (isFirst) {
          this.#tellWithout(without);
        }
        this.#list.withAccounts = this.#picker.isAll;
        this.#list.isByName = this.#query.name !== undefined;
        this.#list.add(entries, next !== null, this.#oneOfSeveral, looked);
        if (tally !== undefined) {
          this.#list.tally(tally);
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

  /** Name of the account, where others have a history that is not shown; blank else. */
  get #oneOfSeveral(): string {
    return this.#picker.isOneOfSeveral && !this.#picker.isAll ? accountLabel(this.#account) : "";
  }

  #tellWithout(without: SeveralPage["without"]): void {
    this.#without.say(
      without
        .map(({ account, failure }) => {
          const isMemory = failure instanceof RequestFailure && failure.fault === "memory";
          const key = isMemory ? "history.without.memory" : "history.without.other";
          return texts(key, { account: accountLabel(account), why: failureText(failure) });
        })
        .join(" "),
    );
  }

  /** Shows why there is no history, in place of everything where the account keeps none. */
  #failed(failure: unknown): void {
    const memory = failure instanceof RequestFailure && failure.fault === "memory";
    this.#memory.hidden = !memory || this.#picker.isAll;
    this.#content.hidden = memory && !this.#picker.isAll;
    this.#isFailing = true;
    const isNone = memory && this.#picker.isAll;
    this.#list.say(isNone ? texts("history.noneKeeps") : failureText(failure), !isNone);
  }
}
