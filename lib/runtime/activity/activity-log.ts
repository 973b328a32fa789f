import { randomUUID } from "node:crypto";
import {
  type ActivityEntry,
  type ActivityState,
  countedAs,
  type EntryDetails,
  type FoundEntries,
  isNotice,
  type RunningSend,
  WATCH_FOR,
} from "../../shared/activity";
import { Turns } from "../../shared/async/turns";
import { Throttle } from "../node-red/throttle";
import { ActivityTally } from "./activity-tally";
import { EntryRing } from "./entry-ring";
import { HeardEvents } from "./heard-events";
import type { KeptDetails, Origin } from "./kept-entry";
import { LastResults } from "./last-results";
import { type EarlierEvent, MessageTrail, type ReportIds } from "./message-trail";
import { type NewEntry, RefusalLog } from "./refusal-log";
import { RunningSends, type SendProgress } from "./running-sends";

/** Events that were noted before their request. */
interface Earlier {
  readonly reports: readonly EarlierEvent[];
  readonly replies: readonly EarlierEvent[];
}
const NONE_EARLIER: Earlier = { reports: [], replies: [] };

/** Searches that may wait or run at once. */
const MOST_SEARCHES = 10;

export type { NewEntry } from "./refusal-log";
export type { SendProgress } from "./running-sends";

/**
 * The recent activity of one Node-RED: a ring buffer of entries, refusals, counters, one bucket for each minute of the last
 * hour, and the sends under way. Its size is bounded. While an editor watches, it tells at most four times a second that there is something
 * new; otherwise an entry only takes its slot in the ring buffer.
 */
export class ActivityLog {
  #epoch = randomUUID();
  readonly #entries = new EntryRing();
  /** By account. */
  readonly #tallies = new Map<string, ActivityTally>();
  /** By account. What nobody clears: it says whether messages leave. */
  readonly #last = new Map<string, LastResults>();
  /** Epoch ms. */
  #since = Date.now();
  #cleared = false;
  readonly #refusals = new RefusalLog();
  readonly #trail = new MessageTrail();
  readonly #running = new RunningSends();
  readonly #heard = new HeardEvents();
  readonly #searches = new Turns(MOST_SEARCHES);
  #watchedUntil = 0;
  readonly #throttle: Throttle;

  /** @param tell says to all open editors that there is something new */
  constructor(tell: () => void) {
    this.#throttle = new Throttle(tell);
  }

  /** What the messages of an account came to last. */
  lastOf(account: string): LastResults {
    let last = this.#last.get(account);
    if (last === undefined) {
      last = new LastResults();
      this.#last.set(account, last);
    }
    return last;
  }

  #tallyOf(account: string): ActivityTally {
    let tally = this.#tallies.get(account);
    if (tally === undefined) {
      tally = new ActivityTally();
      this.#tallies.set(account, tally);
    }
    return tally;
  }

  /** @param account its id, blank for none: it is counted by account @param details of a request or an event about a person */
  add(account: string, entry: NewEntry, details: KeptDetails | null = null, origin: Origin = {}): void {
    const at = Date.now();
    if (entry.result === "refused") {
      this.#refusals.add(entry, at);
    } else {
      const isRequest = entry.result !== "received";
      const earlier =
        details !== null && isRequest ? this.#earlierThan(entry, details, origin) : NONE_EARLIER;
      const stored = this.#store(entry, at, earlier, origin);
      if (details !== null) {
        this.#trail.keep(stored, details, isRequest, at, origin);
        if (earlier !== NONE_EARLIER) {
          this.#takeIn(stored.id, earlier);
        }
      }
    }
    this.lastOf(account).note(entry, details, origin.answeredAt ?? at, origin.message);
    const counted = countedAs(entry);
    if (!isNotice(counted) && !origin.isCopy) {
      // A message without a recipient fails once.
      this.#tallyOf(account).count(counted, at, entry.channel === "media" ? 1 : entry.count || 1);
    }
    this.#changed(at);
  }

  /** Whether an event that a webhook got is no copy of one that another webhook of the account has got. */
  isNew(account: string, key: string, node: string): boolean {
    return this.#heard.isNew(account, key, node);
  }

  /**
   * A report came in. It changes the entry of its request, and is counted as an event.
   * @param account of the webhook @param status a known word @param happenedOn the time that it names itself @param isCopy changes nothing
   * @returns false where the request is not among the entries: the report needs an entry of its own
   */
  report(
    account: string,
    ids: ReportIds,
    number: string,
    status: string,
    happenedOn: string | null = null,
    isCopy = false,
  ): boolean {
    const id = this.#trail.requestOf(ids, (each) => {
      const entry = this.#entries.find(each);
      return entry !== null && (isAccepted(entry) || entry.result === "unknown");
    });
    const at = Date.now();
    if (id !== null && isCopy) {
      return true;
    }
    if (id === null || !this.#note(id, at, number, status.toLowerCase(), happenedOn)) {
      return false;
    }
    this.#tallyOf(account).count("received", at);
    this.#changed(at);
    return true;
  }

  /** What came in about a request and was noted before it. */
  #earlierThan({ result, channel }: NewEntry, details: KeptDetails, { answeredAt }: Origin): Earlier {
    const replies =
      answeredAt === undefined || !isAccepted({ result })
        ? []
        : this.#trail.repliesTo(details, answeredAt, (id) => isAnsweredBy(channel, this.#entries.find(id)));
    const reports = this.#trail.takeReports(details);
    return reports.length === 0 && replies.length === 0 ? NONE_EARLIER : { reports, replies };
  }

  /** Its reports stand in the entry of a request from now on, and its replies mark it. */
  #takeIn(id: number, { reports, replies }: Earlier): void {
    for (const report of reports) {
      const entry = this.#entries.find(report.id);
      const { at, number, happenedOn, isCopy } = report;
      const status = entry?.status.toLowerCase() ?? "";
      if (entry !== null && (isCopy || this.#note(id, at, number, status, happenedOn))) {
        this.#entries.change({ ...entry, folded: true }, { status: "", reached: 0, replies: 0 });
      }
    }
    for (const reply of replies) {
      const entry = reply.repliedTo === null ? null : this.#entries.find(reply.repliedTo);
      const progress = this.#trail.moveReply(reply, id);
      if (entry !== null && progress !== null) {
        this.#entries.change(entry, progress);
      }
      this.#note(id, reply.at, reply.number, "");
    }
  }

  /**
   * A person wrote. It changes the newest accepted request to that person; the message itself is an entry.
   * @returns the id of the entry of that request
   */
  reply(number: string, channel: ActivityEntry["channel"]): number | null {
    const id = this.#trail.lastTo(number, (each) => {
      const entry = this.#entries.find(each);
      return entry !== null && isAnsweredBy(entry.channel, { channel }) && isAccepted(entry);
    });
    if (id !== null) {
      this.#note(id, Date.now(), number, "");
    }
    return id;
  }

  #note(id: number, at: number, number: string, status: string, happenedOn: string | null = null): boolean {
    const entry = this.#entries.find(id);
    const kept = this.#trail.find(id);
    if (entry === null || kept === null) {
      return false;
    }
    this.#entries.change(entry, kept.note(at, number, status, happenedOn));
    return true;
  }

  /** What a row unfolds to; null for an entry that is gone. @param full with complete numbers */
  details(epoch: string, id: number, full: boolean): EntryDetails | null {
    return epoch === this.#epoch ? (this.#trail.find(id)?.shown(full) ?? null) : null;
  }

  /** The entries with a number that fits. One search at a time. @throws Busy (as a rejection) where too many wait already */
  find(fits: (number: string) => boolean): Promise<FoundEntries> {
    return this.#searches.take(async () => {
      const [epoch, last] = [this.#epoch, this.#entries.last];
      return { epoch, last, ids: await this.#trail.search(fits) };
    });
  }

  #store(entry: NewEntry, now: number, earlier: Earlier, { answeredAt }: Origin): ActivityEntry {
    const id = this.#entries.nextId();
    let stored: ActivityEntry = { ...entry, id, at: now };
    if (earlier !== NONE_EARLIER) {
      const events = [...earlier.reports, ...earlier.replies];
      // It happened before what came in about it.
      const before = Math.min(...events.map((event) => event.id));
      const at = Math.min(answeredAt ?? now, ...events.map((event) => event.at));
      stored = { ...stored, at, before };
    }
    this.#entries.put(stored);
    return stored;
  }

  /** A send of several requests begins. */
  begin(send: Pick<RunningSend, "node" | "template" | "total" | "simulated">): SendProgress {
    return this.#running.begin(send, Date.now(), () => this.#changed(Date.now()));
  }

  /**
   * Returns the current state, and tells of changes for the next `WATCH_FOR` ms.
   * @param epoch epoch of the caller's state; if it is not the current one, `after` is ignored
   * @param after id of the newest entry that the caller has
   * @param change number of the latest change that the caller has
   */
  watch(epoch = "", after = 0, change = 0): ActivityState {
    const now = Date.now();
    this.#watchedUntil = now + WATCH_FOR;
    const known = epoch === this.#epoch ? after : 0;
    return {
      epoch: this.#epoch,
      entries: this.#entries.since(known, change),
      change: this.#entries.changes,
      refusals: this.#refusals.entries,
      tallies: [...this.#tallies].map(([account, tally]) => ({
        account,
        counters: tally.counters,
        minutes: tally.minutes(now),
      })),
      since: this.#since,
      cleared: this.#cleared,
      running: this.#running.list(),
      runningCount: this.#running.count,
    };
  }

  /** Clears everything but the sends under way, here and in every editor. */
  clear(): void {
    this.#epoch = randomUUID();
    this.#entries.clear();
    this.#trail.clear();
    this.#refusals.clear();
    this.#tallies.clear();
    this.#heard.clear();
    this.#since = Date.now();
    this.#cleared = true;
    this.#throttle.ask();
  }

  #changed(now: number): void {
    if (now < this.#watchedUntil) {
      this.#throttle.ask();
    }
  }
}

const isAccepted = ({ result }: Pick<ActivityEntry, "result">): boolean =>
  result === "sent" || result === "queued";

/** Whether a reply can belong to a request by their channels: a call is answered by SMS. */
const isAnsweredBy = (
  request: ActivityEntry["channel"],
  reply: Pick<ActivityEntry, "channel"> | null,
): boolean => (request === "voice" ? "sms" : request) === reply?.channel;
