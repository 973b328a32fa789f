import { installStyle } from "../../dialog/style";
import { Collapsible } from "../collapsible";
import { el, fillSelect, icon, select } from "../dom";
import { onFlowsChanged, type Choice } from "../accounts/accounts";
import { deliveryWord, texts } from "../formatting";
import { conversationOf, latestOf } from "./simulator-conversation";
import { SimulatorHint } from "./simulator-hint";
import { refusalText } from "./refusal-text";
import {
  faultOf,
  readSimulators,
  runAction,
  simulatedAccounts,
  type SimulatorReading,
} from "./simulator-link";
import { SimulatorMessages } from "./simulator-messages";
import { nextAnswerForm } from "./simulator-next-answer";
import { templatesForm } from "./simulator-templates";
import { SimulatorWriter } from "./simulator-writer";
import css from "./simulator.css";

/** ms between a change at the simulator and the request for it: several changes need one request. */
const REFRESH_AFTER = 400;
/** Actions that call no webhook: what they did is shown by their forms. */
const SHOWN: ReadonlySet<string> = new Set(["next-answer", "normal", "template"]);
/** The filter that shows the messages of all accounts. */
const ALL = "";

interface Forms {
  readonly writer: SimulatorWriter;
  readonly nextAnswer: ReturnType<typeof nextAnswerForm>;
  readonly templates: ReturnType<typeof templatesForm>;
}

const formsIn = (forms: Forms | null) =>
  forms === null ? [] : [forms.writer, forms.nextAnswer, forms.templates];

/**
 * Acts as the recipient of simulated accounts: replies to a message, taps its suggestions, reports its status, sends an inbound
 * message, and sets the next answer of the service. Visible only while the flows have such an account.
 */
export class SimulatorPanel {
  readonly element: HTMLElement;
  readonly #part: Collapsible;
  readonly #filter = select(texts("simulator.show"), [], () => this.#filtered());
  readonly #filterRow = el("div", "messaging-activity-row", this.#filter);
  /** Accounts that could not be read; it changes with each reading. */
  readonly #unread = el("div", "messaging-simulator-unread");
  readonly #hint = new SimulatorHint();
  readonly #messages: SimulatorMessages;
  readonly #mayAct = RED.user.hasPermission("flows.write");
  readonly #forms: Forms | null;
  #accounts: readonly Choice[] = [];
  #refresh: number | null = null;
  /** Number of the latest reading: an earlier one that comes later is not shown. */
  #readings = 0;

  constructor() {
    installStyle("messaging-simulator-style", css);
    const complain = (text: string): void => this.#hint.complain(text);
    const act = (id: string, action: string, input: object): Promise<boolean> => this.#act(id, action, input);
    this.#forms = this.#mayAct
      ? {
          writer: new SimulatorWriter(
            (id, input) => act(id, "write", input),
            complain,
            (id) => this.#follow(id),
          ),
          nextAnswer: nextAnswerForm(
            (id, action, input) => void act(id, action, input),
            (id) => this.#chosen(id),
          ),
          templates: templatesForm(
            (id, template) => act(id, "template", template),
            (id) => this.#chosen(id),
          ),
        }
      : null;
    this.#messages = new SimulatorMessages(
      this.#mayAct ? { act, complain, say: (text) => this.#hint.say(text) } : null,
    );
    const body = el(
      "div",
      "messaging-activity-panel",
      ...formsIn(this.#forms).map(({ element }) => element),
      this.#mayAct
        ? null
        : el("div", "messaging-activity-quiet messaging-simulator-note", texts("simulator.readOnly")),
      this.#hint.element,
      this.#filterRow,
      this.#unread,
      this.#messages.element,
    );
    body.addEventListener("input", () => this.#hint.clear());
    const title = el("span", "messaging-simulator-title-text", texts("simulator.title"));
    this.#part = new Collapsible("messaging-activity-simulator", [icon("magic"), title], body, () =>
      this.#toggled(),
    );
    this.element = this.#part.element;
    this.element.hidden = true;
  }

  start(): void {
    onFlowsChanged(() => this.#offer());
    RED.events.on("deploy", () => {
      this.#offer();
      // For example that no node receives a message: after a deploy that may be wrong.
      this.#hint.clear();
    });
    this.#offer();
  }

  /** Shows the messages of an account, or of all; one without the simulator changes nothing. */
  show(account: string): void {
    const isOffered = account === ALL || this.#accounts.some(({ id }) => id === account);
    if (isOffered && this.#filter.value !== account) {
      this.#filter.value = account;
      this.#filtered();
    }
  }

  /** Refreshes the list after a simulated message. */
  messageSent(): void {
    if (!this.#part.isOpen || this.#refresh !== null) {
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
      [ALL, texts("allAccounts")],
      ...accounts.map(({ id, label }) => [id, label] as const),
    ]);
    this.#filterRow.hidden = accounts.length < 2;
    this.element.hidden = accounts.length === 0;
    this.#offerForms();
    this.messageSent();
  }

  get #wanted(): readonly Choice[] {
    const { value } = this.#filter;
    return this.#accounts.filter(({ id }) => value === ALL || id === value);
  }

  #offerForms(): void {
    for (const { account } of formsIn(this.#forms)) {
      account.offer(this.#wanted);
    }
  }

  #filtered(): void {
    this.#hint.clear();
    this.#offerForms();
    this.#forms?.writer.reset();
    this.#read();
  }

  #toggled(): void {
    this.#hint.clear();
    if (this.#part.isOpen) {
      this.#forms?.writer.reset();
      this.#read();
    }
  }

  /** Acts in all forms for the account that was chosen in one of them. */
  #chosen(id: string): void {
    this.#forms?.writer.follow(id);
    this.#follow(id);
  }

  /** Acts in the others for the account of the first form. */
  #follow(id: string): void {
    this.#forms?.nextAnswer.account.choose(id);
    this.#forms?.templates.account.choose(id);
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
    if (this.#forms !== null) {
      const { writer, nextAnswer, templates } = this.#forms;
      writer.startAt(latestOf(entries));
      nextAnswer.account.show(views);
      templates.account.show(views);
      this.#follow(writer.account.value);
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
      const { told, refused } = await runAction(accountId, action, input);
      this.#read();
      if (refused.length > 0) {
        this.#hint.complain(refused.map((each) => refusalText(each, input)).join(" "));
        return false;
      }
      if (SHOWN.has(action)) {
        return true;
      }
      const number = told === 0 ? "nobody" : told === 1 ? "one" : "many";
      const given = asTexts(input);
      const values = { n: told, ...given, status: deliveryWord(given.status ?? "") };
      const text = texts(`simulator.done.${action}.${number}`, values);
      // A text that no webhook received stays in its input.
      this.#hint[told === 0 ? "complain" : "say"](text);
      return told > 0;
    } catch (problem) {
      this.#hint.complain(texts(`simulator.fault.${faultOf(problem)}`));
      return false;
    }
  }
}

/** Values as they are: a status code is no count, which would get a separator. */
const asTexts = (input: object): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
