import { MOST_RUNNING, type RunningSend } from "../../shared/activity";

type Running = RunningSend & { done: number };

/** Reports the progress of a send of several requests. */
export interface SendProgress {
  /** Counts further recipients whose request has ended. */
  step(recipients: number): void;
  end(): void;
}

/** Sends of several requests that are under way. */
export class RunningSends {
  readonly #running = new Set<Running>();
  #begun = 0;

  get count(): number {
    return this.#running.size;
  }

  /** @param changed told when it begins and when it ends @param now epoch ms */
  begin(
    send: Pick<RunningSend, "node" | "template" | "total" | "simulated">,
    now: number,
    changed: () => void,
  ): SendProgress {
    const running = { ...send, id: ++this.#begun, since: now, done: 0 };
    this.#running.add(running);
    changed();
    return {
      step: (recipients) => {
        running.done += recipients;
      },
      end: () => {
        this.#running.delete(running);
        changed();
      },
    };
  }

  /** `MOST_RUNNING` at most: those with the most to do, where not all are listed. */
  list(): RunningSend[] {
    const running = [...this.#running];
    if (running.length > MOST_RUNNING) {
      running.sort((one, other) => other.total - other.done - (one.total - one.done));
    }
    return running.slice(0, MOST_RUNNING).map((send) => ({ ...send }));
  }
}
