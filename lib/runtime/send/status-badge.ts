import type { Node } from "node-red";
import { OUTCOMES, type Outcome } from "../../shared/outcomes";
import { limitText } from "../account/account-notice";
import type { ShownState } from "../account/sending-state";
import { say } from "../../texts/say";
import { Throttle } from "../node-red/throttle";
import { troubleText } from "../node-red/trouble-text";

/** Groups of outcomes that the badge counts, in the order of display: one for each of four ports. */
const COUNTED = ["accepted", "rejected", "tryAgain", "unknown"] as const;
type Counted = (typeof COUNTED)[number];

const FILL: Readonly<Record<Counted, "green" | "red" | "yellow">> = {
  accepted: "green",
  rejected: "red",
  tryAgain: "yellow",
  unknown: "red",
};

const MIB = 1024 * 1024;

/** The badge of a send node: counts by outcome, the colour of the last outcome, and SIMULATED for a simulated account. */
export class StatusBadge {
  readonly #counts: Record<Counted, number> = { accepted: 0, rejected: 0, tryAgain: 0, unknown: 0 };
  #underWay = 0;
  #transfer: {
    readonly how: "downloading" | "uploading";
    readonly percent: number | null;
    readonly mib: number;
  } | null = null;
  #last: Counted | null = null;
  #trouble: string | null = null;
  #storeTrouble: string | null = null;
  #simulated = false;
  #account: ShownState = { stopped: false, limit: null };
  /** Requests that the last message cancelled; null where it was sent. */
  #cancelled: number | null = null;
  readonly #throttle = new Throttle(() => this.#show());

  constructor(private readonly node: Node) {}

  set simulated(value: boolean) {
    this.#simulated = value;
    this.#throttle.now();
  }

  /** Counts requests of a message that came as under way. */
  begin(count: number): void {
    this.#cancelled = null;
    this.resume(count);
  }

  /** Counts requests of an earlier message, or of another process, as under way. */
  resume(count: number): void {
    this.#underWay += count;
    this.#throttle.ask();
  }

  /** Counts a message that waits unread (1), or stops waiting (-1). */
  waits(step: 1 | -1): void {
    this.#underWay += step;
    this.#throttle.ask();
  }

  /** Progress of a file transfer in bytes; `total` is null where unknown. */
  progress(how: "downloading" | "uploading", done: number, total: number | null): void {
    const percent = total === null || total === 0 ? null : Math.floor((done / total) * 100);
    const mib = Math.floor(done / MIB);
    const { percent: shown, mib: shownMib, how: shownHow } = this.#transfer ?? {};
    if (percent !== shown || mib !== shownMib || how !== shownHow) {
      this.#transfer = { how, percent, mib };
      this.#throttle.ask();
    }
  }

  /** Counts the end of one request. */
  end(outcome: Outcome): void {
    this.#underWay--;
    this.#transfer = null;
    this.#last = COUNTED[OUTCOMES[outcome].portOf4];
    this.#counts[this.#last]++;
    this.#trouble = null;
    this.#throttle.ask();
  }

  /** Shows how many requests a message has cancelled, until another one is sent. */
  cancelled(count: number): void {
    this.#cancelled = count;
    this.#trouble = null;
    this.#throttle.ask();
  }

  /** Shows a fault of the set-up in a few words; the error has the full text. Stays until the next request ends. */
  trouble(error: unknown): void {
    this.#trouble = troubleText(error);
    this.#throttle.ask();
  }

  /** Shows a fault of the account's store in a few words. Stays until the store works again: null. */
  storeTrouble(error: Error | null): void {
    const text = error === null ? null : troubleText(error);
    if (text !== this.#storeTrouble) {
      this.#storeTrouble = text;
      this.#throttle.ask();
    }
  }

  /** Shows what the account tells its nodes. */
  showAccount(state: ShownState): void {
    const { stopped, limit } = this.#account;
    if (stopped !== state.stopped || limit !== state.limit) {
      this.#account = state;
      this.#throttle.ask();
    }
  }

  close(): void {
    this.#throttle.close();
  }

  #show(): void {
    const parts: string[] = this.#simulated ? [say("badges.status.simulated")] : [];
    const trouble = this.#trouble ?? this.#storeTrouble;
    if (trouble !== null) {
      this.node.status({ fill: "red", shape: "ring", text: [...parts, trouble].join(" · ") });
      return;
    }
    const { stopped, limit } = this.#account;
    if (stopped) {
      parts.push(say("badges.status.stopped"));
    }
    for (const group of COUNTED) {
      if (this.#counts[group] > 0) {
        parts.push(say(`badges.status.${group}`, { n: this.#counts[group] }));
      }
    }
    if (this.#cancelled !== null) {
      parts.push(say("badges.status.cancelled", { n: this.#cancelled }));
    }
    if (this.#underWay > 0) {
      parts.push(this.#activity());
    }
    if (limit !== null) {
      parts.push(limitText(limit));
    }
    const text = parts.join(" · ");
    if (stopped) {
      this.node.status({ fill: "yellow", shape: "ring", text });
    } else if (this.#underWay > 0) {
      this.node.status({ fill: "blue", shape: "ring", text });
    } else if (this.#last !== null) {
      const fill = FILL[this.#last];
      this.node.status({ fill: limit !== null && fill === "green" ? "yellow" : fill, shape: "dot", text });
    } else if (limit !== null) {
      this.node.status({ fill: "yellow", shape: "dot", text });
    } else {
      this.node.status(text === "" ? {} : { fill: "grey", shape: "ring", text });
    }
  }

  /** The number of requests under way, or the progress of a single file transfer. */
  #activity(): string {
    if (this.#account.stopped) {
      return say("badges.status.waiting", { n: this.#underWay });
    }
    const transfer = this.#transfer;
    if (transfer === null || this.#underWay > 1) {
      return say("badges.status.underWay", { n: this.#underWay });
    }
    const { how, percent, mib } = transfer;
    return percent === null
      ? say(`badges.status.${how}MiB`, { n: mib })
      : say(`badges.status.${how}`, { n: percent });
  }
}
