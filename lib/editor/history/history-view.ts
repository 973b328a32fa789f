import { READ_CONVERSATIONS } from "../../shared/history/conversation-message";
import { READ_HISTORY, WRITE_HISTORY, WRITE_QUEUE } from "../../shared/history/history";
import { AccountPicker } from "../activity/accounts/account-picker";
import type { ChosenAccount } from "../activity/accounts/chosen-account";
import { el } from "../activity/dom";
import { texts } from "../activity/formatting";
import type { SidebarView } from "../activity/sidebar-view";
import { installStyle } from "../dialog/style";
import { isInMemory } from "../inputs/account/account-property";
import { ConversationPanel } from "./conversation/conversation-panel";
import css from "./history.css";
import { HistoryActions } from "./history-actions";
import { readLife } from "./history-link";
import { type SearchForm as FormValues, queryOf } from "./history-model";
import { MessageSearch } from "./message-search";
import { InstancesSection } from "./instances-section";
import { Poll } from "./poll";
import { QueuePanel } from "./queue-panel";
import { ResultList } from "./result-list";
import { searchForm } from "./search-form";
import { SendingSwitch } from "./sending-switch";
import { failureText } from "./wording";

/** The view of what the chosen account stores: its queue, and the results of its messages. */
export class HistoryView implements SidebarView {
  readonly id = "history";
  readonly label = texts("history.title");
  readonly element: HTMLElement;
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  readonly #picker: AccountPicker;
  readonly #memory = el("div", "messaging-history-notice", texts("history.memory"));
  readonly #sending = new SendingSwitch();
  readonly #queue: QueuePanel = new QueuePanel((failure) => this.#messages.fail(failure));
  readonly #instances = new InstancesSection();
  readonly #form: ReturnType<typeof searchForm>;
  readonly #list: ResultList;
  readonly #messages: MessageSearch;
  /** In place of the list. */
  readonly #conversation = new ConversationPanel((account) => this.#openAccount(account));
  readonly #actions: HistoryActions;
  readonly #content: HTMLElement;
  /** What the form held when the shown entries were searched: a filter that is being typed is not used yet. */
  #searched: FormValues | null = null;
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
      () => this.#messages.more(),
      {
        sendAgain: may.sendAgain ? ({ job }) => void this.#actions.sendAgain({ job }) : null,
        converse: may.converse ? ({ recipient }) => this.#form.converse(recipient) : null,
      },
    );
    this.#messages = new MessageSearch(this.#picker, this.#list, (failure) =>
      this.#list.say(failureText(failure), true),
    );
    this.#content = el(
      "div",
      "messaging-history-content",
      this.#queue.element,
      this.#instances.element,
      ...(this.#mayRead
        ? [this.#form.element, this.#actions.element, this.#conversation.element, this.#list.element]
        : [el("div", "messaging-history-notice", texts("history.denied"))]),
    );
    this.element = el(
      "div",
      "messaging-view messaging-history",
      this.#picker.element,
      this.#sending.element,
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
    this.#memory.hidden = !isInMemory(account);
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
    this.#list.clear();
    const isConversation = values.by === "conversation";
    this.#list.element.hidden = isConversation;
    if (isConversation) {
      await this.#showConversation(values.text.trim());
      return;
    }
    this.#conversation.hide();
    await this.#messages.search(values);
    if (this.#picker.isVisible) {
      this.#poll.follow();
    }
  }

  /** Shows a conversation in place of the list. */
  async #showConversation(number: string): Promise<void> {
    this.#messages.stop();
    if (number === "") {
      this.#poll.stop();
      this.#conversation.say(texts("history.conversation.whose"));
      return;
    }
    await this.#conversation.show({ account: this.#account, number });
    if (this.#picker.isVisible) {
      this.#poll.follow();
    }
  }

  #openAccount(account: string): void {
    RED.editor.editConfig("", "messaging-account", account);
  }

  #renew(isCurrent: () => boolean): Promise<unknown> {
    return this.#conversation.isShown
      ? this.#conversation.read()
      : this.#messages.renew(this.#searched ?? this.#form.values, isCurrent);
  }
}
