import {
  type ActivityEntry,
  type DeliveryStep,
  type EntryDetails,
  type MessageProgress,
  MOST_NUMBERS,
} from "../../shared/activity";
import { maskNumber } from "../../shared/recipients/mask-number";
import { isInstant } from "../../shared/instant";
import { deliveryRank } from "../../store/events/delivery-rank";
import { byRank, reportTime } from "../../store/events/report-order";

/** What the log keeps about an entry beside the entry. It never leaves the process but for one entry that somebody opens. */
export interface KeptDetails {
  /** Recipients, or the sender, as given. */
  readonly numbers: readonly string[];
  /** A sentence that holds no value of a message. */
  readonly plainReason: string;
  /** The sentence of the result, which may quote a value. */
  readonly fullReason: string;
  readonly advice: string;
  readonly parameter: string | null;
  readonly clientMessageId: string | null;
  readonly transferId: string | null;
}

/** When it came about, and what it belongs to. */
export interface Origin {
  /** Of a request the epoch ms of its answer, where a store had the result in between. */
  readonly answeredAt?: number | undefined;
  /** Of a request the id that Node-RED gives to a message: all that was made of one message have it in common. */
  readonly message?: string | undefined;
  /** Of a message of a person the id of the entry that it answers, null where there is none; absent for all else. */
  readonly repliedTo?: number | null | undefined;
  /** Of a report the time that it names itself, as given. */
  readonly happenedOn?: string | null | undefined;
  /** Whether it is an event that another webhook of the account has got before: it is listed, and not counted. */
  readonly isCopy?: boolean;
}

export type Progress = Omit<MessageProgress, "change">;

/** A step with the time that its report names. Most steps nobody ever asks for, so that is read with the first question. */
type KeptStep = DeliveryStep & { readonly on: string | null };

/** Steps of an entry that are kept, of each kind the first ones. */
const MOST_STEPS = 30;
const FAILED = deliveryRank("failed");

/** Digits alone, so that all spellings of a number are one; other texts, such as ids of messengers, stay. */
export const numberKey = (number: string): string => {
  if (/^[1-9]\d*$/.test(number) || /\p{L}/u.test(number)) {
    return number;
  }
  const digits = number.replace(/^\s*00/, "").replace(/\D/g, "");
  return digits === "" ? number : digits;
};

/** Failures count most, then what is furthest. */
function worst(statuses: Iterable<string>): { status: string; reached: number } {
  const weight = (status: string): number => {
    const rank = deliveryRank(status);
    return rank === FAILED ? 100 : rank;
  };
  let status = "";
  let reached = 0;
  for (const each of statuses) {
    if (each === status) {
      reached++;
    } else if (status === "" || weight(each) > weight(status)) {
      status = each;
      reached = 1;
    }
  }
  return { status, reached };
}

/** Steps in the order in which things happened, which is not that in which reports came in. The result stays first, whatever the clock of the service says. */
function inOrder(kept: readonly KeptStep[]): readonly DeliveryStep[] {
  const steps = kept.map(({ on, at, ...step }) => {
    const isOwn = on !== null && isInstant(on);
    return { ...step, at: isOwn ? Date.parse(on) : at, isOwn };
  });
  const begun = steps.find(({ what }) => what === "result")?.at ?? 0;
  const isReport = ({ what }: Pick<DeliveryStep, "what">): boolean => what === "status";
  return steps
    .map(({ what, status, who, at, isOwn }): DeliveryStep => {
      const others = steps.filter((other) => isReport(other) && other.who === who);
      return { what, status, who, at: isReport({ what }) ? reportTime({ status, at, isOwn }, others) : at };
    })
    .sort(
      (one, other) =>
        Math.max(one.at, begun) - Math.max(other.at, begun) ||
        (isReport(one) && isReport(other) ? byRank(one.status, other.status) : 0),
    );
}

/** What is kept of one entry. Most entries nobody ever asks for, so what only answers questions need is made with the first of them. */
export class KeptEntry {
  readonly id: number;
  /** Of a request the epoch ms of its answer. */
  readonly answeredAt: number;
  repliedTo: Origin["repliedTo"];
  /** Of a report the time that it names itself; null where it names none. */
  readonly happenedOn: string | null;
  /** Of a report: it stands in the entry of its request. */
  isTaken = false;
  readonly isCopy: boolean;
  #replies = 0;
  /** The furthest status of each recipient that has one; null for none. */
  #statuses: Map<string, string> | null = null;
  #steps: KeptStep[] | null = null;
  /** Digits of the recipients. */
  #recipients: ReadonlySet<string> | null = null;

  constructor(
    private readonly entry: Pick<ActivityEntry, "id" | "at" | "result" | "who">,
    readonly details: KeptDetails,
    readonly isRequest: boolean,
    /** Epoch ms. */
    readonly notedAt: number,
    origin: Origin,
  ) {
    this.id = entry.id;
    this.repliedTo = origin.repliedTo;
    this.happenedOn = origin.happenedOn ?? null;
    this.isCopy = origin.isCopy ?? false;
    this.answeredAt = origin.answeredAt ?? notedAt;
  }

  /** Whether it has no list of digits yet, which takes some time to make. */
  get isLongUnread(): boolean {
    return this.#recipients === null && this.details.numbers.length > 1;
  }

  /** Whether it is a request to a number. @param key digits of the number @param mayList whether to make the list of digits */
  isTo(key: string, mayList: boolean): boolean {
    if (!this.isRequest) {
      return false;
    }
    const { numbers } = this.details;
    if (this.#recipients === null && !mayList) {
      return numbers.some((number) => numberKey(number) === key);
    }
    this.#recipients ??= new Set(numbers.map(numberKey));
    return this.#recipients.has(key);
  }

  /** Notes a status or a reply. @param number whom it is about @param status in lower case, blank for a reply @param on the time that it names */
  note(at: number, number: string, status: string, on: string | null = null): Progress {
    const what = status === "" ? "reply" : "status";
    if (what === "reply") {
      this.#replies++;
    } else {
      this.#settle(numberKey(number), status);
    }
    if (this.#all.filter((step) => step.what === what).length < MOST_STEPS) {
      this.#all.push({ at, what, status, who: maskNumber(number), on });
    }
    return this.#progress;
  }

  /** A reply that was noted here answers a later request. */
  removeReply(at: number, number: string): Progress {
    this.#replies--;
    const who = maskNumber(number);
    const step = this.#all.findIndex((each) => each.what === "reply" && each.at === at && each.who === who);
    if (step >= 0) {
      this.#all.splice(step, 1);
    }
    return this.#progress;
  }

  /** What its row unfolds to. @param full whether with complete numbers and quoted values */
  shown(full: boolean): EntryDetails {
    const { numbers, plainReason, fullReason, advice, parameter, clientMessageId, transferId } = this.details;
    return {
      reason: full && fullReason !== "" ? fullReason : plainReason,
      advice,
      parameter,
      numbers: full ? numbers.slice(0, MOST_NUMBERS) : null,
      numberCount: numbers.length,
      // A flow chooses its own ids, so they can be numbers.
      clientMessageId: full ? clientMessageId : null,
      transferId,
      steps: inOrder(this.#all),
    };
  }

  get #all(): KeptStep[] {
    const { at, result, who } = this.entry;
    this.#steps ??= this.isRequest ? [{ at, what: "result", status: result, who, on: null }] : [];
    return this.#steps;
  }

  get #progress(): Progress {
    return { ...worst(this.#statuses?.values() ?? []), replies: this.#replies };
  }

  #settle(number: string, status: string): void {
    this.#statuses ??= new Map();
    const before = this.#statuses.get(number);
    if (before === undefined || deliveryRank(status) >= deliveryRank(before)) {
      this.#statuses.set(number, status);
    }
  }
}
