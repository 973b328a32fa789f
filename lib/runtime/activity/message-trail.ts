import { deliveryRank } from "../../store/delivery-rank";
import {
  type ActivityEntry,
  type DeliveryStep,
  type EntryDetails,
  type MessageProgress,
  MOST_ENTRIES,
  MOST_NUMBERS,
} from "../../shared/activity";
import { maskNumber } from "../../shared/recipients/mask-number";

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

/** The ids by which a report names its request. */
export type ReportIds = Pick<KeptDetails, "clientMessageId" | "transferId">;

/** When it came about, and what it belongs to. */
export interface Origin {
  /** Of a request the epoch ms of its answer, where a store had the result in between. */
  readonly answeredAt?: number | undefined;
  /** Of a message of a person the id of the entry that it answers, null where there is none; absent for all else. */
  readonly repliedTo?: number | null | undefined;
}

/** An event that was noted before its request. */
export interface EarlierEvent {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly number: string;
  /** Of a reply the entry that it was taken to answer. */
  readonly repliedTo: number | null;
}

type Shown = Pick<ActivityEntry, "id" | "at" | "result" | "who">;

/** What is kept of one entry. Most entries nobody ever asks for, so what only answers questions need is made with the first of them. */
class Kept {
  readonly id: number;
  /** Of a request the epoch ms of its answer. */
  readonly answeredAt: number;
  replies = 0;
  repliedTo: Origin["repliedTo"];
  /** The furthest status of each recipient that has one; null for none. */
  statuses: Map<string, string> | null = null;
  #steps: DeliveryStep[] | null = null;
  /** Digits of the recipients: of one, or of several. */
  #recipients: string | ReadonlySet<string> | null = null;

  constructor(
    private readonly entry: Shown,
    readonly details: KeptDetails,
    readonly isRequest: boolean,
    /** Epoch ms. */
    readonly notedAt: number,
    origin: Origin,
  ) {
    this.id = entry.id;
    this.repliedTo = origin.repliedTo;
    this.answeredAt = origin.answeredAt ?? notedAt;
  }

  get steps(): DeliveryStep[] {
    if (this.#steps === null) {
      const { at, result, who } = this.entry;
      this.#steps = this.isRequest ? [{ at, what: "result", status: result, who }] : [];
    }
    return this.#steps;
  }

  /** Whether it has no list of digits yet, which takes some time to make. */
  get isLongUnread(): boolean {
    return this.#recipients === null && this.details.numbers.length > 1;
  }

  /** Whether it is a request to a number. @param key digits of the number */
  isTo(key: string): boolean {
    if (!this.isRequest) {
      return false;
    }
    const { numbers } = this.details;
    if (this.#recipients === null) {
      const [first = ""] = numbers;
      this.#recipients = numbers.length === 1 ? numberKey(first) : new Set(numbers.map(numberKey));
    }
    return typeof this.#recipients === "string" ? this.#recipients === key : this.#recipients.has(key);
  }

  /** The same without a list of digits. */
  isListedTo(key: string): boolean {
    return this.isRequest && this.details.numbers.some((number) => numberKey(number) === key);
  }
}

/** Steps of an entry that are kept, of each kind the first ones. */
const MOST_STEPS = 30;
/** Numbers that a search compares before others have their turn: about a millisecond. */
const COMPARED_AT_ONCE = 1_000;
/** Long lists of recipients that are made searchable for one reply: a few milliseconds. */
const LISTS_AT_ONCE = 20;
const DIGITS = /^[1-9]\d*$/;
const NO_EVENTS: readonly EarlierEvent[] = [];
const NO_STATUSES: ReadonlyMap<string, string> = new Map();
const FAILED: ReadonlySet<string> = new Set(["failed", "expired", "deleted", "rejected"]);

/** Digits alone, so that all spellings of a number are one; other texts, such as ids of messengers, stay. */
export const numberKey = (number: string): string => {
  if (DIGITS.test(number)) {
    return number;
  }
  if (/\p{L}/u.test(number)) {
    return number;
  }
  const digits = number.replace(/^\s*00/, "").replace(/\D/g, "");
  return digits === "" ? number : digits;
};

/** Numbers and ids behind the entries of the activity, for as many entries, and what came after the answer of each request. */
export class MessageTrail {
  #ring: Kept[] = [];
  /** Ids of the newest entry, and of the newest one whose ids are among `#byId`. */
  #last = 0;
  #indexed = 0;
  readonly #byId = new Map<string, number>();
  /** Reports that have an entry of their own, by their ids. */
  readonly #reports = new Map<string, number[]>();
  /** Requests in the ring. */
  #requests = 0;

  keep(
    entry: ActivityEntry,
    details: KeptDetails,
    isRequest: boolean,
    notedAt: number,
    origin: Origin,
  ): void {
    const slot = entry.id % MOST_ENTRIES;
    this.#forget(this.#ring[slot]);
    this.#ring[slot] = new Kept(entry, details, isRequest, notedAt, origin);
    this.#last = entry.id;
    if (isRequest) {
      this.#requests++;
      return;
    }
    for (const key of keysOf(details)) {
      this.#reports.set(key, [...(this.#reports.get(key) ?? []), entry.id]);
    }
  }

  clear(): void {
    this.#ring = [];
    this.#last = 0;
    this.#indexed = 0;
    this.#requests = 0;
    this.#byId.clear();
    this.#reports.clear();
  }

  /** Takes the requests since the last question into `#byId`. */
  #index(): void {
    for (let id = Math.max(this.#indexed, this.#last - MOST_ENTRIES) + 1; id <= this.#last; id++) {
      const kept = this.#find(id);
      for (const key of kept?.isRequest ? keysOf(kept.details) : []) {
        this.#byId.set(key, id);
      }
    }
    this.#indexed = this.#last;
  }

  /** The id of the entry of the request that a report is about; null for one that is not among them. */
  requestOf(ids: ReportIds): number | null {
    this.#index();
    for (const key of keysOf(ids)) {
      const id = this.#byId.get(key);
      if (id !== undefined) {
        return id;
      }
    }
    return null;
  }

  /** Reports of a request that is noted after them, oldest first. They are no longer looked for. */
  takeReports(ids: ReportIds): readonly EarlierEvent[] {
    if (this.#reports.size === 0) {
      return NO_EVENTS;
    }
    const found = new Set<number>();
    for (const key of keysOf(ids)) {
      for (const id of this.#reports.get(key) ?? []) {
        found.add(id);
      }
    }
    const reports = [...found].sort((one, other) => one - other).flatMap((id) => this.#find(id) ?? []);
    for (const report of reports) {
      this.#forgetReport(report);
    }
    return reports.map(toEvent);
  }

  /**
   * Replies to a request that is noted after them, oldest first.
   * @param last id of the newest entry before it; @param answeredAt epoch ms; @param wanted whether an entry is one on its channel
   */
  repliesTo(
    last: number,
    { numbers }: KeptDetails,
    answeredAt: number,
    wanted: (id: number) => boolean,
  ): readonly EarlierEvent[] {
    let recipients: ReadonlySet<string> | null = null;
    const replies: EarlierEvent[] = [];
    for (let id = last; id > Math.max(0, last - MOST_ENTRIES); id--) {
      const kept = this.#find(id);
      if (kept !== null && kept.notedAt <= answeredAt) {
        break;
      }
      if (kept === null || kept.repliedTo === undefined) {
        continue;
      }
      const [sender = ""] = kept.details.numbers;
      const known = kept.repliedTo === null ? null : this.#find(kept.repliedTo);
      recipients ??= new Set(numbers.map(numberKey));
      if ((known?.answeredAt ?? 0) <= answeredAt && recipients.has(numberKey(sender)) && wanted(id)) {
        replies.unshift(toEvent(kept));
      }
    }
    return replies;
  }

  /** A reply answers a later request than the one that it was taken to answer. @param to id of the entry of that one */
  moveReply({ id, at, number, repliedTo }: EarlierEvent, to: number): Omit<MessageProgress, "change"> | null {
    const reply = this.#find(id);
    if (reply !== null) {
      reply.repliedTo = to;
    }
    const kept = repliedTo === null ? null : this.#find(repliedTo);
    if (kept === null) {
      return null;
    }
    kept.replies--;
    const who = maskNumber(number);
    const step = kept.steps.findIndex((each) => each.what === "reply" && each.at === at && each.who === who);
    if (step >= 0) {
      kept.steps.splice(step, 1);
    }
    return { ...worst(kept.statuses ?? NO_STATUSES), replies: kept.replies };
  }

  /** The newest accepted request to a number on a channel. @param entryOf finds an entry by its id */
  lastTo(number: string, wanted: (id: number) => boolean): number | null {
    if (this.#requests === 0) {
      return null;
    }
    const key = numberKey(number);
    let lists = 0;
    for (let id = this.#last; id > Math.max(0, this.#last - MOST_ENTRIES); id--) {
      const kept = this.#find(id);
      if (kept === null) {
        continue;
      }
      const isTo = kept.isLongUnread && ++lists > LISTS_AT_ONCE ? kept.isListedTo(key) : kept.isTo(key);
      if (isTo && wanted(id)) {
        return id;
      }
    }
    return null;
  }

  /** Notes a status or a reply. @param number whom it is about; @param status in lower case, blank for a reply */
  note(id: number, at: number, number: string, status: string): Omit<MessageProgress, "change"> | null {
    const kept = this.#find(id);
    if (kept === null) {
      return null;
    }
    const what = status === "" ? "reply" : "status";
    if (status === "") {
      kept.replies++;
    } else {
      this.#settle(kept, numberKey(number), status);
    }
    if (kept.steps.filter((step) => step.what === what).length < MOST_STEPS) {
      kept.steps.push({ at, what, status, who: maskNumber(number) });
    }
    return { ...worst(kept.statuses ?? NO_STATUSES), replies: kept.replies };
  }

  /** What a row unfolds to; null for an entry that is gone. @param full whether with complete numbers and quoted values */
  detailsOf(id: number, full: boolean): EntryDetails | null {
    const kept = this.#find(id);
    if (kept === null) {
      return null;
    }
    const { numbers, plainReason, fullReason, advice, parameter, clientMessageId, transferId } = kept.details;
    return {
      reason: full && fullReason !== "" ? fullReason : plainReason,
      advice,
      parameter,
      numbers: full ? numbers.slice(0, MOST_NUMBERS) : null,
      numberCount: numbers.length,
      // A flow chooses its own ids, so they can be numbers.
      clientMessageId: full ? clientMessageId : null,
      transferId,
      steps: [...kept.steps].sort((one, other) => one.at - other.at),
    };
  }

  /** Ids of the entries with a number that fits, oldest first. Entries can have very many: others have their turn meanwhile. */
  async find(fits: (number: string) => boolean): Promise<number[]> {
    const found: number[] = [];
    let compared = 0;
    for (const kept of this.#ring) {
      for (const number of kept?.details.numbers ?? []) {
        if (++compared % COMPARED_AT_ONCE === 0) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (fits(number)) {
          found.push(kept?.id ?? 0);
          break;
        }
      }
    }
    return found.sort((one, other) => one - other);
  }

  #settle(kept: Kept, number: string, status: string): void {
    kept.statuses ??= new Map();
    const { statuses } = kept;
    const before = statuses.get(number);
    if (before === undefined || deliveryRank(status) >= deliveryRank(before)) {
      statuses.set(number, status);
    }
  }

  #find(id: number): Kept | null {
    const kept = this.#ring[id % MOST_ENTRIES];
    return kept?.id === id ? kept : null;
  }

  #forgetReport({ id, details }: Kept): void {
    for (const key of keysOf(details)) {
      const others = (this.#reports.get(key) ?? []).filter((each) => each !== id);
      if (others.length > 0) {
        this.#reports.set(key, others);
      } else {
        this.#reports.delete(key);
      }
    }
  }

  #forget(kept: Kept | undefined): void {
    if (kept === undefined) {
      return;
    }
    if (!kept.isRequest) {
      this.#forgetReport(kept);
      return;
    }
    this.#requests--;
    for (const key of kept.id > this.#indexed ? [] : keysOf(kept.details)) {
      if (this.#byId.get(key) === kept.id) {
        this.#byId.delete(key);
      }
    }
  }
}

const toEvent = ({ id, notedAt, details, repliedTo = null }: Kept): EarlierEvent => ({
  id,
  at: notedAt,
  number: details.numbers[0] ?? "",
  repliedTo,
});

/** A transfer id first: a flow may use a message id twice. */
function keysOf({ transferId, clientMessageId }: ReportIds): string[] {
  const keys: string[] = [];
  if (transferId) {
    keys.push(`t ${transferId}`);
  }
  if (clientMessageId) {
    keys.push(`c ${clientMessageId}`);
  }
  return keys;
}

/** Failures count most, then what is furthest. */
function worst(statuses: ReadonlyMap<string, string>): { status: string; reached: number } {
  const weight = (status: string): number => (FAILED.has(status) ? 100 : deliveryRank(status));
  let status = "";
  let reached = 0;
  for (const each of statuses.values()) {
    if (each === status) {
      reached++;
    } else if (status === "" || weight(each) > weight(status)) {
      status = each;
      reached = 1;
    }
  }
  return { status, reached };
}
