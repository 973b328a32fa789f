import { STATUS_CODES } from "../../../shared/outcomes";
import { button, el, select } from "../dom";
import { texts } from "../formatting";
import { AccountChoice } from "./simulator-accounts";

export interface NextAnswerActions {
  readonly apply: (accountId: string, statusCode: number) => void;
  readonly undo: (accountId: string) => void;
  /** A person has chosen the account of this form. */
  readonly chosen: (accountId: string) => void;
}

/** The form that sets the answer to the next message, and says what it is as long as it is to come. */
export class SimulatorNextAnswer {
  readonly element: HTMLElement;
  readonly account: AccountChoice;
  readonly #state = el("span", "messaging-simulator-state");
  readonly #undo: HTMLElement;

  constructor({ apply, undo, chosen }: NextAnswerActions) {
    this.account = new AccountChoice(chosen, () => this.#say());
    const names = new Map<number, Set<string>>();
    for (const { code, name } of STATUS_CODES) {
      names.set(code, (names.get(code) ?? new Set()).add(name));
    }
    const codes = [...names].sort(([one], [other]) => one - other);
    const code = select(
      texts("simulator.nextAnswer"),
      codes.map(([each, all]) => [String(each), `${each} ${[...all].join(" / ")}`] as const),
    );
    code.value = "5003";
    this.#state.setAttribute("role", "status");
    this.#undo = el(
      "div",
      "messaging-activity-row messaging-simulator-next",
      this.#state,
      button({ icon: "undo", tip: texts("simulator.normal") }, () => undo(this.account.value)),
    );
    this.#undo.hidden = true;
    this.element = el(
      "fieldset",
      "",
      el("legend", "", texts("simulator.nextAnswer")),
      this.account.element,
      el(
        "div",
        "messaging-activity-row",
        code,
        button({ text: texts("simulator.apply") }, () => apply(this.account.value, Number(code.value))),
      ),
      this.#undo,
    );
  }

  #say(): void {
    const statusCode = this.account.view?.nextAnswer ?? null;
    this.#undo.hidden = statusCode === null;
    this.#state.textContent =
      statusCode === null ? "" : texts("simulator.answersNext", { statusCode: String(statusCode) });
  }
}
