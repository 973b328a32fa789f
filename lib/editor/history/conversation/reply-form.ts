import { type ConversationView, LONGEST_REPLY } from "../../../shared/conversation-message";
import { WRITE_QUEUE } from "../../../shared/history";
import type { MessageChannel } from "../../../shared/message-channel";
import { OUTCOMES } from "../../../shared/outcomes";
import { segmentsOf } from "../../../shared/sms-segments";
import { button, el, fillSelect, select } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { Notice } from "../../activity/notice";
import { sendReply } from "../history-link";
import { ask, nodeLabel, reportOf } from "../wording";

/** A text that is typed to a person, by a node that is chosen, never sent without a confirmation of what it costs. */
export class ReplyForm {
  readonly element: HTMLElement;
  readonly #text = el("textarea", "messaging-conversation-typed");
  readonly #node: HTMLSelectElement;
  readonly #send: HTMLButtonElement;
  readonly #row: HTMLElement;
  readonly #notice = new Notice("messaging-history-notice");
  readonly #may = RED.user.hasPermission(WRITE_QUEUE);
  #channels: ReadonlyMap<string, MessageChannel> = new Map();
  #account = "";
  #number = "";
  #isSending = false;

  /** @param sent called when something was sent */
  constructor(private readonly sent: () => void) {
    const label = texts("history.conversation.reply");
    this.#text.rows = 2;
    this.#text.maxLength = LONGEST_REPLY;
    this.#text.placeholder = label;
    this.#text.setAttribute("aria-label", label);
    // Keys such as Delete must not act on the editor.
    this.#text.addEventListener("keydown", (event) => event.stopPropagation());
    this.#text.addEventListener("input", () => this.#allow());
    this.#node = select(texts("history.conversation.by"), []);
    this.#send = button({ icon: "paper-plane-o", text: texts("history.conversation.send") }, () =>
      this.#ask(),
    );
    this.#row = el("div", "messaging-view-row", this.#node, this.#send);
    this.element = el("div", "messaging-conversation-reply", this.#text, this.#row, this.#notice.element);
  }

  /** Begins with an empty text. */
  clear(): void {
    this.element.hidden = true;
    this.#text.value = "";
    this.#number = "";
    this.#notice.say("");
  }

  /** Offers the nodes of a conversation; at first one of the channel by which the person wrote last. */
  offer(account: string, { number, nodes, messages }: ConversationView): void {
    const isFirst = this.#number !== number || this.#account !== account;
    this.#account = account;
    this.#number = number;
    this.element.hidden = false;
    this.#channels = new Map(nodes.map(({ node, channel }) => [node, channel]));
    const labelled = nodes.map(
      ({ node, channel }) => [node, `${nodeLabel(node)} (${texts(`channel.${channel}`)})`] as const,
    );
    fillSelect(
      this.#node,
      labelled.sort(([, one], [, other]) => one.localeCompare(other)),
    );
    if (isFirst) {
      const last = messages.findLast(({ role }) => role === "user")?.channel;
      const same = nodes.find(({ channel }) => channel === last);
      if (same !== undefined) {
        this.#node.value = same.node;
      }
    }
    const isNone = nodes.length === 0;
    if (isNone || this.#row.hidden) {
      this.#notice.say(isNone ? texts("history.conversation.noNode") : "");
    }
    for (const each of [this.#text, this.#row]) {
      each.hidden = isNone;
    }
    this.#allow();
  }

  #allow(): void {
    this.#text.disabled = !this.#may;
    this.#send.disabled = !this.#may || this.#isSending || this.#text.value.trim() === "";
    this.#send.title = this.#may ? "" : texts("history.conversation.denied");
  }

  #ask(): void {
    const [account, number, node] = [this.#account, this.#number, this.#node.value];
    const text = this.#text.value.trim();
    const segments = this.#channels.get(node) === "sms" ? segmentsOf(text) : 1;
    const about = { number, node: this.#node.selectedOptions[0]?.text ?? "", n: segments };
    const question = texts("history.conversation.question", about);
    const cost = texts(
      segments === 1 ? "history.conversation.one-message" : "history.conversation.segments",
      about,
    );
    ask(`${question} ${cost}`, texts("history.conversation.yes"), () => {
      // The text may have been changed, or the person, while the question was open.
      if (number === this.#number && account === this.#account && !this.#isSending) {
        void this.#reply(account, number, node, text);
      }
    });
  }

  async #reply(account: string, number: string, node: string, text: string): Promise<void> {
    this.#isSending = true;
    this.#allow();
    this.#notice.say(texts("history.conversation.sending"));
    let isRefused = false;
    const [said, wrong] = await reportOf(
      sendReply(account, number, node, text).then(({ outcome, text: why }) => {
        isRefused = outcome === "skipped" || (outcome !== null && OUTCOMES[outcome].failure);
        if (outcome === null) {
          return texts("history.conversation.waits");
        }
        return isRefused ? `${texts(`result.${outcome}`)}: ${why}` : "";
      }),
    );
    this.#isSending = false;
    if (number === this.#number && account === this.#account) {
      if (!wrong && !isRefused && this.#text.value.trim() === text) {
        this.#text.value = "";
      }
      this.#notice.say(said, wrong || isRefused);
      this.sent();
    }
    this.#allow();
  }
}
