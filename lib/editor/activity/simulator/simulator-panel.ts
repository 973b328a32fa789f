import { installStyle } from "../../dialog/style";
import { Collapsible } from "../collapsible";
import { el, icon } from "../dom";
import { onFlowsChanged, type Choice } from "../accounts/accounts";
import { ALL_ACCOUNTS } from "../accounts/chosen-account";
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
interface Forms {
  readonly writer: SimulatorWriter;
  readonly nextAnswer: ReturnType<typeof nextAnswerForm>;
  readonly templates: ReturnType<typeof templatesForm>;
}

const formsIn = (forms: Forms | null) =>
  forms === null ? [] : [forms.writer, forms.nextAnswer, forms.templates];

/**
 * Acts as the recipient of simulated accounts: replies to a message, taps its suggestions, reports its status, sends an inbound
 * message, and sets the next answer of the service. It is about the account that is chosen for all views; where that is all of them, its
 * list has the messages of each, and its forms wait for the choice of one. Visible only while such an account is among them.
 */
export class SimulatorPanel {
  readonly element: HTMLElement;
  readonly #part: Collapsible;
  /** In place of the forms while several accounts are chosen. */
  readonly #choose = el(
    "div",
    "messaging-activity-quiet messaging-simulator-note",
    texts("simulator.choose"),
  );
  /** Accounts that could not be read; it changes with each reading. */
  readonly #unread = el("div", "messaging-simulator-unread");
  readonly #hint = new SimulatorHint();
  readonly #messages: SimulatorMessages;
  readonly #mayAct = RED.user.hasPermission("flows.write");
  readonly #forms: Forms | null;
  #accounts: readonly Choice[] = [];
  /** The choice for all views. */
  #chosen = ALL_ACCOUNTS;
  #refresh: number | null = null;
  /** Number of the latest reading: an earlier one that comes later is not shown. */
  #readings = 0;

  constructor() {
    installStyle("messaging-simulator-style", css);
    const complain = (text: string): void => this.#hint.complain(text);
    const act = (id: string, action: string, input: object): Promise<boolean> => this.#act(id, action, input);
    const actForOne = (action: string, input: object): Promise<boolean> =>
      act(this.#one?.id ?? "", action, input);
    this.#forms = this.#mayAct
      ? {
          writer: new SimulatorWriter((input) => actForOne("write", input), complain),
          nextAnswer: nextAnswerForm((action, input) => void actForOne(action, input)),
          templates: templatesForm((template) => actForOne("template", template)),
        }
      : null;
    this.#messages = new SimulatorMessages(
      this.#mayAct ? { act, complain, say: (text) => this.#hint.say(text) } : null,
    );
    const body = el(
      "div",
      "messaging-activity-panel",
      this.#choose,
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

  /** Is about an account from now on, or about all. */
  show(account: string): void {
    if (this.#chosen !== account) {
      this.#chosen = account;
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
    this.#accounts = simulatedAccounts();
    this.element.hidden = this.#wanted.length === 0;
    const one = this.#one;
    this.#choose.hidden = !this.#mayAct || one !== null;
    for (const { element } of formsIn(this.#forms)) {
      element.hidden = one === null;
    }
    this.messageSent();
  }

  get #wanted(): readonly Choice[] {
    return this.#accounts.filter(({ id }) => this.#chosen === ALL_ACCOUNTS || id === this.#chosen);
  }

  /** The account that the forms act for; null where there are several. */
  get #one(): Choice | null {
    const [first = null, ...others] = this.#wanted;
    return others.length === 0 ? first : null;
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
    void readSimulators(this.#wanted, this.#mayAct).then((read) => {
      if (reading === this.#readings) {
        this.#show(read);
      }
    });
  }

  #show({ views, faults }: SimulatorReading): void {
    const several = this.#wanted.length > 1;
    const entries = conversationOf(views);
    this.#messages.show(entries, several);
    if (this.#forms !== null) {
      const { writer, nextAnswer, templates } = this.#forms;
      writer.startAt(latestOf(entries));
      const view = views.find(({ account }) => account.id === this.#one?.id)?.view;
      nextAnswer.show(view);
      templates.show(view);
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
