import { REPORTED_STATUSES, type ReportedStatus, type PanelMessage } from "../../shared/simulator-panel";
import { button, el, icon } from "./dom";
import { lineInput } from "./simulator-forms";
import { CHANNEL_ICONS, formatTime, texts, whoOf } from "./formatting";

/** Icons of the statuses that a phone can report. */
const STATUS_ICONS = {
  sent: "check",
  delivered: "check-circle-o",
  read: "eye",
  failed: "times",
} as const satisfies Readonly<Record<(typeof REPORTED_STATUSES)[number], string>>;

/** An SMS has no status “read”. */
const statusesOf = ({ channel }: PanelMessage): readonly ReportedStatus[] =>
  REPORTED_STATUSES.filter((status) => channel !== "sms" || status !== "read");

type Act = (message: PanelMessage, action: string, input: object) => Promise<boolean>;

/** The latest messages of a simulated account, with the actions of their recipients. */
export class SimulatorMessages {
  readonly element = el("div", "messaging-activity-messages");
  /** The message whose reply is being typed; kept because the list can change meanwhile. */
  #replyTo: string | null = null;
  #reply: HTMLElement | null = null;
  #shown: readonly PanelMessage[] = [];

  constructor(
    private readonly mayAct: boolean,
    private readonly act: Act,
  ) {}

  /** @param messages newest first */
  show(messages: readonly PanelMessage[]): void {
    this.#shown = messages;
    const focused = this.#reply?.contains(document.activeElement) === true;
    const rows = messages.map((message) => this.#row(message));
    this.element.replaceChildren(
      ...(rows.length > 0 ? rows : [el("div", "messaging-activity-quiet", texts("simulator.none"))]),
    );
    if (focused) {
      this.#reply?.querySelector("input")?.focus();
    }
  }

  #row(message: PanelMessage): HTMLElement {
    const { at, channel, text, test, transferId } = message;
    const channelIcon = el("span", "messaging-activity-channel", icon(CHANNEL_ICONS[channel]));
    channelIcon.title = texts(`channel.${channel}`);
    const excerpt = el(
      "div",
      "messaging-activity-text",
      text === null ? texts("simulator.hiddenText") : text || texts("simulator.noText"),
    );
    excerpt.title = text ?? "";
    return el(
      "div",
      "messaging-activity-message",
      el(
        "div",
        "messaging-activity-line",
        el("span", "messaging-activity-time", formatTime(at)),
        channelIcon,
        el("span", "messaging-activity-who", whoOf(message)),
        test ? el("span", "messaging-activity-quiet", texts("simulator.test")) : this.#buttons(message),
      ),
      excerpt,
      this.#replyTo === transferId ? this.#reply : null,
    );
  }

  #buttons(message: PanelMessage): HTMLElement | null {
    if (!this.mayAct) {
      return null;
    }
    return el(
      "span",
      "messaging-activity-buttons",
      button({ icon: "reply", tip: texts("simulator.reply") }, () => this.#beginReply(message)),
      ...statusesOf(message).map((status) =>
        button({ icon: STATUS_ICONS[status], tip: texts(`simulator.status.${status}`) }, () => {
          void this.act(message, "status", { status });
        }),
      ),
    );
  }

  #beginReply(message: PanelMessage): void {
    const end = (): void => {
      this.#replyTo = null;
      this.#reply = null;
      this.show(this.#shown);
    };
    if (this.#replyTo === message.transferId) {
      end();
      return;
    }
    const { element, input } = lineInput(
      texts("simulator.replyText", { who: message.who }),
      { icon: "paper-plane-o", tip: texts("simulator.send") },
      async (text) => {
        const worked = await this.act(message, "reply", { text });
        if (worked) {
          end();
        }
        return worked;
      },
    );
    input.addEventListener("keydown", ({ key }) => key === "Escape" && end());
    this.#replyTo = message.transferId;
    this.#reply = element;
    this.show(this.#shown);
    input.focus();
  }
}
