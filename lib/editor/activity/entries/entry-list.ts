import { formatMoment } from "../../dialog/locale";
import { MOST_ENTRIES, MOST_REFUSALS } from "../../../shared/activity";
import { afterPress } from "../after-press";
import { arrange, el, icon } from "../dom";
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
} from "../formatting";
import { channelSign, dot, FoldingRow, line, simulatedMark, timeOf, titled } from "../parts";
import { type ActivityFilter, isRefusal, passes, type ShownEntry } from "../model";

/** Why the list is empty, where it is not because of the words of a filter. */
export type NumberState = "looking" | "none" | "short" | "busy" | null;

interface Row {
  readonly folding: FoldingRow;
  entry: ShownEntry;
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
    return row.folding.item;
  }

  #newRow(entry: ShownEntry): Row {
    const row: Row = { folding: new FoldingRow(() => this.#showDetails(row)), entry };
    row.folding.item.dataset.key = keyOf(entry);
    return row;
  }

  #fill(row: Row, entry: ShownEntry): void {
    const isNews = row.entry !== entry;
    row.entry = entry;
    row.folding.head.replaceChildren(...linesOf(entry));
    if (isNews) {
      this.#showDetails(row);
    }
  }

  #showDetails(row: Row): void {
    const {
      entry,
      folding: { panel },
    } = row;
    if (panel !== null) {
      showDetails(panel, entry, this.epoch(), (draw) =>
        this.#draw(() => {
          if (row.entry === entry) {
            draw();
          }
        }),
      );
    }
  }
}

function explain(filtered: boolean, number: NumberState): Node[] {
  if (!filtered) {
    return [el("p", "", texts("empty.title")), el("p", "messaging-activity-quiet", texts("empty.hint"))];
  }
  const text =
    number === null ? texts("empty.filtered", { n: MOST_ENTRIES }) : texts(`empty.number.${number}`);
  return [el("p", "", text)];
}

function linesOf(entry: ShownEntry): HTMLElement[] {
  const { at, channel, simulated } = entry;
  const replies = repliesOf(entry);
  return [
    line(
      timeOf(formatTime(at), formatMoment(at)),
      channelSign(CHANNEL_ICONS[channel], texts(`channel.${channel}`)),
      el("span", "messaging-activity-who", whoOf(entry)),
      simulatedMark(simulated),
      el("span", "messaging-activity-chevron", icon("angle-right")),
    ),
    line(
      dot(toneOf(entry)),
      el("span", "messaging-activity-result", standingOf(entry)),
      replies === "" ? null : el("span", "messaging-activity-replies", `· ${replies}`),
      // The complete text as tooltip, because the line can be cut off.
      titled("messaging-activity-detail", detailOf(entry), detailOf(entry)),
      el("span", "messaging-activity-node", labelOf(entry)),
    ),
  ];
}
