import type { HistoryRow, MessageLife } from "../../shared/history";
import type { MessageRecord } from "../../shared/message-record";
import { actAsButton, button, el, icon } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { toneOf } from "./history-model";
import { messageDetails } from "./message-details";
import { channelIcon, failureText, longTime, nodeLabel, shortTime, standingOf } from "./wording";

/** The messages that a search found, newest first. Each unfolds to its life. */
export class ResultList {
  readonly element: HTMLElement;
  readonly #rows = el("div");
  readonly #tally = el("div", "messaging-history-quiet messaging-history-tally");
  readonly #notice = el("div", "messaging-history-notice");
  readonly #more: HTMLButtonElement;

  constructor(
    private readonly readLife: (record: MessageRecord) => Promise<MessageLife>,
    more: () => void,
  ) {
    this.#more = button({ text: texts("history.more") }, more);
    this.#more.hidden = true;
    this.#notice.setAttribute("role", "status");
    this.element = el(
      "div",
      "messaging-history-results",
      this.#tally,
      this.#rows,
      this.#notice,
      el("div", "messaging-history-more", this.#more),
    );
  }

  clear(): void {
    this.#rows.replaceChildren();
    this.tally("");
    this.say("");
    this.#more.hidden = true;
  }

  /** Adds a page. @param goesOn whether there is another one; @param several whether other accounts have a history as well; @param looked messages that were looked through where there are more */
  add(entries: readonly HistoryRow[], goesOn: boolean, several: boolean, looked?: number): void {
    this.#rows.append(...entries.map((record) => this.#row(record)));
    this.#more.hidden = !goesOn;
    const nothing = this.#rows.childElementCount === 0;
    this.say(
      looked === undefined
        ? nothing
          ? texts(several ? "history.nothingHere" : "history.nothing")
          : ""
        : texts("history.looked", { n: formatCount(looked) }),
    );
  }

  /** How many there are, above the list. */
  tally(text: string): void {
    this.#tally.textContent = text;
    this.#tally.hidden = text === "";
  }

  say(text: string, wrong = false): void {
    this.#notice.textContent = text;
    this.#notice.hidden = text === "";
    this.#notice.classList.toggle("messaging-activity-wrong", wrong);
  }

  #row(record: HistoryRow): HTMLElement {
    const { takenAt, channel, recipient, simulated, node, replied } = record;
    const when = el("span", "messaging-activity-time", shortTime(takenAt));
    when.title = longTime(takenAt);
    const sign = el("span", "messaging-activity-channel", icon(channelIcon(channel)));
    sign.title = channel;
    const [standing = "", delivery = ""] = standingOf(record);
    const head = el(
      "div",
      "messaging-history-head",
      el(
        "div",
        "messaging-activity-line",
        when,
        sign,
        el("span", "messaging-activity-who", recipient),
        simulated ? el("span", "messaging-activity-simulated", texts("simulated")) : null,
      ),
      el(
        "div",
        "messaging-activity-line",
        el("i", `messaging-activity-dot messaging-activity-${toneOf(record)}`),
        el("span", "messaging-activity-result", standing),
        delivery === "" ? null : el("span", "messaging-history-delivery", `· ${delivery}`),
        replied ? el("span", "messaging-activity-replies", `· ${texts("delivery.replied")}`) : null,
        el("span", "messaging-activity-node", nodeLabel(node)),
      ),
    );
    const item = el("div", "messaging-history-item", head);
    head.setAttribute("aria-expanded", "false");
    actAsButton(head, () => this.#toggle(record, item, head));
    return item;
  }

  #toggle(record: MessageRecord, item: HTMLElement, head: HTMLElement): void {
    const opens = item.childElementCount === 1;
    head.setAttribute("aria-expanded", String(opens));
    if (!opens) {
      item.lastElementChild?.remove();
      return;
    }
    const details = el("div", "", el("div", "messaging-history-quiet", texts("history.loading")));
    item.append(details);
    this.readLife(record).then(
      (life) => details.replaceChildren(messageDetails(life)),
      (failure: unknown) =>
        details.replaceChildren(el("div", "messaging-activity-wrong", failureText(failure))),
    );
  }
}
