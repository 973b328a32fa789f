import { type QueueJob, type QueueView, READ_HISTORY, WRITE_QUEUE } from "../../shared/history/history";
import { afterPress } from "../activity/after-press";
import { Collapsible } from "../activity/collapsible";
import { button, el } from "../activity/dom";
import { texts } from "../activity/formatting";
import { Notice } from "../activity/notice";
import { joined, quiet } from "../activity/parts";
import { whenChanged } from "../dialog/when-changed";
import { AccountPoll } from "./poll";
import { changeQueue, offerFile, readQueue, saveJob } from "./history-link";
import { type JobAction, jobRow } from "./job-rows";
import { ask, durationText } from "./wording";

/** What a person is asked before, with the label of the button that does it. */
const ASKED = {
  cancel: ["queue.cancelQuestion", "queue.cancelYes"],
  discard: ["queue.discardQuestion", "queue.discardYes"],
  send: ["queue.sendQuestion", "queue.sendYes"],
  "use-address": ["queue.useAddressQuestion", "queue.useAddressYes"],
} as const;

/** The queue of an account: its buttons act on it, also where another account is followed by now. */
interface ShownQueue {
  readonly account: string;
  readonly view: Omit<QueueView, "nextDue">;
  /** How long it takes until the first of those that wait for a time may leave; null without one. */
  readonly untilNext: string | null;
}

/** What is on its way from an account, with what a person can do about it. */
export class QueuePanel {
  readonly element: HTMLElement;
  readonly #said = new Notice("messaging-history-said");
  readonly #content = el("div");
  readonly #part = new Collapsible(
    "messaging-history-part messaging-history-queue",
    [texts("queue.title")],
    el("div", "messaging-history-body", this.#said.element, this.#content),
  );
  readonly #mayChange = RED.user.hasPermission(WRITE_QUEUE);
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  /** Last job of the page before the shown one. */
  #after = 0;
  readonly #poll: AccountPoll<QueueView>;
  readonly #whenReleased = afterPress(this.#content);
  #draw = this.#drawing();

  /** @param failed told why the queue cannot be read */
  constructor(failed: (failure: unknown) => void) {
    this.element = this.#part.element;
    this.#poll = new AccountPoll({
      element: () => this.element,
      read: (account) => readQueue(account, this.#after),
      show: ({ nextDue, ...view }, account) => {
        // The jobs of this page are done: back to the first one.
        this.#after = view.jobs.length === 0 ? 0 : this.#after;
        const untilNext =
          nextDue === null ? null : durationText(Math.ceil(Math.max(0, nextDue) / 1_000) * 1_000);
        this.#whenReleased(() => this.#draw({ account, view, untilNext }));
      },
      failed,
      say: (text, wrong) => this.#said.say(text, wrong),
    });
  }

  /** Follows the queue of an account; null for none. */
  watch(account: string | null): void {
    if (account !== this.#poll.account) {
      // Its buttons would act on messages of the other account. Nothing is shown until it is known.
      this.#whenReleased(() => {
        this.#draw = this.#drawing();
        this.#part.summary = "";
        this.#content.replaceChildren();
      });
    }
    this.#after = 0;
    this.#said.say("");
    this.#poll.follow(account);
  }

  /** Draws a queue where it is another one than before; the focus stays on its button. */
  #drawing(): (queue: ShownQueue) => void {
    return whenChanged((queue: ShownQueue) => {
      this.#part.summary = summaryOf(queue.view);
      const key = (document.activeElement as HTMLElement | null)?.dataset.key;
      this.#content.replaceChildren(...this.#build(queue));
      if (key !== undefined) {
        this.#content.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
      }
    });
  }

  #build({ account, view, untilNext: time }: ShownQueue): readonly HTMLElement[] {
    const { jobs, strandedJobs, next, waiting, paused, stranded } = view;
    const known = new Set(strandedJobs.map(({ id }) => id));
    const others = jobs.filter(({ id, stranded: without }) => !without && !known.has(id));
    const rows = (list: readonly QueueJob[]): readonly HTMLElement[] =>
      list.map((job) =>
        jobRow(
          job,
          (action) => this.#may(action),
          (action) => this.#act(account, action, job),
        ),
      );
    const legend = (key: string): HTMLElement => el("div", "messaging-history-legend", texts(key));
    return [
      el(
        "div",
        "messaging-history-facts",
        el("div", "", summaryOf(view)),
        time === null ? null : el("div", "", texts("queue.nextDue", { time })),
      ),
      ...(waiting + paused + stranded === 0 ? [] : [this.#cancelButton(account, view)]),
      ...(strandedJobs.length === 0
        ? []
        : [legend("queue.stranded.title"), quiet(texts("queue.stranded.hint")), ...rows(strandedJobs)]),
      ...(others.length === 0 ? [] : [legend("queue.jobs"), ...rows(others)]),
      ...(next === null ? [] : [el("div", "messaging-view-more", this.#moreButton(account, next))]),
    ];
  }

  #cancelButton(account: string, { waiting, paused, stranded }: ShownQueue["view"]): HTMLElement {
    const cancel = button({ icon: "times", text: texts("queue.all.cancel") }, () =>
      this.#confirm("cancel", waiting + paused + stranded, () => this.#change(account, "cancel", null)),
    );
    cancel.disabled = !this.#may("cancel");
    cancel.title = texts(cancel.disabled ? "queue.denied" : "queue.all.cancelTip");
    cancel.dataset.key = "all cancel";
    return el("div", "messaging-view-row messaging-history-buttons", cancel);
  }

  #moreButton(account: string, next: number): HTMLElement {
    return button({ text: texts("queue.more") }, () => {
      if (account === this.#poll.account) {
        this.#after = next;
        this.#poll.look();
      }
    });
  }

  #may(action: JobAction): boolean {
    return this.#mayChange && (action !== "save" || this.#mayRead);
  }

  #confirm(action: keyof typeof ASKED, n: number, confirmed: () => void): void {
    const [question, yes] = ASKED[action];
    ask(texts(question, { n }), texts(yes), confirmed);
  }

  #act(account: string, action: JobAction, { id, waiting, paused }: QueueJob): void {
    if (action === "save") {
      const saved = saveJob(account, id).then((file) => {
        offerFile(file, `messages-${id}.json`);
        return texts("queue.did.save");
      });
      void this.#poll.report(account, saved);
    } else if (action === "pause" || action === "resume") {
      this.#change(account, action, id);
    } else {
      this.#confirm(action, waiting + paused, () => this.#change(account, action, id));
    }
  }

  #change(account: string, action: Exclude<JobAction, "save">, job: number | null): void {
    const changed = changeQueue(account, action, job).then(({ requests }) =>
      texts(`queue.did.${action}`, { n: requests }),
    );
    void this.#poll.report(account, changed);
  }
}

const summaryOf = ({ waiting, sending, paused, stranded }: ShownQueue["view"]): string =>
  joined(
    waiting > 0 && texts("queue.waiting", { n: waiting }),
    paused > 0 && texts("queue.paused", { n: paused }),
    stranded > 0 && texts("queue.stranded.count", { n: stranded }),
    sending > 0 && texts("queue.sending", { n: sending }),
  ) || texts("queue.empty");
