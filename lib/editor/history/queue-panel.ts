import { type QueueJob, type QueueView, READ_HISTORY, WRITE_QUEUE } from "../../shared/history";
import { formatCount, texts } from "../activity/formatting";
import { ask } from "./ask";
import { changeQueue, offerFile, readQueue, saveJob } from "./history-link";
import type { JobAction } from "./job-rows";
import { Poll } from "./poll";
import { QueueSection } from "./queue-section";
import { failureText } from "./wording";

/** Keeps the section of the queue up to date, and does what its buttons say. */
export class QueuePanel {
  readonly #section: QueueSection;
  readonly #mayChange = RED.user.hasPermission(WRITE_QUEUE);
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  #account: string | null = null;
  /** Last job of the page before the shown one. */
  #after = 0;
  readonly #poll = new Poll(
    () => this.element.offsetParent !== null,
    (isCurrent) => this.#look(isCurrent),
  );

  /** @param failed told why the queue cannot be read */
  constructor(private readonly failed: (failure: unknown) => void) {
    this.#section = new QueueSection({
      may: (action) => this.#mayChange && (action !== "save" || this.#mayRead),
      cancelAll: (account, view) => this.#cancelAll(account, view),
      actOnJob: (account, action, job) => this.#actOnJob(account, action, job),
      more: (account, after) => {
        if (account === this.#account) {
          this.#after = after;
          this.#poll.start();
        }
      },
    });
  }

  get element(): HTMLElement {
    return this.#section.element;
  }

  /** Follows the queue of an account; null for none. */
  watch(account: string | null): void {
    if (account !== this.#account) {
      // Its buttons would act on messages of the other account.
      this.#section.clear();
    }
    this.#account = account;
    this.#after = 0;
    this.#section.say("");
    if (account === null) {
      this.#poll.stop();
    } else {
      this.#poll.start();
    }
  }

  async #look(isCurrent: () => boolean): Promise<true> {
    const account = this.#account ?? "";
    try {
      const view = await readQueue(account, this.#after);
      if (isCurrent()) {
        // The jobs of this page are done: back to the first one.
        this.#after = view.jobs.length === 0 ? 0 : this.#after;
        this.#section.show(account, view);
      }
    } catch (failure) {
      if (isCurrent()) {
        this.failed(failure);
      }
    }
    return true;
  }

  #cancelAll(account: string, { waiting, paused, stranded }: QueueView): void {
    const n = formatCount(waiting + paused + stranded);
    ask(texts("queue.cancelQuestion", { n }), texts("queue.cancelYes"), () =>
      this.#change(account, "cancel", null),
    );
  }

  #actOnJob(account: string, action: JobAction, job: QueueJob): void {
    const n = formatCount(job.waiting + job.paused);
    switch (action) {
      case "save":
        void this.#save(account, job);
        break;
      case "cancel":
        ask(texts("queue.cancelQuestion", { n }), texts("queue.cancelYes"), () =>
          this.#change(account, action, job.id),
        );
        break;
      case "discard":
        ask(texts("queue.discardQuestion", { n }), texts("queue.discardYes"), () =>
          this.#change(account, action, job.id),
        );
        break;
      case "send":
        ask(texts("queue.sendQuestion", { n }), texts("queue.sendYes"), () =>
          this.#change(account, action, job.id),
        );
        break;
      default:
        this.#change(account, action, job.id);
    }
  }

  #change(account: string, action: Exclude<JobAction, "save">, job: number | null): void {
    const said = (text: string, wrong = false): void => {
      if (account === this.#account) {
        this.#section.say(text, wrong);
        this.#poll.start();
      }
    };
    changeQueue(account, action, job).then(
      ({ requests }) => said(texts(`queue.did.${action}`, { n: formatCount(requests) })),
      (failure: unknown) => said(failureText(failure), true),
    );
  }

  async #save(account: string, { id }: QueueJob): Promise<void> {
    const said = (text: string, wrong = false): void => {
      if (account === this.#account) {
        this.#section.say(text, wrong);
      }
    };
    try {
      offerFile(await saveJob(account, id), `messages-${id}.json`);
      said(texts("queue.did.save"));
    } catch (failure) {
      said(failureText(failure), true);
    }
  }
}
