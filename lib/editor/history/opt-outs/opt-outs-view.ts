import { type OptOutRow, READ_OPT_OUTS, WRITE_OPT_OUTS } from "../../../shared/opt-outs";
import { AccountPicker } from "../../activity/accounts/account-picker";
import { accountLabel } from "../../activity/accounts/accounts";
import { ALL_ACCOUNTS, type ChosenAccount } from "../../activity/accounts/chosen-account";
import { el } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { Notice } from "../../activity/notice";
import type { SidebarView } from "../../activity/sidebar-view";
import { installStyle } from "../../dialog/style";
import { offerFile } from "../history-link";
import css from "./opt-outs.css";
import { optOutsForm } from "./opt-outs-form";
import {
  addOptOut,
  countOptOuts,
  exportOptOuts,
  findOptOut,
  listOptOuts,
  removeOptOut,
} from "./opt-outs-link";
import { optOutsList } from "./opt-outs-list";
import { ask, failureText, reportOf } from "../wording";

/** The view of the people who do not want messages of the chosen account, or of any. */
export class OptOutsView implements SidebarView {
  readonly id = "opt-outs";
  readonly label = texts("optOuts.title");
  readonly element: HTMLElement;
  readonly #mayRead = RED.user.hasPermission(READ_OPT_OUTS);
  readonly #mayWrite = RED.user.hasPermission(WRITE_OPT_OUTS);
  readonly #picker: AccountPicker;
  readonly #form: ReturnType<typeof optOutsForm>;
  readonly #list: ReturnType<typeof optOutsList>;
  readonly #memory = el("div", "messaging-opt-outs-notice");
  readonly #count = el("div", "messaging-opt-outs-count");
  /** What an action did, or why it failed. */
  readonly #did = new Notice("messaging-opt-outs-notice");
  /** Why there is nothing in the list. */
  readonly #said = new Notice("messaging-opt-outs-notice");
  readonly #content: HTMLElement;
  /** Accounts whose list is not shown to its end; that of the first one goes on at `#next`. */
  #left: readonly string[] = [];
  #next = "";
  /** What was asked last: earlier answers are old. */
  #asked = 0;
  /** The number that was asked for last; blank for the whole list. What is typed since is for the next search. */
  #searched = "";
  /** What is being added; blank while nothing is. */
  #adding = "";

  constructor(chosen: ChosenAccount) {
    installStyle("messaging-opt-outs-style", css);
    this.#picker = new AccountPicker(texts("optOuts.account"), chosen, () => this.#chosen());
    this.#form = optOutsForm(this.#mayRead, this.#mayWrite, {
      search: () => {
        this.#did.say("");
        void this.#search(this.#form.number);
      },
      add: () => void this.#add(),
      save: () => void this.#save(),
    });
    this.#list = optOutsList(
      this.#mayWrite ? (row, account) => this.#remove(row, account) : null,
      () => void this.#read(),
    );
    this.#content = el(
      "div",
      "",
      this.#memory,
      this.#form.element,
      this.#count,
      this.#did.element,
      this.#said.element,
      this.#mayRead ? this.#list.element : el("div", "messaging-opt-outs-notice", texts("optOuts.denied")),
    );
    this.element = el("div", "messaging-view messaging-opt-outs", this.#picker.element, this.#content);
  }

  get #account(): string {
    return this.#picker.value;
  }

  start(): void {
    this.#picker.start(() => this.#chosen(this.#searched));
  }

  shown(visible: boolean): void {
    this.#picker.shown(visible);
    if (visible) {
      this.#chosen();
    }
  }

  #chosen(number = this.#form.number): void {
    this.#memory.hidden = true;
    this.#did.say("");
    this.#count.textContent = "";
    const { accounts, isAll } = this.#picker;
    this.#content.hidden = accounts.length === 0;
    this.#form.forAll(isAll);
    if (accounts.length === 0) {
      this.#asked++;
      this.#list.clear();
      return;
    }
    void this.#search(number);
  }

  /** Shows the whole list, or one number of it, and how many there are. */
  async #search(number: string): Promise<void> {
    const asked = ++this.#asked;
    const { accounts } = this.#picker;
    this.#searched = number;
    this.#list.clear();
    this.#left = accounts;
    this.#next = "";
    this.#said.say(texts("optOuts.loading"));
    try {
      const counts = await Promise.all(accounts.map(countOptOuts));
      if (asked !== this.#asked) {
        return;
      }
      this.#showCount(
        counts.reduce((sum, { count }) => sum + count, 0),
        accounts.filter((_account, at) => counts[at]?.memory),
      );
      if (!this.#mayRead || number === "") {
        this.#said.say("");
      }
      if (this.#mayRead) {
        await (number === "" ? this.#read() : this.#find(asked, number));
      }
    } catch (failure) {
      this.#failed(failure, asked);
    }
  }

  async #find(asked: number, typed: string): Promise<void> {
    const { accounts } = this.#picker;
    const found = await Promise.all(accounts.map((account) => findOptOut(account, typed)));
    if (asked === this.#asked) {
      for (const [at, { entry }] of found.entries()) {
        this.#list.add(entry === null ? [] : [entry], false, accounts[at] ?? "", this.#nameOf(accounts[at]));
      }
      const isFound = found.some(({ entry }) => entry !== null);
      this.#said.say(isFound ? "" : texts("optOuts.notFound", { number: found[0]?.number ?? typed }));
    }
  }

  /** Adds the next page of the list. */
  async #read(): Promise<void> {
    const asked = ++this.#asked;
    try {
      // Of a list that is empty, or ends here, the next account has its turn at once.
      for (let isFull = false; !isFull && this.#left.length > 0; ) {
        const [account = "", ...others] = this.#left;
        const { entries, next } = await listOptOuts(account, this.#next);
        if (asked !== this.#asked) {
          return;
        }
        isFull = next !== "";
        this.#next = next;
        this.#left = isFull ? this.#left : others;
        this.#list.add(entries, isFull, account, this.#nameOf(account));
      }
    } catch (failure) {
      this.#failed(failure, asked);
    }
  }

  async #add(): Promise<void> {
    const account = this.#account;
    const { number: typed, scope } = this.#form;
    const adding = `${account} ${scope} ${typed}`;
    if (adding === this.#adding) {
      // Pressed twice: the second answer would say that the number was in the list already.
      return;
    }
    this.#adding = adding;
    const added = addOptOut(account, typed, scope).then(({ number, changed }) =>
      texts(changed ? "optOuts.added" : "optOuts.known", { number }),
    );
    await this.#change(account, typed, added);
    this.#adding = "";
  }

  #remove({ number }: OptOutRow, account: string): void {
    const question = texts("optOuts.remove.question", { number, account: accountLabel(account) });
    ask(question, texts("optOuts.remove.yes"), () => {
      const removed = removeOptOut(account, number).then(({ changed }) =>
        texts(`optOuts.remove.${changed ? "done" : "gone"}`, { number }),
      );
      void this.#change(account, this.#form.number, removed);
    });
  }

  /**
   * Tells what came of a change of the list of an account, and shows all of it then.
   * @param typed what the form holds for this change; what is typed meanwhile stays
   */
  async #change(account: string, typed: string, change: Promise<string>): Promise<void> {
    this.#did.say("");
    const [done, isWrong] = await reportOf(change);
    if (!isWrong && this.#form.number === typed) {
      this.#form.clear();
    }
    if (this.#picker.accounts.includes(account)) {
      this.#did.say(done, isWrong);
      if (!isWrong) {
        await this.#search("");
      }
    }
  }

  async #save(): Promise<void> {
    const { value } = this.#picker;
    this.#did.say(texts("optOuts.saving"));
    const said = await reportOf(this.#saveEach());
    if (value === this.#account) {
      this.#did.say(...said);
    }
  }

  /** A file for each account. */
  async #saveEach(): Promise<string> {
    const { accounts, isAll } = this.#picker;
    const { csv } = this.#form;
    for (const account of accounts) {
      offerFile(
        await exportOptOuts(account, csv),
        isAll ? `opt-outs-${accountLabel(account)}.csv` : "opt-outs.csv",
      );
    }
    return "";
  }

  /** The name of an account where several are shown. */
  #nameOf(account = ALL_ACCOUNTS): string {
    return this.#picker.isAll ? accountLabel(account) : "";
  }

  /** @param inMemory accounts whose list ends with Node-RED */
  #showCount(count: number, inMemory: readonly string[]): void {
    this.#memory.hidden = inMemory.length === 0;
    this.#memory.textContent = inMemory
      .map((account) => texts("optOuts.memory", { account: accountLabel(account) }))
      .join(" ");
    const { isAll } = this.#picker;
    this.#count.textContent = texts(`optOuts.count.${count === 0 ? "none" : count === 1 ? "one" : "many"}`, {
      n: count,
      account: isAll ? texts("allAccounts") : accountLabel(this.#account),
    });
  }

  #failed(failure: unknown, asked: number): void {
    if (asked === this.#asked) {
      this.#said.say(failureText(failure), true);
    }
  }
}
