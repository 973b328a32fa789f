import { type FormerPlace, type LeftBehindView, WRITE_QUEUE } from "../../shared/history";
import { button, el, icon } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { ask } from "./ask";
import { moveHere, readFormer } from "./history-link";
import { Notice } from "./notice";
import { Poll } from "./poll";
import { failureText } from "./wording";

/** Says what waits where an account kept its messages before, and brings it to where it keeps them now. */
export class FormerPanel {
  readonly element = el("div", "messaging-history-former");
  readonly #state = el("div", "messaging-history-sending-state");
  readonly #said = new Notice("messaging-history-said");
  readonly #mayChange = RED.user.hasPermission(WRITE_QUEUE);
  readonly #move = button({ icon: "sign-in", text: texts("former.move") }, () => this.#ask());
  #account: string | null = null;
  #view: LeftBehindView | null = null;
  /** Accounts whose messages are on their way here. */
  readonly #moving = new Set<string>();
  readonly #poll = new Poll(
    // The element itself is hidden where nothing waits.
    () => (this.element.parentElement?.offsetParent ?? null) !== null,
    (isCurrent) => this.#look(isCurrent),
  );

  /** @param moved told when the queue is another one */
  constructor(private readonly moved: () => void) {
    this.#state.setAttribute("role", "status");
    this.#move.disabled = !this.#mayChange;
    this.#move.title = texts(this.#mayChange ? "former.moveTip" : "queue.denied");
    this.element.append(this.#state, this.#move, this.#said.element);
    this.#show(null);
  }

  /** Follows an account; null for none. */
  watch(account: string | null): void {
    if (account !== this.#account) {
      this.#said.say(this.#isMoving(account) ? texts("former.moving") : "");
    }
    this.#account = account;
    this.#show(null);
    if (account === null) {
      this.#poll.stop();
    } else {
      this.#poll.start();
    }
  }

  #isMoving(account: string | null): boolean {
    return account !== null && this.#moving.has(account);
  }

  async #look(isCurrent: () => boolean): Promise<true> {
    const view = await readFormer(this.#account ?? "", this.#mayChange).catch(() => null);
    if (isCurrent()) {
      // Where nobody knows, the history below says why.
      this.#show(view);
    }
    return true;
  }

  #show(view: LeftBehindView | null): void {
    this.#view = view;
    const lines = view === null ? [] : linesOf(view);
    this.element.hidden = lines.length === 0 && this.#said.element.hidden;
    this.#move.hidden =
      view === null || view.toMemory || movable(view) === 0 || this.#isMoving(this.#account);
    const text = lines.join("\n");
    if (this.#state.dataset.shown !== text) {
      this.#state.dataset.shown = text;
      this.#state.replaceChildren(
        ...(lines.length === 0
          ? []
          : [icon("archive"), el("div", "", ...lines.map((line) => el("div", "", line)))]),
      );
    }
  }

  #ask(): void {
    const account = this.#account;
    const n = this.#view === null ? 0 : movable(this.#view);
    if (account !== null) {
      ask(
        texts("former.question", { n: formatCount(n) }),
        texts("former.yes"),
        () => void this.#bring(account),
      );
    }
  }

  /** Brings what waited when the question came, also where another account is shown by now. */
  async #bring(account: string): Promise<void> {
    this.#moving.add(account);
    if (account === this.#account) {
      this.#said.say(texts("former.moving"));
      this.#show(this.#view);
    }
    const [text, wrong] = await moveHere(account).then(
      ({ requests }) => [texts("former.did", { n: formatCount(requests) }), false] as const,
      (failure: unknown) => [failureText(failure), true] as const,
    );
    this.#moving.delete(account);
    if (account === this.#account) {
      this.#said.say(text, wrong);
      this.#poll.start();
      this.moved();
    }
  }
}

const mayMove = ({ usedElsewhere, problem }: FormerPlace): boolean => !usedElsewhere && problem === null;

const movable = ({ places }: LeftBehindView): number =>
  places.filter(mayMove).reduce((sum, { waiting }) => sum + waiting, 0);

function linesOf({ places, toMemory, interrupted }: LeftBehindView): readonly string[] {
  return [
    ...places.flatMap(({ waiting, place, usedElsewhere, problem }) => {
      const values = { n: formatCount(waiting), place: place === null ? "" : ` (${place})` };
      return problem !== null
        ? [texts("former.problem", { ...values, problem })]
        : [
            texts(waiting === 1 ? "former.one" : "former.many", values),
            ...(usedElsewhere ? [texts("former.elsewhere")] : []),
          ];
    }),
    ...(toMemory && places.length > 0 ? [texts("former.memory")] : []),
    ...(interrupted > 0 ? [texts("former.interrupted", { n: formatCount(interrupted) })] : []),
  ];
}
