import type { Node } from "node-red";
import { MessagingError } from "../../shared/messaging-error";
import type { Outcome } from "../../shared/outcomes";
import { Throttle } from "../node-red/throttle";
import type { Texts } from "../node-red/texts";

/** Groups of outcomes that the badge counts, in the order in which it shows them. */
const COUNTED = ["accepted", "rejected", "tryAgain", "unknown"] as const;
type Counted = (typeof COUNTED)[number];

const GROUP: Readonly<Record<Outcome, Counted>> = {
  sent: "accepted",
  queued: "accepted",
  rejected: "rejected",
  denied: "rejected",
  "retry-later": "tryAgain",
  unknown: "unknown",
};

const FILL: Readonly<Record<Counted, "green" | "red" | "yellow">> = {
  accepted: "green",
  rejected: "red",
  tryAgain: "yellow",
  unknown: "red",
};

const MIB = 1024 * 1024;

/** The badge under a send node: running counts, the colour of the last outcome, and SIMULATED where it is. */
export class StatusBadge {
  readonly #counts: Record<Counted, number> = { accepted: 0, rejected: 0, tryAgain: 0, unknown: 0 };
  #underWay = 0;
  #moving: { readonly how: string; readonly percent: number | null; readonly mib: number } | null = null;
  #last: Counted | null = null;
  #trouble: string | null = null;
  #simulated = false;
  readonly #paced = new Throttle(() => this.#show());

  constructor(
    private readonly node: Node,
    private readonly texts: Texts,
  ) {}

  set simulated(value: boolean) {
    this.#simulated = value;
    this.#paced.now();
  }

  /** Batches begin (`count` of them). */
  begin(count: number): void {
    this.#underWay += count;
    this.#paced.ask();
  }

  /** A message waits unread (1), or does so no longer (-1). */
  waits(step: 1 | -1): void {
    this.#underWay += step;
    this.#paced.ask();
  }

  /** A file moves: bytes done, and of how many, where that is known. */
  progress(how: "downloading" | "uploading", done: number, total: number | null): void {
    const percent = total === null || total === 0 ? null : Math.floor((done / total) * 100);
    const mib = Math.floor(done / MIB);
    const { percent: shown, mib: shownMib, how: shownHow } = this.#moving ?? {};
    if (percent !== shown || mib !== shownMib || how !== shownHow) {
      this.#moving = { how, percent, mib };
      this.#paced.ask();
    }
  }

  /** One batch ended. */
  end(outcome: Outcome): void {
    this.#underWay--;
    this.#moving = null;
    this.#last = GROUP[outcome];
    this.#counts[this.#last]++;
    this.#trouble = null;
    this.#paced.ask();
  }

  /** The set-up cannot work: a few words, for the whole of it stands in the error. Stays until a batch ends. */
  trouble(error: unknown): void {
    this.#trouble = this.texts(`trouble.${error instanceof MessagingError ? error.code : "OTHER"}`);
    this.#paced.ask();
  }

  close(): void {
    this.#paced.close();
  }

  #show(): void {
    const parts: string[] = this.#simulated ? [this.texts("status.simulated")] : [];
    if (this.#trouble !== null) {
      this.node.status({ fill: "red", shape: "ring", text: [...parts, this.#trouble].join(" · ") });
      return;
    }
    for (const group of COUNTED) {
      if (this.#counts[group] > 0) {
        parts.push(this.texts(`status.${group}`, { n: this.#counts[group] }));
      }
    }
    if (this.#underWay > 0) {
      parts.push(this.#activity());
    }
    const text = parts.join(" · ");
    if (this.#underWay > 0) {
      this.node.status({ fill: "blue", shape: "ring", text });
    } else if (this.#last !== null) {
      this.node.status({ fill: FILL[this.#last], shape: "dot", text });
    } else {
      this.node.status(text === "" ? {} : { fill: "grey", shape: "ring", text });
    }
  }

  /** How many are under way; of a single file that moves, how much of it. */
  #activity(): string {
    const moving = this.#moving;
    if (moving === null || this.#underWay > 1) {
      return this.texts("status.underWay", { n: this.#underWay });
    }
    const { how, percent, mib } = moving;
    return percent === null
      ? this.texts(`status.${how}MiB`, { n: mib })
      : this.texts(`status.${how}`, { n: percent });
  }
}
