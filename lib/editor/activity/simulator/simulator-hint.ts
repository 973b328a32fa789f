import { Notice } from "../notice";

/** ms that a message about something that worked stays. */
const STAYS = 10_000;

/** The line that says what an action did. What worked goes away by itself, a fault with the next action or input. */
export class SimulatorHint {
  readonly #notice = new Notice("messaging-activity-said");
  readonly element = this.#notice.element;
  #timer: number | undefined;

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
    clearTimeout(this.#timer);
    this.#notice.say(text, wrong);
  }
}
