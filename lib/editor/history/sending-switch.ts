import { type SendingAction, type SendingView, WRITE_SENDING } from "../../shared/history";
import { button, el, icon } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { ask } from "./ask";
import { changeSending, readSending } from "./history-link";
import { Notice } from "./notice";
import { Poll } from "./poll";
import { failureText, longTime } from "./wording";

/** Shows whether an account sends, with the switch that stops all sending and lets it go on. */
export class SendingSwitch {
  readonly element = el("div", "messaging-history-sending");
  readonly #state = el("div", "messaging-history-sending-state");
  readonly #said = new Notice("messaging-history-said", "alert");
  readonly #stop = this.#make("stop", "hand-paper-o", () => this.#change(this.#account, "stop"));
  readonly #goOn = this.#make("go-on", "play", () => this.#ask());
  readonly #mayChange = RED.user.hasPermission(WRITE_SENDING);
  #account: string | null = null;
  #view: SendingView | null = null;
  /** Why the last press came to nothing; blank where it did not. It stays until the next one. */
  #failure = "";
  readonly #poll = new Poll(
    // The element itself is hidden until something is known.
    () => (this.element.parentElement?.offsetParent ?? null) !== null,
    (isCurrent) => this.#look(isCurrent),
  );

  constructor() {
    this.#state.setAttribute("role", "status");
    this.element.append(this.#state, this.#stop, this.#goOn, this.#said.element);
    this.#show(null);
  }

  /** Follows an account; null for none. */
  watch(account: string | null): void {
    this.#account = account;
    this.#failure = "";
    this.#show(null);
    if (account === null) {
      this.#poll.stop();
    } else {
      this.#poll.start();
    }
  }

  #make(action: SendingAction, name: string, pressed: () => void): HTMLButtonElement {
    const made = button({ icon: name, text: texts(`sending.${action}`) }, pressed);
    made.classList.add(`messaging-history-${action}`);
    return made;
  }

  async #look(isCurrent: () => boolean): Promise<true> {
    try {
      const view = await readSending(this.#account ?? "");
      if (isCurrent()) {
        this.#show(view);
      }
    } catch {
      // The history below says why.
      if (isCurrent()) {
        this.#show(null);
      }
    }
    return true;
  }

  /** @param view null where nobody knows; there is nothing to switch then */
  #show(view: SendingView | null): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#view = view;
    this.element.hidden = view === null;
    this.#said.say(this.#failure);
    if (view === null) {
      return;
    }
    const { stoppedSince, stoppedBySettings } = view;
    const isStopped = stoppedSince !== null || stoppedBySettings;
    this.element.classList.toggle("messaging-history-stopped", isStopped);
    const lines = stateOf(view).map((line) => el("div", "", line));
    const text = lines.map(({ textContent }) => textContent).join();
    if (this.#state.dataset.shown !== text) {
      this.#state.dataset.shown = text;
      this.#state.replaceChildren(...(isStopped ? [icon("hand-paper-o")] : []), el("div", "", ...lines));
    }
    this.#stop.hidden = stoppedSince !== null;
    this.#goOn.hidden = stoppedSince === null;
    for (const [each, action] of [
      [this.#stop, "stop"],
      [this.#goOn, "go-on"],
    ] as const) {
      each.disabled = !this.#mayChange;
      each.title = texts(this.#mayChange ? `sending.${action}Tip` : "sending.denied");
    }
    if (hadFocus && !this.element.contains(document.activeElement)) {
      (stoppedSince === null ? this.#stop : this.#goOn).focus();
    }
  }

  #ask(): void {
    const account = this.#account;
    const n = this.#view?.waiting ?? 0;
    const question = this.#view?.stoppedBySettings
      ? texts("sending.questionSettings")
      : texts("sending.question", { n: formatCount(n) });
    ask(question, texts("sending.go-on"), () => this.#change(account, "go-on"));
  }

  #change(account: string | null, action: SendingAction): void {
    if (account === null) {
      return;
    }
    const changed = (view: SendingView | null, failure: string): void => {
      if (account === this.#account) {
        this.#failure = failure;
        this.#show(view);
        this.#poll.start();
      }
    };
    changeSending(account, action).then(
      (view) => changed(view, ""),
      (failure: unknown) => changed(this.#view, failureText(failure)),
    );
  }
}

function stateOf({ stoppedSince, stoppedBySettings, waiting }: SendingView): readonly string[] {
  const isStopped = stoppedSince !== null || stoppedBySettings;
  return [
    ...(stoppedSince === null ? [] : [texts("sending.stoppedSince", { time: longTime(stoppedSince) })]),
    ...(stoppedBySettings ? [texts("sending.stoppedBySettings")] : []),
    ...(isStopped ? [texts("sending.waiting", { n: formatCount(waiting) })] : [texts("sending.sends")]),
  ];
}
