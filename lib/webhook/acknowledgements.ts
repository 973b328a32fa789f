import { randomBytes } from "node:crypto";

/** What becomes of an event: the service is told that it arrived, or to deliver it again. */
export type Decision = "acknowledge" | "redeliver";
/** Who decided. */
export type DecidedBy = "flow" | "time" | "closing";
/** What a decision met: its event, one that another decision had reached before, one given up, or none. */
export type Met = "open" | "decided" | "late" | "unknown";

interface Waiting {
  readonly timer: NodeJS.Timeout;
  readonly end: (decision: Decision, by: DecidedBy) => void;
}

/** Events whose flow may take its time at once; more are sent back to the service. */
const MOST_WAITING = 10_000;
/** Ended events that a late decision is still told about. */
const MOST_ENDED = 10_000;

/**
 * Events that wait for a flow to decide about them. Messages carry only an id, so they can be copied, stored and
 * sent on at will; the first decision about an id counts.
 */
export class Acknowledgements {
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = new Map<string, "decided" | "late">();
  readonly #watchers = new Set<() => void>();
  #deciders = 0;

  /** Whether another event can wait. */
  get hasRoom(): boolean {
    return this.#waiting.size < MOST_WAITING;
  }

  /** Whether anybody is there who could decide. */
  get hasDeciders(): boolean {
    return this.#deciders > 0;
  }

  /**
   * Lets an event wait.
   * @param timeout ms after which it is to be delivered again
   * @param end called once
   * @returns the id for the message
   */
  wait(timeout: number, end: Waiting["end"]): string {
    const id = randomBytes(16).toString("base64url");
    const timer = setTimeout(() => this.#end(id, "redeliver", "time"), timeout);
    this.#waiting.set(id, { timer, end });
    return id;
  }

  /** A flow decides. */
  decide(id: string, decision: Decision): Met {
    if (this.#end(id, decision, "flow")) {
      return "open";
    }
    return this.#ended.get(id) ?? "unknown";
  }

  /** Its receiver closes: the event is to be delivered again. */
  giveUp(id: string): void {
    this.#end(id, "redeliver", "closing");
  }

  /** A node that can decide begins its life; the function that is returned ends it. */
  join(): () => void {
    this.#deciders++;
    let gone = false;
    return () => {
      if (!gone) {
        gone = true;
        this.#deciders--;
        for (const tell of this.#watchers) {
          tell();
        }
      }
    };
  }

  /** Calls back whenever a decider leaves, until the function that is returned is called. */
  onLeave(tell: () => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  #end(id: string, decision: Decision, by: DecidedBy): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      return false;
    }
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    this.#ended.set(id, by === "flow" ? "decided" : "late");
    if (this.#ended.size > MOST_ENDED) {
      for (const oldest of this.#ended.keys()) {
        this.#ended.delete(oldest);
        break;
      }
    }
    waiting.end(decision, by);
    return true;
  }
}
