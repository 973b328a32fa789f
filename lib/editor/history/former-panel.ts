import { type FormerPlace, type LeftBehindView, WRITE_QUEUE } from "../../shared/history/history";
import { button, el, icon } from "../activity/dom";
import { texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { whenChanged } from "../dialog/when-changed";
import { AccountPoll } from "./poll";
import { moveHere, readFormer } from "./history-link";
import { ask } from "./wording";

/** Says what waits where an account kept its messages before, and brings it to where it keeps them now. */
export class FormerPanel {
  readonly element = el("div", "messaging-history-former");
  readonly #state = el("div", "messaging-history-sending-state");
  readonly #said = new Notice("messaging-history-said");
  readonly #mayChange = RED.user.hasPermission(WRITE_QUEUE);
  readonly #move = button({ icon: "sign-in", text: texts("former.move") }, () => this.#ask());
  #view: LeftBehindView | null = null;
  /** Accounts whose messages are on their way here. */
  readonly #moving = new Set<string>();
  readonly #poll: AccountPoll<LeftBehindView> = new AccountPoll({
    element: () => this.element,
    read: (account) => readFormer(account, this.#mayChange),
    show: (view) => this.#show(view),
    // The history below says why.
    failed: () => this.#show(null),
    say: (text, wrong) => this.#said.say(text, wrong),
  });
  readonly #draw = whenChanged((lines: readonly string[]) =>
    this.#state.replaceChildren(
      ...(lines.length === 0
        ? []
        : [icon("archive"), el("div", "", ...lines.map((line) => el("div", "", line)))]),
    ),
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
    if (account !== this.#poll.account) {
      this.#said.say(this.#moving.has(account ?? "") ? texts("former.moving") : "");
    }
    this.#show(null);
    this.#poll.follow(account);
  }

  #show(view: LeftBehindView | null): void {
    this.#view = view;
    const lines = view === null ? [] : linesOf(view);
    this.element.hidden = lines.length === 0 && this.#said.element.hidden;
    const isMoving = this.#moving.has(this.#poll.account ?? "");
    this.#move.hidden = view === null || view.toMemory || movable(view) === 0 || isMoving;
    this.#draw(lines);
  }

  #ask(): void {
    const { account } = this.#poll;
    if (account !== null) {
      const n = this.#view === null ? 0 : movable(this.#view);
      ask(texts("former.question", { n }), texts("former.yes"), () => void this.#bring(account));
    }
  }

  /** Brings what waited when the question came, also where another account is shown by now. */
  async #bring(account: string): Promise<void> {
    this.#moving.add(account);
    if (account === this.#poll.account) {
      this.#said.say(texts("former.moving"));
      this.#show(this.#view);
    }
    const moved = moveHere(account).then(({ requests }) => texts("former.did", { n: requests }));
    await this.#poll.report(
      account,
      moved.finally(() => this.#moving.delete(account)),
    );
    if (account === this.#poll.account) {
      this.moved();
    }
  }
}

const mayMove = ({ usedElsewhere, problem }: FormerPlace): boolean => !usedElsewhere && problem === null;

const movable = ({ places }: LeftBehindView): number =>
  places.filter(mayMove).reduce((sum, { waiting }) => sum + waiting, 0);

function linesOf({ places, toMemory, interrupted }: LeftBehindView): readonly string[] {
  return [
    ...places.flatMap(({ waiting, gathered, place, usedElsewhere, problem }) => {
      const values = { n: waiting, place: place === null ? "" : ` (${place})` };
      return problem !== null
        ? [texts("former.problem", { ...values, problem })]
        : [
            ...(waiting > 0 ? [texts(waiting === 1 ? "former.one" : "former.many", values)] : []),
            ...(gathered > 0 ? [texts("former.gathered", { ...values, n: gathered })] : []),
            ...(usedElsewhere ? [texts("former.elsewhere")] : []),
          ];
    }),
    ...(toMemory && places.length > 0 ? [texts("former.memory")] : []),
    ...(interrupted > 0 ? [texts("former.interrupted", { n: interrupted })] : []),
  ];
}
