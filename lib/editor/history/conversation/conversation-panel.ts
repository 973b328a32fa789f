import { CONVERSATION_PAGE, type ConversationView } from "../../../shared/history/conversation-message";
import { button, el } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { Notice } from "../../activity/notice";
import { installStyle } from "../../dialog/style";
import { readConversation } from "../history-link";
import { failureText, longTime } from "../wording";
import { bubble } from "./bubbles";
import css from "./conversation.css";

/** Whose conversation is shown. */
interface Person {
  readonly account: string;
  /** As it was typed. */
  readonly number: string;
}

/** px from the end within which somebody reads the newest messages, and wants to see further ones. */
const AT_THE_END = 40;

/** What the person does not want, and since when; blank for a person who has not opted out. */
const optedOutText = ({ number, optOut }: ConversationView): string =>
  optOut === null
    ? ""
    : texts(`history.conversation.optedOut.${optOut.scope}`, { number, time: longTime(optOut.since) });

/** What a person wrote and was sent, on all channels, the newest message at the end. */
export class ConversationPanel {
  readonly element: HTMLElement;
  readonly #notice = new Notice("messaging-history-notice");
  /** That the person has opted out, above all that can be done. */
  readonly #optedOut = new Notice("messaging-conversation-opted-out");
  readonly #keep: HTMLButtonElement;
  readonly #earlier: HTMLButtonElement;
  readonly #bubbles = el("ol", "messaging-conversation-bubbles");
  /** Scrolls. */
  readonly #messages: HTMLElement;
  #person: Person | null = null;
  #most: number = CONVERSATION_PAGE.first;
  /** What is shown, as JSON: what has not changed is not drawn anew, so that a text stays selected. */
  #drawn = "";
  #reads = 0;

  /** @param openAccount opens the dialog of an account */
  constructor(openAccount: (account: string) => void) {
    installStyle("messaging-conversation-style", css);
    this.#keep = button({ icon: "pencil", text: texts("history.memory.open") }, () =>
      openAccount(this.#person?.account ?? ""),
    );
    this.#earlier = button({ text: texts("history.conversation.earlier") }, () => {
      this.#most = CONVERSATION_PAGE.most;
      void this.read();
    });
    this.#messages = el(
      "div",
      "messaging-conversation-messages",
      el("div", "messaging-view-more", this.#earlier),
      this.#bubbles,
    );
    this.#messages.tabIndex = 0;
    this.#messages.setAttribute("role", "log");
    const parts = [this.#notice.element, this.#optedOut.element, this.#keep, this.#messages];
    this.element = el("div", "messaging-conversation", ...parts);
    this.hide();
  }

  get isShown(): boolean {
    return !this.element.hidden;
  }

  /** Nothing of it stays in the page. */
  hide(): void {
    this.element.hidden = true;
    this.#person = null;
    this.#reads++;
    this.#clear();
  }

  /** Says why there is none. */
  say(text: string): void {
    this.hide();
    this.element.hidden = false;
    this.#notice.say(text);
  }

  /** Shows the conversation with somebody. Never rejects. */
  async show(person: Person): Promise<void> {
    this.say(texts("history.loading"));
    this.#person = person;
    this.#most = CONVERSATION_PAGE.first;
    await this.read();
  }

  /** Shows what there is now. Never rejects. */
  async read(): Promise<void> {
    const person = this.#person;
    if (person === null) {
      return;
    }
    const reads = ++this.#reads;
    try {
      const view = await readConversation(person.account, person.number, this.#most);
      if (reads === this.#reads) {
        this.#draw(view);
      }
    } catch (failure) {
      if (reads === this.#reads) {
        this.#clear();
        this.#notice.say(failureText(failure), true);
      }
    }
  }

  #clear(): void {
    this.#drawn = "";
    this.#bubbles.replaceChildren();
    this.#optedOut.say("");
    this.#messages.hidden = true;
    this.#keep.hidden = true;
  }

  #draw(view: ConversationView): void {
    const { number, keepsTexts, messages, more } = view;
    const drawn = JSON.stringify(view);
    if (drawn === this.#drawn) {
      return;
    }
    const isFirst = this.#drawn === "";
    this.#drawn = drawn;
    const isNone = messages.length === 0;
    this.#keep.hidden = keepsTexts;
    const none = keepsTexts ? "history.conversation.none" : "history.conversation.noTexts";
    this.#notice.say(isNone ? texts(none, { number }) : "");
    this.#optedOut.say(optedOutText(view));
    const box = this.#messages;
    box.hidden = isNone;
    box.setAttribute("aria-label", texts("history.conversation.with", { number }));
    this.#earlier.hidden = !more || this.#most === CONVERSATION_PAGE.most;
    const fromEnd = box.scrollHeight - box.scrollTop;
    const follows = isFirst || fromEnd - box.clientHeight < AT_THE_END;
    this.#bubbles.replaceChildren(...messages.map(bubble));
    // What somebody reads stays where it is, also where earlier messages come before it.
    box.scrollTop = follows ? box.scrollHeight : box.scrollHeight - fromEnd;
    if (isFirst) {
      this.element.scrollIntoView({ block: "end" });
    }
  }
}
