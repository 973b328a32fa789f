import { WRITE_QUEUE } from "../../../shared/history/history";
import type { MessageChannel } from "../../../shared/message-channel";
import { OUTCOMES } from "../../../shared/outcomes";
import { LONGEST_REPLY, type ReplyNode } from "../../../shared/history/typed-reply";
import { button, el, fillSelect, select } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { Notice } from "../../activity/notice";
import { planReply, readReplyNodes } from "../history-link";
import { ask, failureText, nodeLabel } from "../wording";
import { type Outcome, ReplyAttempt, type ShownReply } from "./reply-attempt";
import { replyQuestion } from "./reply-question";

/** Looks for the outcome of what was taken, and ms between them. */
const [LOOKS, LOOK_EVERY] = [10, 1_000];

/** A text that is typed to a person, by a node that is chosen: sent after a confirmation of what it costs, and once. */
export class ReplyForm {
  readonly element: HTMLElement;
  readonly #text = el("textarea", "messaging-conversation-typed");
  readonly #node: HTMLSelectElement;
  readonly #send: HTMLButtonElement;
  readonly #row: HTMLElement;
  readonly #notice = new Notice("messaging-history-notice");
  readonly #refused = el("details", "messaging-conversation-refused");
  readonly #may = RED.user.hasPermission(WRITE_QUEUE);
  /** Those that were pressed and may still arrive, by account and number, until it is known that they were taken. */
  readonly #kept = new Map<string, ReplyAttempt>();
  #attempt: ReplyAttempt | null = null;
  #account = "";
  #number = "";
  /** Begins with the channel by which the person wrote last. */
  #channel: MessageChannel | null = null;
  /** The question by which nodes the person can be answered, while it is asked. */
  #offering: object | null = null;
  /** Counts what was said last: what is found out about an earlier reply does not replace it. */
  #presses = 0;

  /** @param sent called when something was sent; resolves when that is shown */
  constructor(private readonly sent: () => Promise<void>) {
    const label = texts("history.typed.text");
    this.#text.rows = 2;
    this.#text.maxLength = LONGEST_REPLY;
    this.#text.placeholder = label;
    this.#text.setAttribute("aria-label", label);
    // Keys such as Delete must not act on the editor.
    this.#text.addEventListener("keydown", (event) => event.stopPropagation());
    this.#text.addEventListener("input", () => this.#allow());
    this.#node = select(texts("history.typed.by"), []);
    const pressed = (): void => void this.#press();
    this.#send = button({ icon: "paper-plane-o", text: texts("history.typed.send") }, pressed);
    this.#row = el("div", "messaging-view-row", this.#node, this.#send);
    const parts = [this.#notice.element, this.#text, this.#row, this.#refused];
    this.element = el("div", "messaging-conversation-reply", ...parts);
    this.hide();
  }

  /** Nothing that a person has written stays in the page. */
  hide(): void {
    this.element.hidden = true;
    this.#keep();
    this.#text.value = "";
    this.#say("");
    this.#account = "";
    this.#number = "";
    this.#offering = null;
    this.#presses++;
  }

  /** Offers to reply to a person. Without the permission there is no form. @param channel by which the person wrote last */
  async show(account: string, number: string, channel: MessageChannel | null): Promise<void> {
    const isAnother = !this.#isAt(account, number);
    if (!this.#may || (!isAnother && (this.#attempt !== null || this.#offering !== null))) {
      return;
    }
    if (isAnother) {
      this.#account = account;
      this.#number = number;
      this.#channel = channel;
      // What was found out about somebody else says nothing about this person.
      this.#node.replaceChildren();
      this.#text.hidden = false;
      this.#row.hidden = false;
      this.#refused.hidden = true;
    }
    const kept = this.#kept.get(this.#key);
    await this.#offer();
    const attempt = this.#attempt;
    const isOpen = attempt !== null && attempt === kept && (attempt.isUnsure || attempt.isTaken);
    if (isOpen && this.#isAt(account, number)) {
      await this.#during(attempt, async () => this.#tell(attempt, await this.#find(attempt, ""), ""));
    }
  }

  #say(text: string, wrong = false): void {
    this.#notice.say(text, wrong);
    if (text !== "") {
      this.#notice.element.scrollIntoView({ block: "nearest" });
    }
  }

  #isAt(account: string, number: string): boolean {
    return account === this.#account && number === this.#number;
  }

  get #key(): string {
    return `${this.#account} ${this.#number}`;
  }

  #keep(): void {
    if (this.#attempt?.wasPressed === true) {
      this.#attempt.forgetTexts();
      this.#kept.set(this.#key, this.#attempt);
    }
    this.#attempt = null;
  }

  /**
   * Asks which nodes can send to the person now. An attempt that was pressed stays the one of the form. Where nobody answers, all stays as it
   * is, and it is asked again when the conversation is read, or when somebody presses.
   */
  async #offer(): Promise<void> {
    const account = this.#account;
    const offering = {};
    const isAsked = (): boolean => this.#offering === offering;
    this.#offering = offering;
    this.#allow();
    try {
      const { begin, nodes } = await readReplyNodes(account, this.#number);
      if (!isAsked()) {
        return;
      }
      this.#attempt ??= this.#kept.get(this.#key) ?? null;
      this.#kept.delete(this.#key);
      if (this.#attempt?.wasPressed !== true) {
        this.#attempt = new ReplyAttempt(account, begin);
      }
      this.#drawNodes(nodes);
    } catch (failure) {
      if (isAsked()) {
        this.#say(failureText(failure), true);
      }
    } finally {
      if (isAsked()) {
        this.#offering = null;
        this.element.hidden = false;
        this.#allow();
      }
    }
  }

  #drawNodes(nodes: readonly ReplyNode[]): void {
    const labelOf = ({ node, name, channel }: ReplyNode): string =>
      `${name === "" ? nodeLabel(node) : name} (${texts(`channel.${channel}`)})`;
    const labelled = nodes.map((each) => ({ ...each, label: labelOf(each) }));
    labelled.sort((one, other) => one.label.localeCompare(other.label));
    const able = labelled.filter(({ why }) => why === null);
    const refused = labelled.filter(({ why }) => why !== null);
    const before = this.#node.value;
    fillSelect(
      this.#node,
      able.map(({ node, label }) => [node, label] as const),
    );
    const chosen =
      able.find(({ node }) => node === before) ?? able.find((each) => each.channel === this.#channel);
    if (chosen !== undefined) {
      this.#node.value = chosen.node;
    }
    const isNone = able.length === 0;
    this.#text.hidden = isNone;
    this.#row.hidden = isNone;
    this.#say(isNone ? texts(`history.typed.${nodes.length === 0 ? "noNode" : "none"}`) : "");
    this.#refused.hidden = refused.length === 0;
    this.#refused.open = isNone;
    this.#refused.replaceChildren(
      el("summary", "", texts("history.typed.notOffered", { n: refused.length })),
      ...refused.map(({ label, why }) => el("p", "", el("b", "", label), `: ${why}`)),
    );
    this.#allow();
  }

  #allow(): void {
    const isAsking = this.#offering !== null || this.#attempt?.isBusy === true;
    this.#send.disabled = isAsking || this.#text.value.trim() === "";
  }

  /** While an attempt asks or sends, it cannot be pressed. Those to other persons can. */
  async #during(attempt: ReplyAttempt, work: () => Promise<void>): Promise<void> {
    attempt.works++;
    this.#allow();
    try {
      await work();
    } catch (failure) {
      if (attempt === this.#attempt) {
        this.#say(failureText(failure), true);
      }
    } finally {
      attempt.works--;
      this.#allow();
    }
  }

  async #press(): Promise<void> {
    if (this.#attempt === null) {
      await this.#offer();
    }
    const attempt = this.#attempt;
    const [account, number, node] = [this.#account, this.#number, this.#node.value];
    if (attempt === null || attempt.isBusy || node === "") {
      return;
    }
    const text = this.#text.value.trim();
    this.#presses++;
    await this.#during(attempt, async () => {
      if (attempt.isUnsure) {
        // It is found out first what became of the press before; nothing is sent meanwhile.
        this.#tell(attempt, await this.#find(attempt, text), text);
        return;
      }
      this.#say("");
      const plan = await planReply(account, { number, node, text });
      if (attempt !== this.#attempt) {
        return;
      }
      if (plan.refused !== null) {
        this.#say(plan.refused, true);
        return;
      }
      const { facts, shown } = plan;
      const label = facts.name === "" ? nodeLabel(node) : facts.name;
      const question = replyQuestion(facts, account, node, `${label} (${texts(`channel.${facts.channel}`)})`);
      ask(question, texts("history.typed.yes"), () => {
        // The text may have been changed, or the person, while the question was open.
        if (this.#isAt(account, number) && attempt === this.#attempt && this.#text.value.trim() === text) {
          void this.#submit(attempt, { number, node, text, shown });
        }
      });
    });
  }

  async #submit(attempt: ReplyAttempt, reply: ShownReply): Promise<void> {
    if (attempt.isBusy) {
      return;
    }
    const [account, number] = [this.#account, this.#number];
    const isHere = (): boolean => this.#isAt(account, number);
    await this.#during(attempt, async () => {
      this.#say(texts("history.typed.sending"));
      const asking = (): void => {
        if (isHere()) {
          this.#say(texts("history.typed.asking"), true);
        }
      };
      const outcome = await attempt.send(reply, asking, isHere);
      if (isHere()) {
        this.#tell(attempt, outcome, reply.text);
      }
    });
  }

  #find(attempt: ReplyAttempt, text: string): Promise<Outcome> {
    const [account, number] = [this.#account, this.#number];
    this.#say(texts("history.typed.asking"), true);
    return attempt.find(text, () => this.#isAt(account, number));
  }

  /** Says what became of a press. @param text of it; blank where it is not known any more */
  #tell(attempt: ReplyAttempt, { what, why }: Outcome, text: string): void {
    if (attempt !== this.#attempt) {
      // It was told before, or another person is shown.
      return;
    }
    switch (what) {
      case "refused":
        void this.#renew(why, true);
        return;
      case "not":
      case "unsure":
        this.#say([why, texts(`history.typed.${what}`)].join(" ").trim(), true);
        return;
      case "lost":
        this.#attempt = null;
        void this.#renew(texts("history.typed.lost"), true);
        return;
      default:
        if (what !== "other" && this.#text.value.trim() === text) {
          this.#text.value = "";
        }
        this.#attempt = null;
        void this.#renew(what === "taken" ? "" : texts(`history.typed.${what}`), what === "other");
        void this.sent().then(() => this.#row.scrollIntoView({ block: "nearest" }));
        void this.#follow(attempt, what === "taken");
    }
  }

  /** Asks for the nodes anew, and says something then. */
  async #renew(said: string, wrong: boolean): Promise<void> {
    const presses = ++this.#presses;
    this.#say(said, wrong);
    await this.#offer();
    if (said !== "" && presses === this.#presses && !this.#text.hidden) {
      this.#say(said, wrong);
    }
  }

  /** Says why what was taken did not reach the person, or that it waits. @param isQuiet whether nothing else is said */
  async #follow(attempt: ReplyAttempt, isQuiet: boolean): Promise<void> {
    const presses = this.#presses;
    const isOver = (): boolean => presses !== this.#presses || this.#number === "";
    for (let look = 1; look <= LOOKS && !isOver(); look++) {
      const state = await attempt.state().catch(() => null);
      if (isOver()) {
        return;
      }
      if (state?.outcome != null) {
        const { outcome, text } = state;
        const isBad = outcome === "skipped" || OUTCOMES[outcome].failure;
        if (isBad || isQuiet) {
          this.#say(isBad ? `${texts(`result.${outcome}`)}: ${text}` : "", isBad);
        }
        void this.sent();
        return;
      }
      if (look === 2 && isQuiet) {
        this.#say(texts("history.typed.waits"));
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    }
  }
}
