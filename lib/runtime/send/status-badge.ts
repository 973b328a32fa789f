import type { Node } from "node-red";
import { OUTCOMES, type ShownOutcome, shownOutcome } from "../../shared/outcomes";
import type { Waiting } from "../../store/jobs/recovery";
import { NO_RULES, type RequestRules } from "../../store/guards/request-rules";
import { formatNumber } from "../../texts/format-number";
import { sayMoment } from "../../texts/say-time";
import { limitText } from "../account/account-notice";
import { INITIAL_STATE, type ShownState } from "../account/sending-state";
import { say } from "../../texts/say";
import { type FailureFacts, reasonWords, shortReason } from "../../texts/short-reason";
import { fileDone, type SendResult } from "../channels/send-result";
import type { FileDone } from "../../shared/activity";
import { Throttle } from "../node-red/throttle";
import { troubleText } from "../node-red/trouble-text";

/** Groups of outcomes that the badge counts, the worst first, with their colours. */
const FILL = {
  unknown: "red",
  rejected: "red",
  denied: "red",
  tryAgain: "yellow",
  accepted: "green",
  skipped: "grey",
} as const;
type Counted = keyof typeof FILL;
const BY_WEIGHT = Object.keys(FILL) as Counted[];

const GROUP: Readonly<Record<ShownOutcome, Counted>> = {
  sent: "accepted",
  queued: "accepted",
  rejected: "rejected",
  denied: "denied",
  "retry-later": "tryAgain",
  unknown: "unknown",
  skipped: "skipped",
};

/** Reasons of a group that are counted; the texts of our own catalogue are not many more. */
const MOST_REASONS = 50;
/** Moments until which people wait that are counted. Who waits for others counts as under way. */
const MOST_MOMENTS = 1_000;

const MIB = 1024 * 1024;

/** How many people a request is for. What is for nobody, such as a file or a message whose recipients cannot be read, counts as one. */
export const peopleOf = ({ recipients }: { readonly recipients: readonly unknown[] }): number =>
  Math.max(recipients.length, 1);

export const peopleIn = (parts: readonly { readonly recipients: readonly unknown[] }[]): number =>
  parts.reduce((sum, part) => sum + peopleOf(part), 0);

/**
 * The badge of a send node: people by outcome, the group of the last result first, of each group the reason that most of them have, the
 * colour of the worst result since the node started, and SIMULATED for a simulated account.
 */
export class StatusBadge {
  readonly #counts: Record<Counted, number> = {
    unknown: 0,
    rejected: 0,
    denied: 0,
    tryAgain: 0,
    accepted: 0,
    skipped: 0,
  };
  /** Groups of results since the node started. */
  readonly #seen = new Set<Counted>();
  #underWay = 0;
  /** How many of these wait, by epoch ms until when. */
  readonly #waiting = new Map<number, number>();
  /** What accepted requests did: files are transferred, not accepted. */
  #accepted: "accepted" | FileDone = "accepted";
  #transfer: {
    readonly how: "downloading" | "uploading";
    readonly percent: number | null;
    readonly mib: number;
  } | null = null;
  /** Groups by how long ago their last result is, the latest first. */
  #groups: readonly Counted[] = [];
  /** People by the reason that they are in a group. */
  readonly #reasons = new Map<Counted, Map<string, number>>();
  /** Epoch ms since when people are counted, where that is before the node started. */
  #since: number | null = null;
  /** Epoch ms at which the last limit ends that kept people back; 0 for none. */
  #limitEnds = 0;
  #trouble: string | null = null;
  #storeTrouble: string | null = null;
  #simulated = false;
  #account = INITIAL_STATE;
  /** Whether the last message was to cancel others, and there were none. */
  #nothingCancelled = false;
  readonly #throttle = new Throttle(() => this.#show());

  constructor(private readonly node: Node) {}

  set simulated(value: boolean) {
    this.#simulated = value;
    this.#throttle.now();
  }

  /** Counts people of a message that came as under way. */
  begin(people: number): void {
    this.#nothingCancelled = false;
    this.resume(people);
  }

  /** Counts the people of a message that came, and for when those are meant who wait. */
  beginParts(
    parts: readonly {
      readonly recipients: readonly unknown[];
      readonly fault: unknown;
      readonly rules: RequestRules;
    }[],
  ): void {
    for (const part of parts) {
      const { scheduled, opens } = part.rules;
      if (part.rules !== NO_RULES && part.fault === null && (scheduled !== null || opens !== null)) {
        this.#wait(Math.max(scheduled ?? 0, opens ?? 0), peopleOf(part));
      }
    }
    this.begin(peopleIn(parts));
  }

  #wait(until: number, people: number): void {
    const others = this.#waiting.get(until);
    if (others !== undefined || this.#waiting.size < MOST_MOMENTS) {
      this.#waiting.set(until, (others ?? 0) + people);
    }
  }

  /** Says until when people wait of an earlier message; `resume` counts them. */
  resumeWaiting(counts: readonly Waiting[]): void {
    for (const { people, until } of counts) {
      if (until !== null) {
        this.#wait(until, people);
      }
    }
  }

  /** Counts people as under way who wait unread, or of an earlier message or another process; negative: who wait here no longer. */
  resume(people: number): void {
    this.#underWay += people;
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

  /** Counts the people of one request that has ended. @param limitEnds epoch ms at which the limit ends that kept it back */
  end(result: SendResult, limitEnds: number | null = null): void {
    this.#limitEnds = Math.max(this.#limitEnds, limitEnds ?? 0);
    const people = peopleOf(result);
    const { failure } = OUTCOMES[result.outcome];
    const group = GROUP[shownOutcome(result.outcome, result.statusName)];
    this.#underWay -= people;
    this.#transfer = null;
    this.#counts[group] += people;
    this.#seen.add(group);
    if (this.#groups[0] !== group) {
      this.#groups = [group, ...this.#groups.filter((each) => each !== group)];
    }
    this.#accepted = failure ? this.#accepted : (fileDone(result) ?? "accepted");
    if (failure) {
      this.#countReason(group, shortReason(result), people);
    }
    this.#trouble = null;
    this.#throttle.ask();
  }

  /**
   * Counts people whose results left before the node started. They do not colour it.
   * @param facts why a failure was one @param since epoch ms
   */
  addEarlier(
    counts: readonly {
      readonly outcome: ShownOutcome;
      readonly count: number;
      readonly facts: FailureFacts | null;
    }[],
    since: number,
  ): void {
    for (const { outcome, count, facts } of counts) {
      const group = GROUP[outcome];
      this.#counts[group] += count;
      if (!this.#groups.includes(group)) {
        this.#groups = [...this.#groups, group];
      }
      if (facts !== null) {
        this.#countReason(group, shortReason(facts), count);
      }
    }
    if (counts.length > 0) {
      this.#since = since;
      this.#throttle.ask();
    }
  }

  #countReason(group: Counted, reason: string | null, people: number): void {
    const reasons = this.#reasons.get(group) ?? new Map<string, number>();
    this.#reasons.set(group, reasons);
    if (reason !== null && (reasons.has(reason) || reasons.size < MOST_REASONS)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + people);
    }
  }

  /** A message has cancelled so many requests. Their people are counted when their results leave; of none, the badge says that. */
  cancelled(requests: number): void {
    this.#nothingCancelled = requests === 0;
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
    const { stopped, limit, heldUntil } = this.#account;
    if (stopped !== state.stopped || limit !== state.limit || heldUntil !== state.heldUntil) {
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
    const { stopped, limit, heldUntil } = this.#account;
    if (stopped) {
      parts.push(say("badges.status.stopped"));
    }
    parts.push(...this.#groups.map((group) => this.#counted(group)));
    if (this.#since !== null) {
      parts.push(say("badges.status.since", { time: sayMoment(this.#since, Date.now()) }));
    }
    if (this.#nothingCancelled) {
      parts.push(say("badges.status.nothingCancelled"));
    }
    if (this.#underWay > 0) {
      parts.push(this.#activity());
    }
    if (limit !== null) {
      const now = Date.now();
      const isHeld = heldUntil !== null && heldUntil > now;
      parts.push(limitText(isHeld ? { ...limit, reached: true, ends: heldUntil } : limit, now));
    }
    const text = parts.join(" · ");
    const worst = BY_WEIGHT.find((group) => this.#seen.has(group));
    const isUnderWay = this.#underWay > 0;
    const notice = stopped || limit !== null ? "yellow" : isUnderWay ? "blue" : null;
    const isQuiet = worst === undefined || worst === "accepted" || worst === "skipped";
    const fill = worst === undefined || (isQuiet && notice !== null) ? notice : FILL[worst];
    if (fill !== null) {
      this.node.status({ fill, shape: stopped || isUnderWay ? "ring" : "dot", text });
    } else {
      this.node.status(text === "" ? {} : { fill: "grey", shape: "ring", text });
    }
  }

  /** How many people a group has, and why most of them are in it. */
  #counted(group: Counted): string {
    const counted = say(`badges.status.${group === "accepted" ? this.#accepted : group}`, {
      n: formatNumber(this.#counts[group]),
    });
    const [reason] = [...(this.#reasons.get(group) ?? [])].sort(([, one], [, other]) => other - one);
    return reason === undefined ? counted : `${counted}: ${this.#untilWhen(reason[0])}`;
  }

  /** A reason, and where it is a limit, until when. */
  #untilWhen(reason: string): string {
    const now = Date.now();
    return this.#limitEnds > now && reason === reasonWords("LIMIT_REACHED")
      ? say("badges.limit.until", { used: reason, time: sayMoment(this.#limitEnds, now) })
      : reason;
  }

  /** Until when those wait who do, after those who do not; null where nobody waits. */
  #waits(): string | null {
    const now = Date.now();
    // At a limit of the account that is used up, they wait for the end of that too. Who else waits is not known: some are on their way.
    const ends = Math.max(this.#account.heldUntil ?? 0, now);
    const moments = new Set<number>();
    let people = 0;
    for (const [until, count] of this.#waiting) {
      if (until <= now) {
        this.#waiting.delete(until);
      } else {
        people += count;
        moments.add(Math.max(until, ends));
      }
    }
    if (people === 0) {
      return null;
    }
    const first = Math.min(...moments);
    // Of those who were cancelled it is not known until when they would have waited.
    const waiting = Math.min(people, this.#underWay);
    const others = this.#underWay - waiting;
    const values = { n: formatNumber(waiting), time: sayMoment(first, now) };
    const text = say(
      moments.size > 1
        ? "badges.status.waitFrom"
        : waiting === 1
          ? "badges.status.waitsUntil"
          : "badges.status.waitUntil",
      values,
    );
    return others === 0 ? text : `${say("badges.status.underWay", { n: formatNumber(others) })} · ${text}`;
  }

  /** The number of people under way, or the progress of a single file transfer. */
  #activity(): string {
    if (this.#account.stopped) {
      return say("badges.status.waiting", { n: formatNumber(this.#underWay) });
    }
    const waits = this.#waits();
    if (waits !== null) {
      return waits;
    }
    const transfer = this.#transfer;
    if (transfer === null || this.#underWay > 1) {
      return say("badges.status.underWay", { n: formatNumber(this.#underWay) });
    }
    const { how, percent, mib } = transfer;
    return percent === null
      ? say(`badges.status.${how}MiB`, { n: mib })
      : say(`badges.status.${how}`, { n: percent });
  }
}
