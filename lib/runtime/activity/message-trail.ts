import { type ActivityEntry, MOST_ENTRIES } from "../../shared/activity";
import { type KeptDetails, KeptEntry, numberKey, type Origin, type Progress } from "./kept-entry";

/** The ids by which a report names its request. */
export type ReportIds = Pick<KeptDetails, "clientMessageId" | "transferId">;

/** An event that was noted before its request. */
export interface EarlierEvent {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly number: string;
  /** Of a report the time that it names itself. */
  readonly happenedOn: string | null;
  /** Of a reply the entry that it was taken to answer. */
  readonly repliedTo: number | null;
  /** Whether it is one that another webhook has got before. */
  readonly isCopy: boolean;
}

/** Numbers that a search compares before others have their turn: about a millisecond. */
const COMPARED_AT_ONCE = 1_000;
/** Long lists of recipients that are made searchable for one reply: a few milliseconds. */
const LISTS_AT_ONCE = 20;
const NO_EVENTS: readonly EarlierEvent[] = [];

/** Numbers and ids behind the entries of the activity, for as many entries, and what came after the answer of each request. */
export class MessageTrail {
  #ring: KeptEntry[] = [];
  /** Id of the newest entry. */
  #last = 0;
  /** Ids of the newest request, and of the newest report with an entry of its own. */
  #lastRequest = -MOST_ENTRIES;
  #lastReport = -MOST_ENTRIES;
  /** Entries by the ids of their messages, from `#indexedFrom` up to `#indexed`; made when one is looked for. */
  readonly #byId = new Map<string, KeptEntry[]>();
  #indexedFrom = 0;
  #indexed = 0;

  keep(
    entry: ActivityEntry,
    details: KeptDetails,
    isRequest: boolean,
    notedAt: number,
    origin: Origin,
  ): void {
    const kept = new KeptEntry(entry, details, isRequest, notedAt, origin);
    this.#ring[entry.id % MOST_ENTRIES] = kept;
    this.#last = entry.id;
    if (isRequest) {
      this.#lastRequest = entry.id;
    } else if (details.transferId || details.clientMessageId) {
      this.#lastReport = entry.id;
    }
  }

  clear(): void {
    this.#ring = [];
    this.#last = 0;
    this.#lastRequest = -MOST_ENTRIES;
    this.#lastReport = -MOST_ENTRIES;
    this.#byId.clear();
    this.#indexedFrom = 0;
    this.#indexed = 0;
  }

  /**
   * The id of the entry of the request that a report is about; null for one that is not among them. A client message id may be that of
   * a message that was sent again after it had failed.
   * @param mayHaveArrived whether the request of an entry has not surely failed
   */
  requestOf(ids: ReportIds, mayHaveArrived: (id: number) => boolean): number | null {
    if (!this.#isAmongEntries(this.#lastRequest)) {
      return null;
    }
    const [byTransfer = [], byMessage = []] = this.#named(ids);
    const found =
      byTransfer.findLast(({ isRequest }) => isRequest) ??
      byMessage.findLast(({ isRequest, id }) => isRequest && (ids.transferId === null || mayHaveArrived(id)));
    return found?.id ?? null;
  }

  /** Reports of a request that is noted after them, oldest first. They are no longer looked for. */
  takeReports(ids: ReportIds): readonly EarlierEvent[] {
    if (!this.#isAmongEntries(this.#lastReport)) {
      return NO_EVENTS;
    }
    const isOpen = ({ isRequest, isTaken }: KeptEntry): boolean => !isRequest && !isTaken;
    const found = [...new Set(this.#named(ids).flat().filter(isOpen))];
    for (const report of found) {
      report.isTaken = true;
    }
    return found.sort((one, other) => one.id - other.id).map(toEvent);
  }

  /**
   * Replies to a request that is noted after them, oldest first.
   * @param answeredAt epoch ms @param wanted whether an entry is one on its channel
   */
  repliesTo(
    { numbers }: KeptDetails,
    answeredAt: number,
    wanted: (id: number) => boolean,
  ): readonly EarlierEvent[] {
    let recipients: ReadonlySet<string> | null = null;
    const replies: EarlierEvent[] = [];
    for (let id = this.#last; id > this.#last - MOST_ENTRIES; id--) {
      const kept = this.find(id);
      if (kept !== null && kept.notedAt <= answeredAt) {
        break;
      }
      if (kept === null || kept.repliedTo === undefined) {
        continue;
      }
      const [sender = ""] = kept.details.numbers;
      const known = kept.repliedTo === null ? null : this.find(kept.repliedTo);
      recipients ??= new Set(numbers.map(numberKey));
      if ((known?.answeredAt ?? 0) <= answeredAt && recipients.has(numberKey(sender)) && wanted(kept.id)) {
        replies.unshift(toEvent(kept));
      }
    }
    return replies;
  }

  /** A reply answers a later request than the one that it was taken to answer. @param to id of the entry of that one */
  moveReply({ id, at, number, repliedTo }: EarlierEvent, to: number): Progress | null {
    const reply = this.find(id);
    if (reply !== null) {
      reply.repliedTo = to;
    }
    return repliedTo === null ? null : (this.find(repliedTo)?.removeReply(at, number) ?? null);
  }

  /** The newest request to a number. @param wanted whether an entry is an accepted one on the channel */
  lastTo(number: string, wanted: (id: number) => boolean): number | null {
    if (!this.#isAmongEntries(this.#lastRequest)) {
      return null;
    }
    const key = numberKey(number);
    let lists = 0;
    const found = this.#newest(
      (kept) => kept.isTo(key, !kept.isLongUnread || ++lists <= LISTS_AT_ONCE) && wanted(kept.id),
    );
    return found?.id ?? null;
  }

  /** Ids of the entries with a number that fits, oldest first. Entries can have very many: others have their turn meanwhile. */
  async search(fits: (number: string) => boolean): Promise<number[]> {
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

  /** What is kept of an entry; null for one that is gone. */
  find(id: number): KeptEntry | null {
    const kept = this.#ring[id % MOST_ENTRIES];
    return kept?.id === id ? kept : null;
  }

  #isAmongEntries(id: number): boolean {
    return id > this.#last - MOST_ENTRIES;
  }

  /** Entries with the transfer id, and those with the message id, oldest first. A flow may use a message id twice. */
  #named({ transferId, clientMessageId }: ReportIds): readonly (readonly KeptEntry[])[] {
    this.#index();
    return [transferKey(transferId), messageKey(clientMessageId)].map((key) =>
      (this.#byId.get(key) ?? []).filter((kept) => this.find(kept.id) === kept),
    );
  }

  #index(): void {
    // Those that are gone are dropped together.
    if (this.#last - this.#indexedFrom > 3 * MOST_ENTRIES) {
      this.#byId.clear();
      this.#indexedFrom = this.#last - MOST_ENTRIES;
      this.#indexed = this.#indexedFrom;
    }
    for (let id = this.#indexed + 1; id <= this.#last; id++) {
      const kept = this.find(id);
      if (kept !== null) {
        const { transferId, clientMessageId } = kept.details;
        this.#addTo(transferKey(transferId), kept);
        this.#addTo(messageKey(clientMessageId), kept);
      }
    }
    this.#indexed = this.#last;
  }

  #addTo(key: string, kept: KeptEntry): void {
    const known = this.#byId.get(key);
    if (known !== undefined) {
      known.push(kept);
    } else if (key !== "") {
      this.#byId.set(key, [kept]);
    }
  }

  #newest(isWanted: (kept: KeptEntry) => boolean): KeptEntry | null {
    for (let id = this.#last; id > this.#last - MOST_ENTRIES; id--) {
      const kept = this.find(id);
      if (kept !== null && isWanted(kept)) {
        return kept;
      }
    }
    return null;
  }
}

const transferKey = (id: string | null): string => (id ? `t ${id}` : "");
const messageKey = (id: string | null): string => (id ? `m ${id}` : "");

const toEvent = ({
  id,
  notedAt,
  details,
  happenedOn,
  isCopy,
  repliedTo = null,
}: KeptEntry): EarlierEvent => ({
  id,
  at: notedAt,
  number: details.numbers[0] ?? "",
  happenedOn,
  isCopy,
  repliedTo,
});
