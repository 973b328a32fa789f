import { type Counted, type Counters, EVENT_COUNTERS, SEND_COUNTERS } from "../../shared/activity";
import { el } from "./dom";
import { formatCount, TONES, texts } from "./formatting";

const ALL: readonly Counted[] = [...SEND_COUNTERS, ...EVENT_COUNTERS];

/** A button for each result with its count; a pressed button filters the list by it. */
export class CounterChips {
  readonly element = el("div", "messaging-activity-chips");
  readonly #chips = new Map<Counted, { readonly chip: HTMLButtonElement; readonly count: HTMLElement }>();
  #chosen: Counted | null = null;

  constructor(private readonly chosen: (result: Counted | null) => void) {
    for (const result of ALL) {
      const count = el("b");
      const chip = el(
        "button",
        "messaging-activity-chip",
        el("i", `messaging-activity-dot messaging-activity-${TONES[result]}`),
        count,
        texts(`result.${result}`),
      );
      chip.type = "button";
      chip.addEventListener("click", () => this.choose(this.#chosen === result ? null : result));
      RED.popover.tooltip($(chip), texts(`meaning.${result}`));
      this.#chips.set(result, { chip, count });
      this.element.append(chip);
    }
    this.show({});
  }

  show(counters: Counters): void {
    for (const [result, { chip, count }] of this.#chips) {
      const n = counters[result] ?? 0;
      count.textContent = formatCount(n);
      chip.hidden = n === 0 && result !== this.#chosen;
    }
    this.element.hidden = [...this.#chips.values()].every(({ chip }) => chip.hidden);
  }

  choose(result: Counted | null): void {
    this.#chosen = result;
    for (const [each, { chip }] of this.#chips) {
      chip.classList.toggle("selected", each === result);
      chip.setAttribute("aria-pressed", String(each === result));
    }
    this.chosen(result);
  }
}
