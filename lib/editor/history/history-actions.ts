import type { HistoryQuery } from "../../shared/history/history";
import type { AccountPicker } from "../activity/accounts/account-picker";
import { texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { againText } from "./again-text";
import { csvRequest } from "./csv-choice";
import { deleteNumber, exportHistory, offerFile, planAgain, sendAgain } from "./history-link";
import { type SearchForm as FormValues, queryOf } from "./history-model";
import { HISTORY_TABLE } from "./history-table";
import type { searchForm } from "./search-form";
import { ask, reportOf } from "./wording";

/** What can be done with the messages that a search finds: a file, sending again, deleting all about a number. */
export class HistoryActions {
  /** What an action did, or why it failed. */
  readonly #notice = new Notice("messaging-history-notice");
  readonly element = this.#notice.element;

  /**
   * @param form asked when an action begins
   * @param search shows anew what these values find; null: what was searched last
   */
  constructor(
    private readonly picker: AccountPicker,
    private readonly form: () => ReturnType<typeof searchForm>,
    private readonly search: (values: FormValues | null) => void,
  ) {}

  /** What was said is about something else now. */
  clear(): void {
    this.#notice.say("");
  }

  /** Offers the messages as a file. */
  save(): void {
    this.#notice.say(texts("history.saving"));
    void this.#report(this.#offerFile(), this.picker.value);
  }

  /** Asks what of a search surely reached nobody, and sends that again where somebody agrees. */
  async sendAgain(query: HistoryQuery): Promise<void> {
    const account = this.picker.value;
    const agreed = async (people: number): Promise<string> => {
      const done = await sendAgain(account, query, people);
      if (account === this.picker.value) {
        this.search(null);
      }
      return texts(done.people === 1 ? "history.again.one-done" : "history.again.done", { n: done.people });
    };
    const planned = async (): Promise<string> => {
      const plan = await planAgain(account, query);
      if (plan.people === 0 || account !== this.picker.value) {
        return againText(plan);
      }
      ask(againText(plan), texts("history.again.yes"), () => void this.#report(agreed(plan.people), account));
      return "";
    };
    this.#notice.say(texts("history.again.looking"));
    await this.#report(planned(), account);
  }

  /** Deletes all about the number that was typed, where somebody agrees. */
  forget(): void {
    const account = this.picker.value;
    const { values } = this.form();
    const number = values.text.trim();
    ask(texts("history.forget.question", { number }), texts("history.forget.yes"), () => {
      this.clear();
      const deleted = deleteNumber(account, number).then(({ recipients, events, open, gathered }) => {
        if (account === this.picker.value) {
          this.search(values);
        }
        return [
          texts("history.forget.done", { recipients, events }),
          ...(gathered === 0 ? [] : [texts("history.forget.gathered", { n: gathered })]),
          ...(open === 0 ? [] : [texts("history.forget.open", { n: open })]),
        ].join(" ");
      });
      void this.#report(deleted, account);
    });
  }

  /** Says what came of an action on an account where that is still shown. */
  async #report(action: Promise<string>, account: string): Promise<void> {
    const said = await reportOf(action);
    if (account === this.picker.value) {
      this.#notice.say(...said);
    }
  }

  async #offerFile(): Promise<string> {
    const { values, csv } = this.form();
    const query = queryOf(values, Date.now());
    const file = await exportHistory(this.picker.value, query, csvRequest(csv, HISTORY_TABLE));
    offerFile(file, "messages.csv");
    return "";
  }
}
