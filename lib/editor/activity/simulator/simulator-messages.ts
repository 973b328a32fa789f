import {
  type PanelMessage,
  type PanelReply,
  type PanelSuggestion,
  REPORTED_STATUSES,
  type ReportedStatus,
} from "../../../shared/simulator-panel";
import { afterPress } from "../after-press";
import { arrange, button, el, icon, select } from "../dom";
import { CHANNEL_ICONS, formatTime, texts, whoOf } from "../formatting";
import { channelSign, quiet } from "../parts";
import { buildCards, fullText } from "./simulator-cards";
import { SimulatorComposer } from "./simulator-composer";
import type { ConversationEntry } from "./simulator-conversation";

const STATUS_ICONS = {
  sent: "check",
  delivered: "check-circle-o",
  read: "eye",
  failed: "times",
} as const satisfies Readonly<Record<(typeof REPORTED_STATUSES)[number], string>>;

/** An SMS has no status “read”. */
const statusesOf = ({ channel }: PanelMessage): readonly ReportedStatus[] =>
  REPORTED_STATUSES.filter((status) => channel !== "sms" || status !== "read");

export interface MessageActions {
  /** Runs an action for a message and returns whether it worked. */
  readonly act: (accountId: string, action: string, input: object) => Promise<boolean>;
  /** Says something that needs no action. */
  readonly say: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The recipient that somebody acts as, of a message to several. */
class ActingAs {
  /** Null for a message to one person, and for who may not act. */
  readonly element: HTMLElement | null;
  readonly #select: HTMLSelectElement | null;

  /** @param changed called when another one is chosen */
  constructor(
    private readonly message: PanelMessage,
    changed: () => void,
  ) {
    const { people, count } = message;
    if (people.length < 2) {
      this.#select = null;
      this.element = null;
      return;
    }
    this.#select = select(
      texts("simulator.person"),
      [
        ["", texts("simulator.people", { n: count })],
        ...people.map((number, at) => [String(at), number] as const),
      ],
      changed,
    );
    this.element = el("div", "messaging-activity-row messaging-simulator-person", this.#select);
  }

  /** Who replies: the chosen one, or the first. */
  get who(): string {
    const { people, who } = this.message;
    return people[Number(this.#select?.value ?? "")] ?? who;
  }

  /** For an action; all, or the first one, where none is chosen. */
  get input(): { readonly person?: number } {
    const chosen = this.#select?.value ?? "";
    return chosen === "" ? {} : { person: Number(chosen) };
  }
}

/** The conversation of a simulated account with its recipients, newest first, with the actions of the recipients. */
export class SimulatorMessages {
  readonly element = el("div", "messaging-activity-messages");
  readonly #whenReleased = afterPress(this.element);
  /** The message whose reply is being typed; kept because the list can change meanwhile. */
  #replyTo: string | null = null;
  #reply: HTMLElement | null = null;
  #renameReply: (() => void) | null = null;
  #shown: readonly ConversationEntry[] = [];
  /** Id of the account of the shown entries. */
  #account = "";
  /** The rows by what they show: while that is the same, an unfolded text stays so, and so does the focus. */
  #rows: ReadonlyMap<string, HTMLElement> = new Map();

  /** @param actions null for users who may not act */
  constructor(private readonly actions: MessageActions | null) {}

  /** @param entries newest first */
  show(account: string, entries: readonly ConversationEntry[]): void {
    this.#whenReleased(() => {
      this.#shown = entries;
      this.#account = account;
      this.#draw();
    });
  }

  #draw(): void {
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.#reply?.contains(active) === true ? active : null;
    const rows = new Map<string, HTMLElement>();
    for (const entry of this.#shown) {
      const shown = JSON.stringify([entry, this.#account]);
      // Nothing tells two equal replies of one moment apart.
      const key = rows.has(shown) ? `${shown} ${rows.size}` : shown;
      const row = this.#rows.get(key) ?? this.#row(entry);
      rows.set(key, row);
      if (this.#reply !== null && entry.sent?.transferId === this.#replyTo && !row.contains(this.#reply)) {
        row.append(this.#reply);
      }
    }
    this.#rows = rows;
    arrange(this.element, rows.size > 0 ? [...rows.values()] : [quiet(texts("simulator.none"))]);
    focused?.focus();
  }

  #row({ sent, reply }: ConversationEntry): HTMLElement {
    return sent === null ? replyRow(reply) : this.#sentRow(sent, this.#account);
  }

  #sentRow(message: PanelMessage, accountId: string): HTMLElement {
    const { text, cards, test, transferId } = message;
    const { actions } = this;
    const person = new ActingAs(message, () => {
      if (this.#replyTo === transferId) {
        this.#renameReply?.();
      }
    });
    const tap =
      actions === null || test
        ? null
        : (suggestion: PanelSuggestion): void => this.#tap(accountId, transferId, suggestion, person);
    return el(
      "div",
      "messaging-activity-message",
      heading(message, message.spoken ? "simulator.calls" : "simulator.sentTo"),
      message.spoken ? quiet(icon("volume-up"), ` ${texts("simulator.spoken")}`) : null,
      text === "" && cards.length > 0 ? null : textOf(text),
      ...buildCards(message, tap),
      test || actions === null ? null : person.element,
      test ? quiet(texts("simulator.test")) : this.#buttons(message, accountId, person),
    );
  }

  #buttons(message: PanelMessage, accountId: string, person: ActingAs): HTMLElement | null {
    const { actions } = this;
    if (actions === null) {
      return null;
    }
    const { transferId } = message;
    return el(
      "div",
      "messaging-simulator-buttons",
      button({ icon: "reply", tip: texts("simulator.reply") }, () =>
        this.#beginReply(message, accountId, person),
      ),
      ...statusesOf(message).map((status) =>
        button({ icon: STATUS_ICONS[status], tip: texts(`simulator.status.${status}`) }, () => {
          void actions.act(accountId, "status", { transferId, ...person.input, status });
        }),
      ),
    );
  }

  #tap(
    accountId: string,
    transferId: string,
    { index, heard, text }: PanelSuggestion,
    person: ActingAs,
  ): void {
    if (heard) {
      void this.actions?.act(accountId, "tap", { transferId, ...person.input, suggestion: index });
    } else {
      this.actions?.say(texts("simulator.stays", { text }));
    }
  }

  #beginReply({ transferId, channel }: PanelMessage, accountId: string, person: ActingAs): void {
    const { actions } = this;
    const end = (): void => {
      this.#reply?.remove();
      this.#replyTo = null;
      this.#reply = null;
    };
    if (this.#replyTo === transferId || actions === null) {
      end();
      return;
    }
    const label = (): string => texts("simulator.replyText", { who: person.who });
    const composer = new SimulatorComposer({
      label: label(),
      complain: actions.complain,
      send: (written) => actions.act(accountId, "reply", { transferId, ...person.input, ...written }),
      sent: () => {
        // Meanwhile somebody may have begun another reply, or written on in this one.
        if (this.#reply === composer.element && composer.isBlank) {
          end();
        }
      },
    });
    composer.allowPicture(channel !== "sms");
    composer.element.classList.add("messaging-simulator-answer");
    composer.element.addEventListener("keydown", ({ key }) => key === "Escape" && end());
    this.#reply?.remove();
    this.#replyTo = transferId;
    this.#renameReply = () => composer.rename(label());
    this.#reply = composer.element;
    this.#draw();
    composer.input.focus();
  }
}

function replyRow(reply: PanelReply): HTMLElement {
  const { text, picture, tapped } = reply;
  return el(
    "div",
    "messaging-activity-message messaging-simulator-reply",
    heading(reply, "simulator.from"),
    text === "" && picture ? null : textOf(text),
    picture ? quiet(icon("picture-o"), ` ${texts("simulator.picture.shown")}`) : null,
    tapped ? quiet(icon("hand-pointer-o"), ` ${texts("simulator.tapped")}`) : null,
  );
}

function heading(message: PanelMessage | PanelReply, direction: string): HTMLElement {
  const { at, channel, who } = message;
  const count = "count" in message ? message.count : 1;
  const spoken = "spoken" in message && message.spoken;
  return el(
    "div",
    "messaging-simulator-heading",
    el("span", "messaging-activity-time", formatTime(at)),
    spoken
      ? channelSign("phone", texts("simulator.call"))
      : channelSign(CHANNEL_ICONS[channel], texts(`channel.${channel}`)),
    el("span", "", texts(direction, { who: whoOf({ who, count }) })),
  );
}

const textOf = (text: string | null): HTMLElement =>
  text === null || text === ""
    ? quiet(texts(text === null ? "simulator.hiddenText" : "simulator.noText"))
    : fullText(text);
