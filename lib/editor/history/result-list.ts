import type { HistoryRow, HistoryTally, MessageLife } from "../../shared/history/history";
import type { MessageRecord } from "../../shared/history/message-record";
import { SEND_COUNTERS } from "../../shared/activity";
import { afterPress } from "../activity/after-press";
import { arrange, button, el } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { channelSign, dot, FoldingRow, joined, line, quiet, simulatedMark, timeOf } from "../activity/parts";
import { toneOf } from "./history-model";
import { type MessageActions, messageDetails } from "./message-details";
import {
  channelIcon,
  channelName,
  failureText,
  longTime,
  nodeLabel,
  recipientOf,
  shortTime,
  standingOf,
} from "./wording";

/** A message that is shown. */
interface Shown {
  record: HistoryRow;
  readonly folding: FoldingRow;
  /** How often its life was read: an earlier answer that comes later is not shown. */
  readings: number;
}

const keyOf = ({ request, place }: HistoryRow): string => `${request} ${place}`;

/** The messages that a search found, newest first. Each unfolds to its life. */
export class ResultList {
  readonly element: HTMLElement;
  readonly #rows = el("div");
  readonly #tally = el("div", "messaging-activity-quiet messaging-history-tally");
  readonly #notice = new Notice("messaging-history-notice");
  readonly #more: HTMLButtonElement;
  /** For what nobody asked for: it comes when nobody presses in the list. */
  readonly whenReleased: (draw: () => void) => void;
  #shown: readonly Shown[] = [];
  /** Whether people are looked for by their names. */
  isByName = false;

  constructor(
    private readonly readLife: (record: MessageRecord) => Promise<MessageLife>,
    more: () => void,
    private readonly actions: MessageActions,
  ) {
    this.#more = button({ text: texts("history.more") }, more);
    this.#more.hidden = true;
    this.element = el(
      "div",
      "messaging-history-results",
      this.#tally,
      this.#rows,
      this.#notice.element,
      el("div", "messaging-view-more", this.#more),
    );
    this.whenReleased = afterPress(this.element);
  }

  get count(): number {
    return this.#shown.length;
  }

  has(record: HistoryRow): boolean {
    const key = keyOf(record);
    return this.#shown.some((each) => keyOf(each.record) === key);
  }

  clear(): void {
    this.#shown = [];
    this.#rows.replaceChildren();
    this.tally();
    this.say("");
    this.#more.hidden = true;
  }

  /** Adds a page. @param goesOn whether there is another one; @param one name of the account, where others have a history that is not shown; blank else; @param looked messages that were looked through where there are more */
  add(entries: readonly HistoryRow[], goesOn: boolean, one: string, looked?: number): void {
    this.#arrange([...this.#shown, ...entries.map((record) => this.#row(record))]);
    this.goesOn(goesOn);
    this.status(one, looked);
  }

  /**
   * Shows what the first pages of the same search find now. Messages stay where they are for the eye, and unfolded.
   * @param isWhole whether there is nothing behind it; else what is shown behind its last message stays
   * @returns whether something stays behind it; null where the list was left as it is, for what lies between is not known
   */
  renew(entries: readonly HistoryRow[], isWhole: boolean, looksOn: boolean): boolean | null {
    const known = new Map(this.#shown.map((each) => [keyOf(each.record), each]));
    const found = new Set(entries.map(keyOf));
    const last = entries.at(-1);
    const end =
      last === undefined ? -1 : this.#shown.findIndex(({ record }) => keyOf(record) === keyOf(last));
    if (!isWhole && !looksOn && end === -1 && this.#isRead) {
      return null;
    }
    const behind = this.#shown.slice(end + 1).filter(({ record }) => !found.has(keyOf(record)));
    const stays = isWhole || (end === -1 && !looksOn) ? [] : behind;
    const renewed = entries.map((record) => {
      const shown = known.get(keyOf(record));
      return shown === undefined ? this.#row(record) : this.#update(shown, record);
    });
    this.#inPlace(() => this.#arrange([...renewed, ...stays]));
    return stays.length > 0;
  }

  goesOn(goesOn: boolean): void {
    this.#more.hidden = !goesOn;
  }

  /** Says why there are no messages, or how many were looked through. */
  status(one: string, looked?: number): void {
    const nothing =
      this.#shown.length > 0
        ? ""
        : [
            texts(one === "" ? "history.nothing" : "history.nothingHere", { account: one }),
            ...(this.isByName ? [texts("history.namesOf")] : []),
          ].join(" ");
    this.say(looked === undefined ? nothing : texts("history.looked", { n: looked }));
  }

  /** How many there are, above the list; nothing where that is not known. */
  tally(tally?: HistoryTally): void {
    const text = tally === undefined ? "" : tallyText(tally);
    this.#tally.textContent = text;
    this.#tally.hidden = text === "";
  }

  say(text: string, wrong = false): void {
    this.#notice.say(text, wrong);
  }

  /** Whether somebody has scrolled to a message, or unfolded one. */
  get #isRead(): boolean {
    return this.#anchor() !== null || this.#shown.some(({ folding }) => folding.panel !== null);
  }

  /** The first message in view, where those before it are out of it. */
  #anchor(): HTMLElement | null {
    const top = this.#scroller?.getBoundingClientRect().top ?? 0;
    const boxOf = ({ folding }: Shown): DOMRect => folding.item.getBoundingClientRect();
    const [first] = this.#shown;
    if (first === undefined || boxOf(first).top >= top) {
      return null;
    }
    return this.#shown.find((each) => boxOf(each).bottom > top)?.folding.item ?? null;
  }

  get #scroller(): Element | null {
    return this.element.closest(".messaging-history");
  }

  /** The browser does this as well for what changes above the list, where it can. */
  #inPlace(change: () => void): void {
    const anchor = this.#anchor();
    const before = anchor?.getBoundingClientRect().top ?? 0;
    change();
    if (anchor?.isConnected) {
      this.#scroller?.scrollBy(0, anchor.getBoundingClientRect().top - before);
    }
  }

  #arrange(shown: readonly Shown[]): void {
    arrange(
      this.#rows,
      shown.map(({ folding }) => folding.item),
    );
    this.#shown = shown;
  }

  #update(shown: Shown, record: HistoryRow): Shown {
    if (JSON.stringify(shown.record) !== JSON.stringify(record)) {
      shown.record = record;
      shown.folding.head.replaceChildren(...linesOf(record));
      this.#showDetails(shown);
    }
    return shown;
  }

  #row(record: HistoryRow): Shown {
    const folding = new FoldingRow((panel) => {
      panel.append(quiet(texts("history.loading")));
      this.#showDetails(shown);
    }, "messaging-history-head");
    const shown: Shown = { record, folding, readings: 0 };
    folding.head.append(...linesOf(record));
    return shown;
  }

  #showDetails(shown: Shown): void {
    const { panel } = shown.folding;
    if (panel === null) {
      return;
    }
    const reading = ++shown.readings;
    const show = (...content: readonly HTMLElement[]): void =>
      this.whenReleased(() => {
        if (reading === shown.readings) {
          panel.replaceChildren(...content);
        }
      });
    this.readLife(shown.record).then(
      (life) => show(...messageDetails(life, this.actions)),
      (failure: unknown) => {
        // What is shown stays until it can be read again.
        if (panel.querySelector("dl") === null) {
          show(el("div", "messaging-activity-wrong", failureText(failure)));
        }
      },
    );
  }
}

function linesOf(record: HistoryRow): readonly HTMLElement[] {
  const { takenAt, channel, simulated, node, replied } = record;
  const [standing = "", delivery = ""] = standingOf(record);
  return [
    line(
      timeOf(shortTime(takenAt), longTime(takenAt)),
      channelSign(channelIcon(channel), channelName(channel)),
      el("span", "messaging-activity-who", recipientOf(record)),
      simulatedMark(simulated),
    ),
    line(
      dot(toneOf(record)),
      el("span", "messaging-activity-result", standing),
      delivery === "" ? null : el("span", "messaging-history-delivery", `· ${delivery}`),
      record.reason === null ? null : el("span", "messaging-history-delivery", `· ${record.reason}`),
      replied ? el("span", "messaging-activity-replies", `· ${texts("delivery.replied")}`) : null,
      el("span", "messaging-activity-node", nodeLabel(node)),
    ),
  ];
}

/** What a search finds in one line, for example "2,000 messages · 1,999 sent · 1 unknown"; blank for nothing. */
function tallyText({ count, more, outcomes, open }: HistoryTally): string {
  if (count === 0) {
    return "";
  }
  const all = texts(`history.tally.${more ? "more" : count === 1 ? "one" : "all"}`, { n: count });
  const found = SEND_COUNTERS.map((outcome) => {
    const n = outcomes[outcome];
    return n !== undefined && `${formatCount(n)} ${texts(`result.${outcome}`)}`;
  });
  return more ? all : joined(all, ...found, open > 0 && texts("history.tally.open", { n: open }));
}
