import type { SimulatorView } from "../../../shared/simulator-panel";
import { installStyle } from "../../dialog/style";
import { Collapsible } from "../collapsible";
import { el, icon } from "../dom";
import { onFlowsChanged } from "../accounts/accounts";
import { deliveryWord, texts } from "../formatting";
import { conversationOf, latestOf } from "./simulator-conversation";
import { SimulatorHint } from "./simulator-hint";
import { refusalText } from "./refusal-text";
import { faultOf, isSimulated, readSimulator, runAction } from "./simulator-link";
import { SimulatorMessages } from "./simulator-messages";
import { nextAnswerForm } from "./simulator-next-answer";
import { templatesForm } from "./simulator-templates";
import { SimulatorWriter } from "./simulator-writer";
import css from "./simulator.css";

/** ms between a change at the simulator and the request for it: several changes need one request. */
const REFRESH_AFTER = 400;
/** Actions that call no webhook: what they did is shown by their forms. */
const SHOWN: ReadonlySet<string> = new Set(["next-answer", "normal", "template"]);
interface Forms {
  readonly writer: SimulatorWriter;
  readonly nextAnswer: ReturnType<typeof nextAnswerForm>;
  readonly templates: ReturnType<typeof templatesForm>;
}

const formsIn = (forms: Forms | null) =>
  forms === null ? [] : [forms.writer, forms.nextAnswer, forms.templates];

/**
 * Acts as the recipient of a simulated account: replies to a message, taps its suggestions, reports its status, sends an inbound
 * message, and sets the next answer of the service. Visible only while the chosen account is simulated.
 */
export class SimulatorPanel {
  readonly element: HTMLElement;
  readonly #part: Collapsible;
  /** Why the account could not be read. */
  readonly #unread = el("div", "messaging-simulator-unread messaging-activity-wrong");
  readonly #hint = new SimulatorHint();
  readonly #messages: SimulatorMessages;
  readonly #mayAct = RED.user.hasPermission("flows.write");
  readonly #forms: Forms | null;
  /** Id of the account that is chosen for all views; blank without one. */
  #account = "";
  #refresh: number | null = null;
  /** Number of the latest reading: an earlier one that comes later is not shown. */
  #readings = 0;

  constructor() {
    installStyle("messaging-simulator-style", css);
    const complain = (text: string): void => this.#hint.complain(text);
    const act = (action: string, input: object): Promise<boolean> => this.#act(this.#account, action, input);
    this.#forms = this.#mayAct
      ? {
          writer: new SimulatorWriter((input) => act("write", input), complain),
          nextAnswer: nextAnswerForm((action, input) => void act(action, input)),
          templates: templatesForm((template) => act("template", template)),
        }
      : null;
    this.#messages = new SimulatorMessages(
      this.#mayAct
        ? {
            act: (id, action, input) => this.#act(id, action, input),
            complain,
            say: (text) => this.#hint.say(text),
          }
        : null,
    );
    const body = el(
      "div",
      "messaging-activity-panel",
      ...formsIn(this.#forms).map(({ element }) => element),
      this.#mayAct
        ? null
        : el("div", "messaging-activity-quiet messaging-simulator-note", texts("simulator.readOnly")),
      this.#hint.element,
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

  show(account: string): void {
    if (this.#account !== account) {
      this.#account = account;
      this.#hint.clear();
      this.#offer();
      this.#forms?.writer.reset();
      this.#read();
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
    this.element.hidden = !isSimulated(this.#account);
    this.messageSent();
  }

  #toggled(): void {
    this.#hint.clear();
    if (this.#part.isOpen) {
      this.#forms?.writer.reset();
      this.#read();
    }
  }

  #read(): void {
    const reading = ++this.#readings;
    const account = this.#account;
    if (!isSimulated(account)) {
      return;
    }
    const isLatest = (): boolean => reading === this.#readings;
    readSimulator(account, this.#mayAct).then(
      (view) => isLatest() && this.#show(account, view, ""),
      (problem: unknown) =>
        isLatest() && this.#show(account, undefined, texts(`simulator.fault.${faultOf(problem)}`)),
    );
  }

  #show(account: string, view: SimulatorView | undefined, fault: string): void {
    const entries = view === undefined ? [] : conversationOf(view);
    this.#messages.show(account, entries);
    if (this.#forms !== null) {
      const { writer, nextAnswer, templates } = this.#forms;
      writer.startAt(latestOf(entries));
      nextAnswer.show(view);
      templates.show(view);
    }
    this.#unread.textContent = fault;
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
