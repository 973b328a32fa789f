import type { HistoryPage, HistoryPlace, HistoryQuery } from "../../shared/history/history";
import type { AccountPicker } from "../activity/accounts/account-picker";
import { accountLabel } from "../activity/accounts/accounts";
import { texts } from "../activity/formatting";
import { RequestFailure } from "../activity/request";
import { searchHistory } from "./history-link";
import { type SearchForm as FormValues, queryOf } from "./history-model";
import type { ResultList } from "./result-list";

/** Pages that are read to renew what is shown. */
const MOST_RENEWED = 4;

/** Messages that a search has found, page by page, and what became of them since. */
export class MessageSearch {
  /** What the shown entries were searched by, and where the next page begins. */
  #query: HistoryQuery = {};
  #next: HistoryPlace | null = null;
  #searches = 0;
  /** Whether a page is being read. */
  #reading = false;
  /** Whether the list says why there are no messages. */
  #isFailing = false;

  /** @param failed shows why there are no messages */
  constructor(
    private readonly picker: AccountPicker,
    private readonly list: ResultList,
    private readonly failed: (failure: unknown) => void,
  ) {}

  /** What is being read is not shown any more. */
  stop(): void {
    this.#searches++;
    this.#reading = false;
  }

  /** Reads the first page of what fits the form. */
  search(values: FormValues): Promise<void> {
    this.#query = queryOf(values, Date.now());
    this.list.say(texts("history.loading"));
    return this.#read(null);
  }

  more(): void {
    void this.#read(this.#next);
  }

  async #read(after: HistoryPlace | null): Promise<void> {
    const search = ++this.#searches;
    this.#reading = true;
    try {
      const { entries, next, looked, tally } = await searchHistory(this.picker.value, this.#query, after);
      // Another search began meanwhile.
      if (search === this.#searches) {
        this.#next = next;
        this.#isFailing = false;
        this.list.isByName = this.#query.name !== undefined;
        this.list.add(entries, next !== null, this.#oneOfSeveral, looked);
        if (tally !== undefined) {
          this.list.tally(tally);
        }
      }
    } catch (failure) {
      if (search === this.#searches) {
        this.fail(failure);
      }
    } finally {
      if (search === this.#searches) {
        this.#reading = false;
      }
    }
  }

  /** Shows what the search finds now, in the messages that are shown and before them. */
  async renew(values: FormValues, isCurrent: () => boolean): Promise<void> {
    const search = this.#searches;
    const isOld = (): boolean => !isCurrent() || search !== this.#searches || this.#reading;
    if (isOld()) {
      return;
    }
    try {
      const page = await this.#readAgain(queryOf(values, Date.now()), isOld);
      this.list.whenReleased(() => {
        if (!isOld()) {
          this.#showAgain(page);
        }
      });
    } catch (failure) {
      if (!isOld() && !(failure instanceof RequestFailure && failure.fault === "busy")) {
        this.fail(failure);
      }
    }
  }

  /** The first pages, until one has a message that is shown. @param isOld asked before each further page */
  async #readAgain(query: HistoryQuery, isOld: () => boolean): Promise<HistoryPage> {
    const account = this.picker.value;
    const first = await searchHistory(account, query, null);
    let [entries, next] = [first.entries, first.next];
    for (let page = 1; page < MOST_RENEWED && next !== null && this.list.count > 0; page++) {
      const last = entries.at(-1);
      if (isOld() || first.looked !== undefined || last === undefined || this.list.has(last)) {
        break;
      }
      const more = await searchHistory(account, query, next);
      entries = [...entries, ...more.entries];
      next = more.next;
    }
    return { ...first, entries, next };
  }

  #showAgain({ entries, next, looked, tally }: HistoryPage): void {
    const wasEmpty = this.list.count === 0;
    const stays = this.list.renew(entries, next === null, looked !== undefined);
    if (stays === false) {
      this.#next = next;
      this.list.goesOn(next !== null);
    }
    if (tally !== undefined) {
      this.list.tally(tally);
    }
    if (this.#isFailing || wasEmpty !== (this.list.count === 0)) {
      this.#isFailing = false;
      this.list.status(this.#oneOfSeveral, looked);
    }
  }

  /** Says why there are no messages, until there are. */
  fail(failure: unknown): void {
    this.#isFailing = true;
    this.failed(failure);
  }

  /** Name of the account, where others have a history that is not shown; blank else. */
  get #oneOfSeveral(): string {
    return this.picker.isOneOfSeveral ? accountLabel(this.picker.value) : "";
  }
}
