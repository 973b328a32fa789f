import { actAsButton, el, fillSelect, icon, select } from "../dom";
import { texts } from "../formatting";
import { conversationOf, latestOf, type SimulatedAccountChoice } from "./simulator-conversation";
import { SimulatorHint } from "./simulator-hint";
import {
  faultOf,
  readSimulators,
  runAction,
  simulatedAccounts,
  type SimulatorReading,
} from "./simulator-link";
import { SimulatorMessages } from "./simulator-messages";
import { SimulatorNextAnswer } from "./simulator-next-answer";
import { SimulatorTemplates } from "./simulator-templates";
import { SimulatorWriter } from "./simulator-writer";
import css from "./simulator.css";
import { installStyle } from "../style";

/** ms between a change at the simulator and the request for it: several changes need one request. */
const REFRESH_AFTER = 400;
/** Actions that call no webhook: what they did is shown by their forms. */
const SHOWN: ReadonlySet<string> = new Set(["next-answer", "normal", "template"]);
/** The filter that shows the messages of all accounts. */
const ALL = "";

/**
 * Acts as the recipient of simulated accounts: replies to a message, taps its suggestions, reports its status, sends an inbound
 * message, and sets the next answer of the service. Visible only while the flows have such an account.
 */
export class SimulatorPanel {
  readonly element: HTMLElement;
  readonly #body = el("div", "messaging-activity-panel");
  readonly #heading: HTMLElement;
  readonly #filter = select(texts("simulator.show"), [], () => this.#filtered());
  readonly #filterRow = el("div", "messaging-activity-row", this.#filter);
  /** Accounts that could not be read; it changes with each reading. */
  readonly #unread = el("div", "messaging-simulator-unread");
  readonly #hint = new SimulatorHint();
  readonly #messages: SimulatorMessages;
  readonly #writer: SimulatorWriter | null = null;
  readonly #nextAnswer: SimulatorNextAnswer | null = null;
  readonly #templates: SimulatorTemplates | null = null;
  readonly #mayAct = RED.user.hasPermission("flows.write");
  #accounts: readonly SimulatedAccountChoice[] = [];
  #open = false;
  #refresh: number | null = null;
  /** Number of the latest reading: an earlier one that comes later is not shown. */
  #readings = 0;

  constructor() {
    installStyle("messaging-simulator-style", css);
    this.#heading = el(
      "div",
      "messaging-activity-heading",
      icon("angle-right"),
      icon("magic"),
      el("span", "messaging-simulator-title-text", texts("simulator.title")),
    );
    actAsButton(this.#heading, () => this.#toggle());
    this.#heading.setAttribute("aria-expanded", "false");
    const complain = (text: string): void => this.#hint.complain(text);
    const act = (id: string, action: string, input: object): Promise<boolean> => this.#act(id, action, input);
    if (this.#mayAct) {
      this.#writer = new SimulatorWriter(
        (id, input) => act(id, "write", input),
        complain,
        (id) => this.#follow(id),
      );
      this.#nextAnswer = new SimulatorNextAnswer({
        apply: (id, statusCode) => void act(id, "next-answer", { statusCode }),
        undo: (id) => void act(id, "normal", {}),
        chosen: (id) => this.#chosen(id),
      });
      this.#templates = new SimulatorTemplates(
        (id, template) => act(id, "template", template),
        (id) => this.#chosen(id),
      );
    }
    this.#messages = new SimulatorMessages(
      this.#mayAct ? { act, complain, say: (text) => this.#hint.say(text) } : null,
    );
    this.#body.append(
      ...(this.#writer && this.#nextAnswer && this.#templates
        ? [this.#writer.element, this.#nextAnswer.element, this.#templates.element]
        : [el("div", "messaging-activity-quiet messaging-simulator-note", texts("simulator.readOnly"))]),
      this.#hint.element,
      this.#filterRow,
      this.#unread,
      this.#messages.element,
    );
    this.#body.addEventListener("input", () => this.#hint.clear());
    this.element = el("div", "messaging-activity-simulator", this.#heading, this.#body);
    this.#body.hidden = true;
    this.element.hidden = true;
  }

  start(): void {
    const update = (): void => this.#offer();
    for (const event of ["nodes:add", "nodes:change", "nodes:remove", "flows:loaded", "deploy"]) {
      RED.events.on(event, update);
    }
    // For example that no node receives a message: after a deploy that may be wrong.
    RED.events.on("deploy", () => this.#hint.clear());
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
    this.#accounts = accounts;
    fillSelect(this.#filter, [
      [ALL, texts("simulator.allAccounts")],
      ...accounts.map(({ id, label }) => [id, label] as const),
    ]);
    this.#filterRow.hidden = accounts.length < 2;
    this.element.hidden = accounts.length === 0;
    this.#offerForms();
    this.messageSent();
  }

  /** Accounts that pass the filter. */
  get #wanted(): readonly SimulatedAccountChoice[] {
    const { value } = this.#filter;
    return this.#accounts.filter(({ id }) => value === ALL || id === value);
  }

  #offerForms(): void {
    this.#writer?.account.offer(this.#wanted);
    this.#nextAnswer?.account.offer(this.#wanted);
    this.#templates?.account.offer(this.#wanted);
  }

  #filtered(): void {
    this.#hint.clear();
    this.#offerForms();
    this.#writer?.reset();
    this.#read();
  }

  #toggle(): void {
    this.#open = !this.#open;
    this.#body.hidden = !this.#open;
    this.element.classList.toggle("open", this.#open);
    this.#heading.setAttribute("aria-expanded", String(this.#open));
    this.#hint.clear();
    if (this.#open) {
      this.#writer?.reset();
      this.#read();
    }
  }

  /** Acts in all forms for the account that was chosen in one of them. */
  #chosen(id: string): void {
    this.#writer?.follow(id);
    this.#follow(id);
  }

  /** Acts in the others for the account of the first form. */
  #follow(id: string): void {
    this.#nextAnswer?.follow(id);
    this.#templates?.follow(id);
  }

  #read(): void {
    const reading = ++this.#readings;
    void readSimulators(this.#wanted, this.#mayAct).then((read) => {
      if (reading === this.#readings) {
        this.#show(read);
      }
    });
  }

  #show({ views, faults }: SimulatorReading): void {
    const several = this.#accounts.length > 1;
    const entries = conversationOf(views);
    this.#messages.show(entries, several);
    this.#writer?.startAt(latestOf(entries));
    this.#nextAnswer?.show(views);
    this.#templates?.show(views);
    if (this.#writer !== null) {
      this.#follow(this.#writer.account.value);
    }
    this.#unread.replaceChildren(
      ...faults.map(({ account, fault }) => {
        const why = texts(`simulator.fault.${fault}`);
        return el("div", "messaging-activity-wrong", several ? `${account.label}: ${why}` : why);
      }),
    );
  }

  async #act(accountId: string, action: string, input: object): Promise<boolean> {
    this.#hint.clear();
    try {
      const { told } = await runAction(accountId, action, input);
      this.#read();
      if (SHOWN.has(action)) {
        return true;
      }
      const number = told === 0 ? "nobody" : told === 1 ? "one" : "many";
      const values = { n: told, ...asTexts(input) };
      const text = texts(`simulator.done.${action}.${number}`, values);
      // A text that no webhook received stays in its input.
      if (told === 0) {
        this.#hint.complain(text);
      } else {
        this.#hint.say(text);
      }
      return told > 0;
    } catch (problem) {
      const fault = faultOf(problem);
      const isTemplate = action === "template" && fault === "invalid";
      this.#hint.complain(
        texts(isTemplate ? "simulator.template.templateInvalid" : `simulator.fault.${fault}`),
      );
      return false;
    }
  }
}

/** Values as they are: a status code is no count, which would get a separator. */
const asTexts = (input: object): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
