import { randomBytes } from "node:crypto";

export type Decision = "acknowledge" | "redeliver";
export type DecidedBy = "flow" | "time" | "closing";
export type Met = "open" | "decided" | "late" | "unknown";

interface Waiting {
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
  readonly end: (decision: Decision, by: DecidedBy) => void;
}

const MAX_WAITING = 10_000;
const MAX_BYTES = 64 * 2 ** 20;
const MAX_ENDED = 10_000;

export class Acknowledgements {
  readonly #waiting = new Map<string, Waiting>();
  readonly #ended = new Map<string, "decided" | "late">();
  readonly #watchers = new Set<() => void>();
  #deciders = 0;
  #bytes = 0;

  get hasRoom(): boolean {
    return this.#waiting.size < MAX_WAITING && this.#bytes < MAX_BYTES;
  }

  get hasDeciders(): boolean {
    return this.#deciders > 0;
  }

  /**
   * Returns the id for the message.
   * @param timeout ms until the event is delivered again
   * @param bytes size of its body
   */
  wait(timeout: number, end: Waiting["end"], bytes = 0): string {
    const id = randomBytes(16).toString("base64url");
    const timer = setTimeout(() => this.#end(id, "redeliver", "time"), timeout);
    this.#waiting.set(id, { timer, end, bytes });
    this.#bytes += bytes;
    return id;
  }

  decide(id: string, decision: Decision): Met {
    if (this.#end(id, decision, "flow")) {
      return "open";
    }
    return this.#ended.get(id) ?? "unknown";
  }

  giveUp(id: string): void {
    this.#end(id, "redeliver", "closing");
  }

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

  onDeciderRemoved(notify: () => void): () => void {
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
    if (this.#ended.size > MAX_ENDED) {
      const [oldest = ""] = this.#ended.keys();
      this.#ended.delete(oldest);
    }
    waiting.end(decision, by);
    return true;
  }
}
