import {
  type Counted,
  type Counters,
  EVENT_COUNTERS,
  FILE_COUNTERS,
  SEND_COUNTERS,
} from "../../shared/activity";
import { el } from "./dom";
import { formatMoment } from "../dialog/locale";
import { formatCount, TONES, texts } from "./formatting";
import type { ActivityModel } from "./model";
import { dot } from "./parts";

const ALL: readonly Counted[] = [...SEND_COUNTERS, ...FILE_COUNTERS, ...EVENT_COUNTERS];

const TIME = { hour: "2-digit", minute: "2-digit" } as const;

/** The time, with the day where that is another one. */
const sinceTime = (at: number): string =>
  formatMoment(
    at,
    new Date(at).toDateString() === new Date().toDateString()
      ? TIME
      : { day: "2-digit", month: "2-digit", ...TIME },
  );

/** A button for each result with its count; a pressed button filters the list by it. */
export class CounterChips {
  readonly element = el("div", "messaging-activity-chips");
  readonly #since = el("span", "messaging-activity-since");
  readonly #chips = new Map<Counted, { readonly chip: HTMLButtonElement; readonly count: HTMLElement }>();
  #chosen: Counted | null = null;

  constructor(private readonly chosen: (result: Counted | null) => void) {
    for (const result of ALL) {
      const count = el("b");
      const chip = el(
        "button",
        "messaging-activity-chip",
        dot(TONES[result]),
        count,
        texts(`result.${result}`),
      );
      chip.type = "button";
      chip.addEventListener("click", () => this.choose(this.#chosen === result ? null : result));
      RED.popover.tooltip($(chip), texts(`meaning.${result}`));
      this.#chips.set(result, { chip, count });
      this.element.append(chip);
    }
    this.element.append(this.#since);
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

  /** Shows when the counts began. */
  since({ since, cleared }: Pick<ActivityModel, "since" | "cleared">): void {
    this.#since.textContent =
      since === 0 ? "" : texts(cleared ? "since.cleared" : "since.start", { time: sinceTime(since) });
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
