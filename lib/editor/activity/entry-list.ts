import { formatMoment } from "../dialog/locale";
import { MOST_ENTRIES, MOST_REFUSALS } from "../../shared/activity";
import { afterPress } from "./after-press";
import { actAsButton, arrange, el, icon } from "./dom";
import { showDetails } from "./entry-details";
import {
  CHANNEL_ICONS,
  detailOf,
  formatTime,
  labelOf,
  repliesOf,
  standingOf,
  textOf,
  texts,
  toneOf,
  whoOf,
} from "./formatting";
import { type ActivityFilter, isRefusal, passes, type ShownEntry } from "./model";

/** Why the list is empty, where it is not because of the words of a filter. */
export type NumberState = "looking" | "none" | "short" | "busy" | null;

interface Row {
  readonly item: HTMLElement;
  readonly head: HTMLElement;
  entry: ShownEntry;
  /** Present while it is open. */
  panel: HTMLElement | null;
}

/** Refusals have ids of their own. */
const keyOf = (entry: ShownEntry): string => `${isRefusal(entry) ? "refusal" : "entry"}-${entry.id}`;

/** The list of entries, newest first. Each unfolds to its details; the list scrolls with the view around it. */
export class EntryList {
  readonly element = el("div", "messaging-activity-entries");
  readonly #rows = el("div");
  readonly #shown = new Map<string, Row>();
  /** Of the shown entries: the ids of another one begin anew. */
  #epoch = "";
  readonly #empty = el("div", "messaging-activity-empty");
  readonly #draw = afterPress(this.element);

  /** @param epoch the one of the entries, asked when a row opens */
  constructor(private readonly epoch: () => string) {
    this.#empty.setAttribute("role", "status");
    this.element.append(this.#empty, this.#rows);
  }

  /** Shows all entries that pass the filter; open ones stay open. */
  showAll(entries: readonly ShownEntry[], filter: ActivityFilter, number: NumberState = null): void {
    this.#draw(() => this.#showAll(entries, filter, number));
  }

  #showAll(entries: readonly ShownEntry[], filter: ActivityFilter, number: NumberState): void {
    const epoch = this.epoch();
    const before = new Map(epoch === this.#epoch ? this.#shown : []);
    this.#epoch = epoch;
    this.#shown.clear();
    const wanted = entries.filter((entry) => passes(entry, filter, textOf));
    const rows = wanted.map((entry) => this.#rowOf(entry, before.get(keyOf(entry))));
    arrange(this.#rows, rows.reverse());
    const nothing = rows.length === 0;
    this.#empty.replaceChildren(...(nothing ? explain(entries.length > 0, number) : []));
    this.#empty.hidden = !nothing;
  }

  /** @param entries newer than the shown ones, with refusals whose count rose, oldest first */
  add(entries: readonly ShownEntry[], filter: ActivityFilter): void {
    this.#draw(() => this.#add(entries, filter));
  }

  #add(entries: readonly ShownEntry[], filter: ActivityFilter): void {
    const wanted = entries.filter((entry) => passes(entry, filter, textOf));
    if (wanted.length === 0) {
      return;
    }
    this.#empty.hidden = true;
    this.#keepingPlace(() => {
      this.#rows.prepend(
        ...wanted.map((entry) => this.#rowOf(entry, this.#shown.get(keyOf(entry)))).reverse(),
      );
      while (this.#rows.childElementCount > MOST_ENTRIES + MOST_REFUSALS) {
        const last = this.#rows.lastElementChild as HTMLElement;
        this.#shown.delete(last.dataset.key ?? "");
        last.remove();
      }
    });
  }

  /** Entries say more than before. Returns false where one that is not shown passes the filter now. */
  change(entries: readonly ShownEntry[], filter: ActivityFilter): boolean {
    let complete = true;
    for (const entry of entries) {
      const row = this.#shown.get(keyOf(entry));
      if (row !== undefined) {
        this.#draw(() => this.#fill(row, entry));
      } else if (passes(entry, filter, textOf)) {
        complete = false;
      }
    }
    return complete;
  }

  /** Entries stay in place for a user who has scrolled down to them. */
  #keepingPlace(change: () => void): void {
    const scroller = this.element.parentElement;
    const isAbove =
      scroller !== null && this.element.getBoundingClientRect().top < scroller.getBoundingClientRect().top;
    const height = this.element.offsetHeight;
    change();
    if (isAbove) {
      scroller.scrollTop += this.element.offsetHeight - height;
    }
  }

  /** A row, or the one that shows the entry already, with what is new in it. */
  #rowOf(entry: ShownEntry, known: Row | undefined): HTMLElement {
    const row = known ?? this.#newRow(entry);
    this.#shown.set(keyOf(entry), row);
    this.#fill(row, entry);
    return row.item;
  }

  #newRow(entry: ShownEntry): Row {
    const head = el("div", "messaging-activity-entry");
    const item = el("div", "messaging-activity-item", head);
    item.dataset.key = keyOf(entry);
    head.setAttribute("aria-expanded", "false");
    const row: Row = { item, head, entry, panel: null };
    actAsButton(head, () => this.#toggle(row));
    return row;
  }

  #fill(row: Row, entry: ShownEntry): void {
    const isNews = row.entry !== entry;
    row.entry = entry;
    row.head.replaceChildren(...linesOf(entry));
    if (row.panel !== null && isNews) {
      this.#showDetails(row.panel, row);
    }
  }

  #showDetails(panel: HTMLElement, row: Row): void {
    const { entry } = row;
    showDetails(panel, entry, this.epoch(), (draw) =>
      this.#draw(() => {
        if (row.entry === entry) {
          draw();
        }
      }),
    );
  }

  #toggle(row: Row): void {
    const opens = row.panel === null;
    row.head.setAttribute("aria-expanded", String(opens));
    row.item.classList.toggle("open", opens);
    if (row.panel !== null) {
      row.panel.remove();
      row.panel = null;
      return;
    }
    row.panel = el("div", "messaging-activity-details");
    row.item.append(row.panel);
    this.#showDetails(row.panel, row);
  }
}

function explain(filtered: boolean, number: NumberState): Node[] {
  if (!filtered) {
    return [el("p", "", texts("empty.title")), el("p", "messaging-activity-quiet", texts("empty.hint"))];
  }
  return [
    el(
      "p",
      "",
      number === null ? texts("empty.filtered", { n: MOST_ENTRIES }) : texts(`empty.number.${number}`),
    ),
  ];
}

function linesOf(entry: ShownEntry): HTMLElement[] {
  const { at, channel, simulated } = entry;
  const channelIcon = el("span", "messaging-activity-channel", icon(CHANNEL_ICONS[channel]));
  channelIcon.title = texts(`channel.${channel}`);
  const when = el("span", "messaging-activity-time", formatTime(at));
  when.title = formatMoment(at);
  const detail = el("span", "messaging-activity-detail", detailOf(entry));
  // The complete text, because the line can be cut off.
  detail.title = detailOf(entry);
  const replies = repliesOf(entry);
  const chevron = el("span", "messaging-activity-chevron", icon("angle-right"));
  return [
    el(
      "div",
      "messaging-activity-line",
      when,
      channelIcon,
      el("span", "messaging-activity-who", whoOf(entry)),
      simulated ? el("span", "messaging-activity-simulated", texts("simulated")) : null,
      chevron,
    ),
    el(
      "div",
      "messaging-activity-line",
      el("i", `messaging-activity-dot messaging-activity-${toneOf(entry)}`),
      el("span", "messaging-activity-result", standingOf(entry)),
      replies === "" ? null : el("span", "messaging-activity-replies", `· ${replies}`),
      detail,
      el("span", "messaging-activity-node", labelOf(entry)),
    ),
  ];
}
