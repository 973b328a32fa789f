import type { QueueJob, QueueView } from "../../shared/history";
import { afterPress } from "../activity/after-press";
import { button, el } from "../activity/dom";
import { formatCount, texts } from "../activity/formatting";
import { Collapsible } from "./collapsible";
import { type JobAction, jobRow } from "./job-rows";
import { Notice } from "./notice";
import { durationText } from "./wording";

export interface QueueUse {
  readonly may: (action: JobAction) => boolean;
  readonly cancelAll: (account: string, view: QueueView) => void;
  readonly actOnJob: (account: string, action: JobAction, job: QueueJob) => void;
  readonly more: (account: string, after: number) => void;
}

/** What is on its way from an account, with what a person can do about it. */
export class QueueSection {
  readonly #said = new Notice("messaging-history-said");
  readonly #content = el("div");
  readonly #part = new Collapsible(
    "messaging-history-queue",
    texts("queue.title"),
    this.#said.element,
    this.#content,
  );
  readonly #draw = afterPress(this.#content);
  #drawn = "";

  constructor(private readonly use: QueueUse) {}

  get element(): HTMLElement {
    return this.#part.element;
  }

  /** Says what an action did, or why it failed. */
  say(text: string, wrong = false): void {
    this.#said.say(text, wrong);
  }

  /** Shows nothing until it is known. */
  clear(): void {
    this.#draw(() => {
      this.#drawn = "";
      this.#part.summary = "";
      this.#content.replaceChildren();
    });
  }

  /**
   * Draws the queue where it is another one than before; the focus stays on its button.
   * @param account the one of the queue: its buttons act on it, also where another one is followed by now
   */
  show(account: string, view: QueueView): void {
    this.#draw(() => this.#show(account, view));
  }

  #show(account: string, view: QueueView): void {
    const drawn = JSON.stringify({ account, ...view, nextDue: untilNext(view) });
    if (drawn === this.#drawn) {
      return;
    }
    this.#drawn = drawn;
    this.#part.summary = summaryOf(view);
    const key = (document.activeElement as HTMLElement | null)?.dataset.key;
    this.#content.replaceChildren(...this.#build(account, view));
    if (key !== undefined) {
      this.#content.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
    }
  }

  #build(account: string, view: QueueView): readonly HTMLElement[] {
    const { jobs, strandedJobs, next } = view;
    const stranded = new Set(strandedJobs.map(({ id }) => id));
    const others = jobs.filter(({ id, stranded: without }) => !without && !stranded.has(id));
    const rows = (list: readonly QueueJob[]): readonly HTMLElement[] =>
      list.map((job) => jobRow(job, this.use.may, (action) => this.use.actOnJob(account, action, job)));
    return [
      el("div", "messaging-history-facts", ...factsOf(view)),
      ...[this.#buttons(account, view) ?? []].flat(),
      ...(strandedJobs.length === 0
        ? []
        : [
            el("div", "messaging-history-legend", texts("queue.stranded.title")),
            el("div", "messaging-history-quiet", texts("queue.stranded.hint")),
            ...rows(strandedJobs),
          ]),
      ...(others.length === 0
        ? []
        : [el("div", "messaging-history-legend", texts("queue.jobs")), ...rows(others)]),
      ...(next === null
        ? []
        : [
            el(
              "div",
              "messaging-history-more",
              button({ text: texts("queue.more") }, () => this.use.more(account, next)),
            ),
          ]),
    ];
  }

  #buttons(account: string, view: QueueView): HTMLElement | null {
    const { may, cancelAll } = this.use;
    if (view.waiting + view.paused + view.stranded === 0) {
      return null;
    }
    const cancel = button({ icon: "times", text: texts("queue.all.cancel") }, () => cancelAll(account, view));
    cancel.disabled = !may("cancel");
    cancel.title = texts(cancel.disabled ? "queue.denied" : "queue.all.cancelTip");
    cancel.dataset.key = "all cancel";
    return el("div", "messaging-history-row messaging-history-buttons", cancel);
  }
}

/** How long it takes until the first of those that wait for a time may leave; null without one. */
const untilNext = ({ nextDue }: QueueView): string | null =>
  nextDue === null ? null : durationText(Math.ceil(Math.max(0, nextDue) / 1_000) * 1_000);

function summaryOf({ waiting, sending, paused, stranded }: QueueView): string {
  const counts = [
    ...(waiting > 0 ? [texts("queue.waiting", { n: formatCount(waiting) })] : []),
    ...(paused > 0 ? [texts("queue.paused", { n: formatCount(paused) })] : []),
    ...(stranded > 0 ? [texts("queue.stranded.count", { n: formatCount(stranded) })] : []),
    ...(sending > 0 ? [texts("queue.sending", { n: formatCount(sending) })] : []),
  ];
  return counts.length === 0 ? texts("queue.empty") : counts.join(" · ");
}

function factsOf(view: QueueView): readonly HTMLElement[] {
  const until = untilNext(view);
  const lines = [summaryOf(view), ...(until === null ? [] : [texts("queue.nextDue", { time: until })])];
  return lines.map((line) => el("div", "", line));
}
