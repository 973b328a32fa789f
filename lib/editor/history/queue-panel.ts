import { type QueueJob, type QueueView, READ_HISTORY, WRITE_QUEUE } from "../../shared/history";
import { formatCount, texts } from "../activity/formatting";
import { confirm } from "./confirm";
import { changeQueue, offerFile, readQueue, saveJob } from "./history-link";
import type { JobAction } from "./job-rows";
import { type QueueButton, QueueSection } from "./queue-section";
import { failureText } from "./wording";

/** ms between two looks at the queue while it is visible. */
const LOOK_EVERY = 3_000;

/** Keeps the section of the queue up to date, and does what its buttons say. */
export class QueuePanel {
  readonly #section: QueueSection;
  readonly #mayChange = RED.user.hasPermission(WRITE_QUEUE);
  readonly #mayRead = RED.user.hasPermission(READ_HISTORY);
  #account: string | null = null;
  /** Last job of the page before the shown one. */
  #after = 0;
  #timer: number | null = null;
  #looks = 0;

  /** @param failed told why the queue cannot be read */
  constructor(private readonly failed: (failure: unknown) => void) {
    this.#section = new QueueSection({
      may: (action) => this.#mayChange && (action !== "save" || this.#mayRead),
      actOnAll: (action, view) => this.#actOnAll(action, view),
      actOnJob: (action, job) => this.#actOnJob(action, job),
      more: (after) => {
        this.#after = after;
        this.#look();
      },
    });
  }

  get element(): HTMLElement {
    return this.#section.element;
  }

  /** Follows the queue of an account; null for none. */
  watch(account: string | null): void {
    this.#account = account;
    this.#after = 0;
    this.#section.say("");
    this.#look();
  }

  #look(): void {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
    }
    const account = this.#account;
    const look = ++this.#looks;
    if (account === null) {
      return;
    }
    const again = (): void => {
      if (look === this.#looks) {
        this.#timer = window.setTimeout(() => this.#look(), LOOK_EVERY);
      }
    };
    if (this.element.offsetParent === null || document.visibilityState !== "visible") {
      again();
      return;
    }
    readQueue(account, this.#after).then(
      (view) => {
        if (look === this.#looks) {
          // The jobs of this page are done: back to the first one.
          this.#after = view.jobs.length === 0 ? 0 : this.#after;
          this.#section.show(view);
        }
        again();
      },
      (failure: unknown) => {
        if (look === this.#looks) {
          this.failed(failure);
        }
        again();
      },
    );
  }

  #actOnAll(action: QueueButton, { waiting, paused, stranded }: QueueView): void {
    if (action === "cancel") {
      const n = formatCount(waiting + paused + stranded);
      confirm(texts("queue.cancelQuestion", { n }), texts("queue.cancelYes"), () =>
        this.#change("cancel", null),
      );
    } else {
      this.#change(action, null);
    }
  }

  #actOnJob(action: JobAction, job: QueueJob): void {
    const n = formatCount(job.waiting + job.paused);
    switch (action) {
      case "save":
        void this.#save(job);
        break;
      case "cancel":
        confirm(texts("queue.cancelQuestion", { n }), texts("queue.cancelYes"), () =>
          this.#change(action, job.id),
        );
        break;
      case "discard":
        confirm(texts("queue.discardQuestion", { n }), texts("queue.discardYes"), () =>
          this.#change(action, job.id),
        );
        break;
      case "send":
        confirm(texts("queue.sendQuestion", { n }), texts("queue.sendYes"), () =>
          this.#change(action, job.id),
        );
        break;
      default:
        this.#change(action, job.id);
    }
  }

  #change(action: Exclude<JobAction, "save">, job: number | null): void {
    if (this.#account === null) {
      return;
    }
    changeQueue(this.#account, action, job).then(
      ({ requests }) => {
        const did = job === null && action !== "cancel" ? `${action}All` : action;
        this.#section.say(texts(`queue.did.${did}`, { n: formatCount(requests) }));
        this.#look();
      },
      (failure: unknown) => {
        this.#section.say(failureText(failure), true);
        this.#look();
      },
    );
  }

  async #save({ id }: QueueJob): Promise<void> {
    if (this.#account === null) {
      return;
    }
    try {
      offerFile(await saveJob(this.#account, id), `messages-${id}.json`);
      this.#section.say(texts("queue.did.save"));
    } catch (failure) {
      this.#section.say(failureText(failure), true);
    }
  }
}
