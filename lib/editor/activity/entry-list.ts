import { formatMoment } from "../dialog/locale";
import { MOST_ENTRIES, MOST_REFUSALS } from "../../shared/activity";
import { actAsButton, el, icon } from "./dom";
import { type ActivityFilter, isRefusal, passes, type ShownEntry } from "./model";
import { nodeOf, reveal } from "./node-lookup";
import { CHANNEL_ICONS, formatTime, detailOf, labelOf, TONES, textOf, texts, whoOf } from "./formatting";

/** The list of entries, newest first. */
export class EntryList {
  readonly element = el("div", "messaging-activity-entries");
  readonly #rows = el("div");
  /** Rows of refusals by id: a refusal has one row, which moves to the top when its count rises. */
  readonly #refusals = new Map<number, HTMLElement>();
  readonly #empty = el("div", "messaging-activity-empty");

  constructor() {
    this.element.append(this.#empty, this.#rows);
  }

  /** Shows all entries that pass the filter. */
  showAll(entries: readonly ShownEntry[], filter: ActivityFilter): void {
    this.#rows.replaceChildren();
    this.#refusals.clear();
    this.add(entries, filter);
    const nothing = this.#rows.childElementCount === 0;
    this.#empty.replaceChildren(...(nothing ? this.#explain(entries.length > 0) : []));
    this.#empty.hidden = !nothing;
  }

  /** @param entries newer than the shown ones, with refusals whose count rose, oldest first */
  add(entries: readonly ShownEntry[], filter: ActivityFilter): void {
    const shown = entries.filter((entry) => passes(entry, filter, textOf));
    if (shown.length === 0) {
      return;
    }
    const { scrollTop, scrollHeight } = this.element;
    this.#empty.hidden = true;
    this.#rows.prepend(...shown.map((entry) => this.#rowOf(entry)).reverse());
    while (this.#rows.childElementCount > MOST_ENTRIES + MOST_REFUSALS) {
      this.#rows.lastElementChild?.remove();
    }
    // Entries stay in place for a user who has scrolled down.
    if (scrollTop > 0) {
      this.element.scrollTop = scrollTop + this.element.scrollHeight - scrollHeight;
    }
  }

  #rowOf(entry: ShownEntry): HTMLElement {
    const made = row(entry);
    if (isRefusal(entry)) {
      this.#refusals.get(entry.id)?.remove();
      this.#refusals.set(entry.id, made);
    }
    return made;
  }

  #explain(filtered: boolean): Node[] {
    return filtered
      ? [el("p", "", texts("empty.filtered", { n: MOST_ENTRIES }))]
      : [el("p", "", texts("empty.title")), el("p", "messaging-activity-quiet", texts("empty.hint"))];
  }
}

function row(entry: ShownEntry): HTMLElement {
  const { at, channel, result, simulated } = entry;
  const label = labelOf(entry);
  const channelIcon = el("span", "messaging-activity-channel", icon(CHANNEL_ICONS[channel]));
  channelIcon.title = texts(`channel.${channel}`);
  const when = el("span", "messaging-activity-time", formatTime(at));
  when.title = formatMoment(at);
  const detail = el("span", "messaging-activity-detail", detailOf(entry));
  // The complete text, because the line can be cut off.
  detail.title = detailOf(entry);
  const element = el(
    "div",
    "messaging-activity-entry",
    el(
      "div",
      "messaging-activity-line",
      when,
      channelIcon,
      el("span", "messaging-activity-who", whoOf(entry)),
      simulated ? el("span", "messaging-activity-simulated", texts("simulated")) : null,
    ),
    el(
      "div",
      "messaging-activity-line",
      el("i", `messaging-activity-dot messaging-activity-${TONES[result]}`),
      el("span", "messaging-activity-result", texts(`result.${result}`)),
      detail,
      el("span", "messaging-activity-node", label),
    ),
  );
  if (nodeOf(entry) !== null) {
    actAsButton(element, () => reveal(entry));
    element.title = texts("reveal");
  }
  return element;
}
