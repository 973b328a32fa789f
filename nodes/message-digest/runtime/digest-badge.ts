import type { NodeStatus } from "node-red";
import type { DigestCounts } from "../store/digest";
import { formatNumber } from "../../../lib/texts/format-number";
import { currentLanguage } from "../../../lib/texts/say";
import { say } from "../texts";
import { troubleText } from "../../../lib/runtime/node-red/trouble-text";
import { clockIn } from "./digest-message";

/** ms within which a time of day says when. */
const SOON = 20 * 3_600_000;

/** The badge of a message-digest node: what it has gathered and when that leaves, or what is wrong. */
export class DigestBadge {
  #counts: DigestCounts = { keys: 0, gathered: 0, muted: 0, next: null };
  /** Epoch ms at which the last one left. */
  #last: number | null = null;
  /** Whether it lacked a text that was not stored. */
  #lastLacksTexts = false;
  #trouble: unknown = null;
  #fault: unknown = null;

  /**
   * @param zone IANA name of the time zone of the account
   * @param hasKeys whether messages are gathered by something
   */
  constructor(
    private readonly show: (status: NodeStatus) => void,
    private readonly zone: () => string,
    private readonly hasKeys: boolean,
  ) {}

  /** Messages that had not left when they were counted. */
  get gathered(): number {
    return this.#counts.gathered;
  }

  counted(counts: DigestCounts): void {
    this.#counts = counts;
    this.#update();
  }

  /** A digest was emitted. @param lacksTexts whether a sensitive text of it was not stored */
  left(lacksTexts: boolean): void {
    this.#last = Date.now();
    this.#lastLacksTexts = lacksTexts;
    this.#update();
  }

  /** The account does not work; null: it works again. */
  trouble(error: unknown): void {
    this.#trouble = error;
    this.#update();
  }

  /** The last message had a fault; null: it had none. */
  fault(error: unknown): void {
    this.#fault = error;
    this.#update();
  }

  #update(): void {
    const { keys, gathered, muted, next } = this.#counts;
    const waiting: string[] = [];
    if (gathered > 0 && this.hasKeys) {
      waiting.push(say(`digest.badge.keys.${keys === 1 ? "one" : "other"}`, { n: formatNumber(keys) }));
    }
    if (gathered > 0) {
      waiting.push(say("digest.badge.gathered", { n: formatNumber(gathered) }));
    }
    if (next !== null) {
      waiting.push(say("digest.badge.next", { time: this.#time(next) }));
    }
    if (muted > 0) {
      waiting.push(say(`digest.badge.muted.${muted === 1 ? "one" : "other"}`, { n: formatNumber(muted) }));
    }
    const wrong = this.#trouble ?? this.#fault;
    if (wrong !== null) {
      this.show({
        fill: "red",
        shape: "ring",
        text: [troubleText(wrong, say("digest.badge.fails")), ...waiting].join(" · "),
      });
    } else if (waiting.length > 0) {
      this.show({ fill: gathered > 0 ? "blue" : "grey", shape: "dot", text: waiting.join(" · ") });
    } else if (this.#last !== null) {
      const last = say("digest.badge.last", { time: this.#time(this.#last) });
      const lacks = this.#lastLacksTexts ? [say("badges.reason.TEXT_NOT_STORED")] : [];
      const fill = this.#lastLacksTexts ? "yellow" : "green";
      this.show({ fill, shape: "dot", text: [last, ...lacks].join(" · ") });
    } else {
      this.show({ fill: "grey", shape: "ring", text: say("digest.badge.idle") });
    }
  }

  #time(at: number): string {
    const zone = this.zone();
    if (Math.abs(at - Date.now()) < SOON) {
      return clockIn(at, zone);
    }
    const day = new Intl.DateTimeFormat(currentLanguage(), {
      timeZone: zone,
      day: "numeric",
      month: "short",
    });
    return `${day.format(at)} ${clockIn(at, zone)}`;
  }
}
