import { actAsButton, el, fillSelect, icon, select } from "./dom";
import { readSimulator, runAction, SimulatorProblem, simulatedAccounts } from "./simulator-link";
import { buildNextAnswer, buildWriter } from "./simulator-forms";
import { SimulatorMessages } from "./simulator-messages";
import { texts } from "./formatting";

/** ms between a change at the simulator and the request for it: several changes need one request. */
const REFRESH_AFTER = 400;

/**
 * Acts as the recipient of simulated accounts: replies to a message, reports its status, sends an inbound message, and
 * sets the next answer of the service. Visible only while the flows have such an account.
 */
export class SimulatorPanel {
  readonly element: HTMLElement;
  readonly #body = el("div", "messaging-activity-panel");
  readonly #heading: HTMLElement;
  readonly #accounts: HTMLSelectElement;
  readonly #said = el("div", "messaging-activity-said");
  readonly #messages: SimulatorMessages;
  readonly #mayAct = RED.user.hasPermission("flows.write");
  #open = false;
  #refresh: number | null = null;

  constructor() {
    this.#heading = el(
      "div",
      "messaging-activity-heading",
      icon("angle-right"),
      icon("magic"),
      texts("simulator.title"),
    );
    actAsButton(this.#heading, () => this.#toggle());
    this.#accounts = select(texts("simulator.account"), [], () => {
      this.#say("");
      this.#read();
    });
    this.#said.setAttribute("role", "status");
    const mayAct = this.#mayAct;
    const act = (action: string, input: object): Promise<boolean> => this.#act(action, input);
    this.#messages = new SimulatorMessages(mayAct, (message, action, input) =>
      act(action, { transferId: message.transferId, ...input }),
    );
    this.#body.append(
      el("label", "messaging-activity-row", el("span", "", texts("simulator.account")), this.#accounts),
      ...(mayAct
        ? [buildWriter(act), buildNextAnswer(act)]
        : [el("div", "messaging-activity-quiet", texts("simulator.readOnly"))]),
      this.#said,
      this.#messages.element,
    );
    this.element = el("div", "messaging-activity-simulator", this.#heading, this.#body);
    this.#body.hidden = true;
    this.element.hidden = true;
  }

  start(): void {
    const update = (): void => this.#offer();
    for (const event of ["nodes:add", "nodes:change", "nodes:remove", "flows:loaded", "deploy"]) {
      RED.events.on(event, update);
    }
    this.#offer();
  }

  /** Refreshes the list after a simulated message. */
  messageSent(): void {
    if (!this.#open || this.#refresh !== null) {
      return;
    }
    this.#refresh = window.setTimeout(() => {
      this.#refresh = null;
      this.#read();
    }, REFRESH_AFTER);
  }

  #offer(): void {
    const accounts = simulatedAccounts();
    const { value } = this.#accounts;
    fillSelect(
      this.#accounts,
      accounts.map(({ id, label }) => [id, label] as const),
    );
    this.element.hidden = accounts.length === 0;
    if (this.#open && this.#accounts.value !== value) {
      this.#read();
    }
  }

  #toggle(): void {
    this.#open = !this.#open;
    this.#body.hidden = !this.#open;
    this.element.classList.toggle("open", this.#open);
    this.#heading.setAttribute("aria-expanded", String(this.#open));
    if (this.#open) {
      this.#read();
    }
  }

  #read(): void {
    const { value: id } = this.#accounts;
    if (id === "") {
      return;
    }
    readSimulator(id, this.#mayAct).then(
      ({ messages }) => id === this.#accounts.value && this.#messages.show(messages),
      (problem: unknown) => {
        this.#messages.show([]);
        this.#complain(problem);
      },
    );
  }

  async #act(action: string, input: object): Promise<boolean> {
    try {
      const { told } = await runAction(this.#accounts.value, action, input);
      const isAnswer = action === "next-answer" || action === "normal";
      const key = isAnswer ? "" : told === 0 ? `.nobody` : told === 1 ? ".one" : ".many";
      this.#say(texts(`simulator.done.${action}${key}`, { n: told, ...asTexts(input) }));
      this.messageSent();
      // A text that no webhook received stays in its input.
      return isAnswer || told > 0;
    } catch (problem) {
      this.#complain(problem);
      return false;
    }
  }

  #say(text: string, bad = false): void {
    this.#said.textContent = text;
    this.#said.classList.toggle("messaging-activity-wrong", bad);
  }

  #complain(problem: unknown): void {
    const fault = problem instanceof SimulatorProblem ? problem.fault : "down";
    this.#say(texts(`simulator.fault.${fault}`), true);
  }
}

/** Values as they are: a status code is no count, which would get a separator. */
const asTexts = (input: object): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
