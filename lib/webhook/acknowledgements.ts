import { randomBytes } from "node:crypto";

/** The decision on an event: acknowledge it, or ask the service to deliver it again. */
export type Decision = "acknowledge" | "redeliver";
/** What made the decision. */
export type DecidedBy = "flow" | "time" | "closing";
/** The state of the event at a decision: open, decided before, past its time limit, or unknown. */
export type Met = "open" | "decided" | "late" | "unknown";

interface Waiting {
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
  readonly end: (decision: Decision, by: DecidedBy) => void;
}

/** Events that may wait at once. Further events are sent back to the service. */
const MOST_WAITING = 10_000;
const MOST_BYTES = 64 * 2 ** 20;
/** Ended events that are kept for late decisions. */
const MOST_ENDED = 10_000;

/** Events that wait for the decision of a flow, by ids that messages carry. The first decision counts. */
export class Acknowledgements {
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = new Map<string, "decided" | "late">();
  readonly #watchers = new Set<() => void>();
  #deciders = 0;
  /** Of the events that wait. */
  #bytes = 0;

  /** Whether another event can wait. */
  get hasRoom(): boolean {
    return this.#waiting.size < MOST_WAITING && this.#bytes < MOST_BYTES;
  }

  /** Whether a node that can decide exists. */
  get hasDeciders(): boolean {
    return this.#deciders > 0;
  }

  /** @param timeout ms after which it is delivered again. @param end called once. @param bytes of its body. @returns the id for the message */
  wait(timeout: number, end: Waiting["end"], bytes = 0): string {
    const id = randomBytes(16).toString("base64url");
    const timer = setTimeout(() => this.#end(id, "redeliver", "time"), timeout);
    this.#waiting.set(id, { timer, end, bytes });
    this.#bytes += bytes;
    return id;
  }

  /** A flow decides. */
  decide(id: string, decision: Decision): Met {
    if (this.#end(id, decision, "flow")) {
      return "open";
    }
    return this.#ended.get(id) ?? "unknown";
  }

  /** The receiver closes: the event is sent back. */
  giveUp(id: string): void {
    this.#end(id, "redeliver", "closing");
  }

  /** Adds a node that can decide. @returns a function that removes it */
  join(): () => void {
    this.#deciders++;
    let gone = false;
    return () => {
      if (!gone) {
        gone = true;
        this.#deciders--;
        for (const notify of this.#watchers) {
          notify();
        }
      }
    };
  }

  /** Calls back whenever a decider is removed. @returns a function that ends this */
  onLeave(notify: () => void): () => void {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
  }

  #end(id: string, decision: Decision, by: DecidedBy): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      return false;
    }
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    this.#bytes -= waiting.bytes;
    this.#ended.set(id, by === "flow" ? "decided" : "late");
    if (this.#ended.size > MOST_ENDED) {
      const [oldest = ""] = this.#ended.keys();
      this.#ended.delete(oldest);
    }
    waiting.end(decision, by);
    return true;
  }
}
