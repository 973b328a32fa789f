import { deliveryRank } from "../../store/delivery-rank";
import {
  type ActivityEntry,
  type DeliveryStep,
  type EntryDetails,
  type MessageProgress,
  MOST_ENTRIES,
  MOST_NUMBERS,
} from "../../shared/activity";
import { maskNumber } from "./mask-number";

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

interface Kept {
  readonly id: number;
  readonly details: KeptDetails;
  /** Digits of the recipients; null for an event. */
  readonly recipients: ReadonlySet<string> | null;
  /** The furthest status of each recipient that has one. */
  readonly statuses: Map<string, string>;
  readonly steps: DeliveryStep[];
  replies: number;
}

/** Steps of an entry that are kept, of each kind the first ones. */
const MOST_STEPS = 30;
const FAILED: ReadonlySet<string> = new Set(["failed", "expired", "deleted", "rejected"]);

/** Digits alone, so that all spellings of a number are one; other texts, such as user ids, stay. */
export const numberKey = (number: string): string => {
  const digits = number.replace(/^\s*00/, "").replace(/\D/g, "");
  return digits === "" ? number : digits;
};

/** Numbers and ids behind the entries of the activity, for as many entries, and what came after the answer of each request. */
export class MessageTrail {
  #ring: Kept[] = [];
  readonly #byId = new Map<string, number>();

  keep(entry: ActivityEntry, details: KeptDetails, isRequest: boolean): void {
    const slot = entry.id % MOST_ENTRIES;
    this.#forget(this.#ring[slot]);
    const { result, at, who } = entry;
    this.#ring[slot] = {
      id: entry.id,
      details,
      recipients: isRequest ? new Set(details.numbers.map(numberKey)) : null,
      statuses: new Map(),
      steps: isRequest ? [{ at, what: "result", status: result, who }] : [],
      replies: 0,
    };
    if (isRequest) {
      for (const key of keysOf(details)) {
        this.#byId.set(key, entry.id);
      }
    }
  }

  clear(): void {
    this.#ring = [];
    this.#byId.clear();
  }

  /** The id of the entry of the request that a report is about; null for one that is not among them. */
  requestOf(ids: ReportIds): number | null {
    for (const key of keysOf(ids)) {
      const id = this.#byId.get(key);
      if (id !== undefined) {
        return id;
      }
    }
    return null;
  }

  /** The newest accepted request to a number on a channel. @param entryOf finds an entry by its id */
  lastTo(number: string, wanted: (id: number) => boolean): number | null {
    const key = numberKey(number);
    let last = 0;
    for (const kept of this.#ring) {
      if (kept !== undefined && kept.id > last && kept.recipients?.has(key) === true && wanted(kept.id)) {
        last = kept.id;
      }
    }
    return last === 0 ? null : last;
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
    return { ...worst(kept.statuses), replies: kept.replies };
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

  /** Ids of the entries with a number that fits, oldest first. */
  find(fits: (number: string) => boolean): number[] {
    return this.#ring
      .filter((kept) => kept?.details.numbers.some(fits))
      .map(({ id }) => id)
      .sort((one, other) => one - other);
  }

  #settle({ statuses }: Kept, number: string, status: string): void {
    const before = statuses.get(number);
    if (before === undefined || deliveryRank(status) >= deliveryRank(before)) {
      statuses.set(number, status);
    }
  }

  #find(id: number): Kept | null {
    const kept = this.#ring[id % MOST_ENTRIES];
    return kept?.id === id ? kept : null;
  }

  #forget(kept: Kept | undefined): void {
    for (const key of kept === undefined ? [] : keysOf(kept.details)) {
      if (this.#byId.get(key) === kept?.id) {
        this.#byId.delete(key);
      }
    }
  }
}

/** A transfer id first: a flow may use a message id twice. */
function keysOf({ transferId, clientMessageId }: ReportIds): string[] {
  return [...(transferId ? [`t ${transferId}`] : []), ...(clientMessageId ? [`c ${clientMessageId}`] : [])];
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
