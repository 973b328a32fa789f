import { type OptOutCount, type OptOutRow, READ_OPT_OUTS, WRITE_OPT_OUTS } from "../../shared/opt-outs";
import { el, fillSelect, select } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import type { SidebarView } from "../activity/sidebar-view";
import { installStyle } from "../activity/style";
import { accountChoices } from "./accounts";
import { confirm } from "./confirm";
import { offerFile } from "./history-link";
import css from "./opt-outs.css";
import { OptOutsForm } from "./opt-outs-form";
import {
  addOptOut,
  countOptOuts,
  exportOptOuts,
  findOptOut,
  listOptOuts,
  removeOptOut,
} from "./opt-outs-link";
import { OptOutsList } from "./opt-outs-list";
import { failureText } from "./wording";

/** The view of the people who do not want messages of an account. */
export class OptOutsView implements SidebarView {
  readonly id = "opt-outs";
  readonly label = texts("optOuts.title");
  readonly element: HTMLElement;
  readonly #mayRead = RED.user.hasPermission(READ_OPT_OUTS);
  readonly #mayWrite = RED.user.hasPermission(WRITE_OPT_OUTS);
  readonly #accounts: HTMLSelectElement;
  readonly #form: OptOutsForm;
  readonly #list: OptOutsList;
  readonly #memory = el("div", "messaging-opt-outs-notice", texts("optOuts.memory"));
  readonly #count = el("div", "messaging-opt-outs-count");
  readonly #said = el("div", "messaging-opt-outs-notice");
  readonly #content: HTMLElement;
  /** Where the next page of the list begins. */
  #next = "";
  /** What was asked last: earlier answers are old. */
  #asked = 0;
  #visible = false;

  constructor() {
    installStyle("messaging-opt-outs-style", css);
    this.#accounts = select(texts("optOuts.account"), [], () => this.#chosen());
    this.#form = new OptOutsForm(this.#mayRead, this.#mayWrite, {
      search: () => void this.#search(),
      add: () => void this.#add(),
      save: () => void this.#save(),
    });
    this.#list = new OptOutsList(this.#mayWrite ? (row) => this.#remove(row) : null, () => void this.#read());
    this.#said.setAttribute("role", "status");
    this.#content = el(
      "div",
      "",
      this.#memory,
      this.#form.element,
      this.#count,
      this.#said,
      ...(this.#mayRead
        ? [this.#list.element]
        : [el("div", "messaging-opt-outs-notice", texts("optOuts.denied"))]),
    );
    this.element = el(
      "div",
      "messaging-opt-outs",
      el("label", "messaging-opt-outs-row", el("span", "", texts("optOuts.account")), this.#accounts),
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
    RED.events.on("deploy", () => this.#visible && this.#chosen());
    this.#offer();
  }

  shown(visible: boolean): void {
    this.#visible = visible;
    if (visible) {
      this.#offer();
      this.#chosen();
    }
  }

  #offer(): void {
    const before = this.#account;
    fillSelect(
      this.#accounts,
      accountChoices().map(({ id, label }) => [id, label] as const),
    );
    if (this.#visible && this.#account !== before) {
      this.#chosen();
    }
  }

  #chosen(): void {
    this.#memory.hidden = true;
    this.#count.textContent = "";
    this.#content.hidden = this.#account === "";
    if (this.#account === "") {
      this.#asked++;
      this.#list.clear();
      return;
    }
    void this.#search();
  }

  /** Shows the list, or the number that is typed in, and how many there are. @param done says what was done before */
  async #search(done = ""): Promise<void> {
    const asked = ++this.#asked;
    const account = this.#account;
    // What is typed while the answers are on their way is for the next search.
    const { number } = this.#form;
    this.#list.clear();
    this.#next = "";
    this.#say(done === "" ? texts("optOuts.loading") : done);
    try {
      const count = await countOptOuts(account);
      if (asked !== this.#asked) {
        return;
      }
      this.#showCount(count);
      if (!this.#mayRead) {
        this.#say(done);
      } else if (number === "") {
        this.#say(done);
        await this.#read();
      } else {
        await this.#find(asked, number, done);
      }
    } catch (failure) {
      this.#failed(failure, asked);
    }
  }

  async #find(asked: number, typed: string, done: string): Promise<void> {
    const { number, entry } = await findOptOut(this.#account, typed);
    if (asked === this.#asked) {
      this.#list.add(entry === null ? [] : [entry], false);
      this.#say(done === "" && entry === null ? texts("optOuts.notFound", { number }) : done);
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
    const { number: typed, scope } = this.#form;
    try {
      const { number, changed } = await addOptOut(this.#account, typed, scope);
      this.#form.clear();
      await this.#search(texts(changed ? "optOuts.added" : "optOuts.known", { number }));
    } catch (failure) {
      this.#say(failureText(failure), true);
    }
  }

  #remove({ number }: OptOutRow): void {
    const account = this.#account;
    confirm(texts("optOuts.remove.question", { number }), texts("optOuts.remove.yes"), () => {
      removeOptOut(account, number).then(
        ({ changed }) => {
          this.#form.clear();
          return this.#search(texts(`optOuts.remove.${changed ? "done" : "gone"}`, { number }));
        },
        (failure: unknown) => this.#say(failureText(failure), true),
      );
    });
  }

  async #save(): Promise<void> {
    try {
      this.#say(texts("optOuts.saving"));
      offerFile(await exportOptOuts(this.#account), "opt-outs.csv");
      this.#say("");
    } catch (failure) {
      this.#say(failureText(failure), true);
    }
  }

  #showCount({ count, memory }: OptOutCount): void {
    this.#memory.hidden = !memory;
    this.#count.textContent = texts(`optOuts.count.${count === 0 ? "none" : count === 1 ? "one" : "many"}`, {
      n: formatCount(count),
    });
  }

  #failed(failure: unknown, asked: number): void {
    if (asked === this.#asked) {
      this.#say(failureText(failure), true);
    }
  }

  #say(text: string, wrong = false): void {
    this.#said.textContent = text;
    this.#said.hidden = text === "";
    this.#said.classList.toggle("messaging-activity-wrong", wrong);
  }
}
