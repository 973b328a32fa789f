import { el } from "../dom";

/** ms that a message about something that worked stays. */
const STAYS = 10_000;

/** The line that says what an action did. What worked goes away by itself, a fault with the next action or input. */
export class SimulatorHint {
  readonly element = el("div", "messaging-activity-said");
  #timer: number | null = null;

  constructor() {
    this.element.setAttribute("role", "status");
  }

  say(text: string): void {
    this.#show(text, false);
    this.#timer = window.setTimeout(() => this.clear(), STAYS);
  }

  complain(text: string): void {
    this.#show(text, true);
  }

  clear(): void {
    this.#show("", false);
  }

  #show(text: string, wrong: boolean): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    this.element.textContent = text;
    this.element.classList.toggle("messaging-activity-wrong", wrong);
  }
}
