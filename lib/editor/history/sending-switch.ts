import { type SendingAction, type SendingView, WRITE_SENDING } from "../../shared/history/history";
import { button, el, icon } from "../activity/dom";
import { texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { whenChanged } from "../dialog/when-changed";
import { AccountPoll } from "./poll";
import { changeSending, readSending } from "./history-link";
import { ask, longTime } from "./wording";

/** Shows whether an account sends, with the switch that stops all sending and lets it go on. */
export class SendingSwitch {
  readonly element = el("div", "messaging-history-sending");
  readonly #state = el("div", "messaging-history-sending-state");
  /** Why the last press came to nothing stays until the next one. */
  readonly #said = new Notice("messaging-history-said", "alert");
  readonly #stop = this.#make("stop", "hand-paper-o", () => this.#change(this.#poll.account, "stop"));
  readonly #goOn = this.#make("go-on", "play", () => this.#ask());
  readonly #resume = this.#make("resume", "repeat", () => this.#change(this.#poll.account, "resume"));
  readonly #mayChange = RED.user.hasPermission(WRITE_SENDING);
  #view: SendingView | null = null;
  readonly #poll: AccountPoll<SendingView> = new AccountPoll({
    element: () => this.element,
    read: readSending,
    show: (view) => this.#show(view),
    // The history below says why.
    failed: () => this.#show(null),
    say: (text, wrong) => this.#said.say(text, wrong),
  });
  readonly #draw = whenChanged(({ lines, isStopped }: { lines: readonly string[]; isStopped: boolean }) =>
    this.#state.replaceChildren(
      ...(isStopped ? [icon("hand-paper-o")] : []),
      el("div", "", ...lines.map((text) => el("div", "", text))),
    ),
  );

  constructor() {
    this.#state.setAttribute("role", "status");
    this.element.append(this.#state, this.#stop, this.#goOn, this.#resume, this.#said.element);
    this.#show(null);
  }

  /** Follows an account; null for none. */
  watch(account: string | null): void {
    this.#said.say("");
    this.#show(null);
    this.#poll.follow(account);
  }

  #make(action: SendingAction, name: string, pressed: () => void): HTMLButtonElement {
    const made = button({ icon: name, text: texts(`sending.${action}`) }, pressed);
    made.classList.add(`messaging-history-${action}`);
    return made;
  }

  /** @param view null where nobody knows; there is nothing to switch then */
  #show(view: SendingView | null): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#view = view;
    this.element.hidden = view === null;
    if (view === null) {
      return;
    }
    const { stoppedSince, stoppedBySettings, refused } = view;
    const isStopped = stoppedSince !== null || stoppedBySettings || refused.length > 0;
    this.element.classList.toggle("messaging-history-stopped", isStopped);
    this.#draw({ lines: stateOf(view), isStopped });
    this.#stop.hidden = stoppedSince !== null;
    this.#goOn.hidden = stoppedSince === null;
    this.#resume.hidden = refused.length === 0;
    for (const [each, action] of [
      [this.#stop, "stop"],
      [this.#goOn, "go-on"],
      [this.#resume, "resume"],
    ] as const) {
      each.disabled = !this.#mayChange;
      each.title = texts(this.#mayChange ? `sending.${action}Tip` : "sending.denied");
    }
    if (hadFocus && !this.element.contains(document.activeElement)) {
      (stoppedSince === null ? this.#stop : this.#goOn).focus();
    }
  }

  #ask(): void {
    const { account } = this.#poll;
    const question = this.#view?.stoppedBySettings
      ? texts("sending.questionSettings")
      : texts("sending.question", { n: this.#view?.waiting ?? 0 });
    ask(question, texts("sending.go-on"), () => this.#change(account, "go-on"));
  }

  #change(account: string | null, action: SendingAction): void {
    if (account !== null) {
      const changed = changeSending(account, action).then((view) => {
        if (account === this.#poll.account) {
          this.#show(view);
        }
        return "";
      });
      void this.#poll.report(account, changed);
    }
  }
}

function stateOf({ stoppedSince, stoppedBySettings, refused, waiting }: SendingView): readonly string[] {
  const isStopped = stoppedSince !== null || stoppedBySettings || refused.length > 0;
  return [
    ...(stoppedSince === null ? [] : [texts("sending.stoppedSince", { time: longTime(stoppedSince) })]),
    ...(stoppedBySettings ? [texts("sending.stoppedBySettings")] : []),
    ...refused,
    ...(isStopped ? [texts("sending.waiting", { n: waiting })] : [texts("sending.sends")]),
  ];
}
