import { type OptOutRow, READ_OPT_OUTS, WRITE_OPT_OUTS } from "../../../shared/opt-outs";
import { AccountPicker } from "../../activity/accounts/account-picker";
import { accountLabel } from "../../activity/accounts/accounts";
import type { ChosenAccount } from "../../activity/accounts/chosen-account";
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

/** The view of recipients who have opted out of messages of the chosen account. */
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
  /** Where the next page of the list begins. */
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
    this.#list = optOutsList(this.#mayWrite ? (row) => this.#remove(row) : null, () => void this.#read());
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
    const isNone = this.#account === "";
    this.#content.hidden = isNone;
    if (isNone) {
      this.#asked++;
      this.#list.clear();
      return;
    }
    void this.#search(number);
  }

  /** Shows the whole list, or one number of it, and how many there are. */
  async #search(number: string): Promise<void> {
    const asked = ++this.#asked;
    this.#searched = number;
    this.#list.clear();
    this.#next = "";
    this.#said.say(texts("optOuts.loading"));
    try {
      const { count, memory } = await countOptOuts(this.#account);
      if (asked !== this.#asked) {
        return;
      }
      this.#showCount(count, memory);
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
    const { entry, number } = await findOptOut(this.#account, typed);
    if (asked === this.#asked) {
      this.#list.add(entry === null ? [] : [entry], false);
      this.#said.say(entry === null ? texts("optOuts.notFound", { number }) : "");
    }
  }

  /** Adds the next page of the list. */
  async #read(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const { entries, next } = await listOptOuts(this.#account, this.#next);
      if (asked === this.#asked) {
        this.#next = next;
        this.#list.add(entries, next !== "");
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

  #remove({ number }: OptOutRow): void {
    const account = this.#account;
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
    if (account === this.#account) {
      this.#did.say(done, isWrong);
      if (!isWrong) {
        await this.#search("");
      }
    }
  }

  async #save(): Promise<void> {
    const account = this.#account;
    this.#did.say(texts("optOuts.saving"));
    const said = await reportOf(this.#offerFile(account));
    if (account === this.#account) {
      this.#did.say(...said);
    }
  }

  async #offerFile(account: string): Promise<string> {
    offerFile(await exportOptOuts(account, this.#form.csv), "opt-outs.csv");
    return "";
  }

  /** @param isInMemory whether the list ends with Node-RED */
  #showCount(count: number, isInMemory: boolean): void {
    this.#memory.hidden = !isInMemory;
    this.#memory.textContent = texts("optOuts.memory", { account: accountLabel(this.#account) });
    const amount = count === 0 ? "none" : count === 1 ? "one" : "many";
    this.#count.textContent = texts(`optOuts.count.${amount}`, { n: count });
  }

  #failed(failure: unknown, asked: number): void {
    if (asked === this.#asked) {
      this.#said.say(failureText(failure), true);
    }
  }
}
