import { randomUUID } from "node:crypto";
import {
  type ActivityEntry,
  type ActivityState,
  type EntryDetails,
  type FoundEntries,
  isNotice,
  MOST_ENTRIES,
  MOST_RUNNING,
  type RunningSend,
  WATCH_FOR,
} from "../../shared/activity";
import { Turns } from "../../shared/async/turns";
import { Throttle } from "../node-red/throttle";
import { ActivityTally } from "./activity-tally";
import type { KeptDetails, Origin, Progress } from "./kept-entry";
import { type EarlierEvent, MessageTrail, type ReportIds } from "./message-trail";
import { type NewEntry, RefusalLog } from "./refusal-log";

/** Events that were noted before their request. */
interface Earlier {
  readonly reports: readonly EarlierEvent[];
  readonly replies: readonly EarlierEvent[];
}
const NONE_EARLIER: Earlier = { reports: [], replies: [] };

/** Searches that may wait or run at once. */
const MOST_SEARCHES = 10;

type Running = RunningSend & { done: number };

export type { NewEntry } from "./refusal-log";

/** Reports the progress of a send of several requests. */
export interface SendProgress {
  /** Counts further recipients whose request has ended. */
  step(recipients: number): void;
  end(): void;
}

/**
 * The recent activity of one Node-RED: a ring buffer of entries, refusals, counters, one bucket for each minute of the last
 * hour, and the sends under way. Its size is bounded. While an editor watches, it tells at most four times a second that there is something
 * new; otherwise an entry only takes its slot in the ring buffer.
 */
export class ActivityLog {
  #epoch = randomUUID();
  #last = 0;
  #ring: ActivityEntry[] = [];
  #tally: ActivityTally;
  #cleared = false;
  readonly #refusals = new RefusalLog();
  readonly #trail = new MessageTrail();
  /** Number of the latest change of an entry; `clear` does not reset it. */
  #changes = 0;
  readonly #running = new Set<Running>();
  #runs = 0;
  readonly #searches = new Turns(MOST_SEARCHES);
  #watchedUntil = 0;
  readonly #throttle: Throttle;

  /** @param tell says to all open editors that there is something new */
  constructor(tell: () => void) {
    this.#throttle = new Throttle(tell);
    this.#tally = new ActivityTally(Date.now());
  }

  /** @param details of a request or an event about a person */
  add(entry: NewEntry, details: KeptDetails | null = null, origin: Origin = {}): void {
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
    if (!isNotice(entry.result)) {
      this.#tally.count(entry.result, at);
    }
    this.#changed(at);
  }

  /**
   * A report came in. It changes the entry of its request, and is counted as an event.
   * @param status a known word
   * @returns false where the request is not among the entries: the report needs an entry of its own
   */
  report(ids: ReportIds, number: string, status: string): boolean {
    const id = this.#trail.requestOf(ids);
    const at = Date.now();
    if (id === null || !this.#note(id, at, number, status.toLowerCase())) {
      return false;
    }
    this.#tally.count("received", at);
    this.#changed(at);
    return true;
  }

  /** What came in about a request and was noted before it. */
  #earlierThan({ result, channel }: NewEntry, details: KeptDetails, { answeredAt }: Origin): Earlier {
    const replies =
      answeredAt === undefined || !isAccepted({ result })
        ? []
        : this.#trail.repliesTo(details, answeredAt, (id) => this.#entry(id)?.channel === channel);
    const reports = this.#trail.takeReports(details);
    return reports.length === 0 && replies.length === 0 ? NONE_EARLIER : { reports, replies };
  }

  /** Its reports stand in the entry of a request from now on, and its replies mark it. */
  #takeIn(id: number, { reports, replies }: Earlier): void {
    for (const report of reports) {
      const entry = this.#entry(report.id);
      if (entry !== null && this.#note(id, report.at, report.number, entry.status.toLowerCase())) {
        this.#change({ ...entry, folded: true }, { status: "", reached: 0, replies: 0 });
      }
    }
    for (const reply of replies) {
      const entry = reply.repliedTo === null ? null : this.#entry(reply.repliedTo);
      const progress = this.#trail.moveReply(reply, id);
      if (entry !== null && progress !== null) {
        this.#change(entry, progress);
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
      const entry = this.#entry(each);
      return entry?.channel === channel && isAccepted(entry);
    });
    if (id !== null) {
      this.#note(id, Date.now(), number, "");
    }
    return id;
  }

  #note(id: number, at: number, number: string, status: string): boolean {
    const entry = this.#entry(id);
    const kept = this.#trail.find(id);
    if (entry === null || kept === null) {
      return false;
    }
    this.#change(entry, kept.note(at, number, status));
    return true;
  }

  #change(entry: ActivityEntry, progress: Progress): void {
    this.#ring[entry.id % MOST_ENTRIES] = { ...entry, progress: { ...progress, change: ++this.#changes } };
  }

  #entry(id: number): ActivityEntry | null {
    const entry = this.#ring[id % MOST_ENTRIES];
    return entry?.id === id ? entry : null;
  }

  /** What a row unfolds to; null for an entry that is gone. @param full with complete numbers */
  details(epoch: string, id: number, full: boolean): EntryDetails | null {
    return epoch === this.#epoch ? (this.#trail.find(id)?.shown(full) ?? null) : null;
  }

  /** The entries with a number that fits. One search at a time. @throws Busy (as a rejection) where too many wait already */
  find(fits: (number: string) => boolean): Promise<FoundEntries> {
    return this.#searches.take(async () => {
      const [epoch, last] = [this.#epoch, this.#last];
      return { epoch, last, ids: await this.#trail.search(fits) };
    });
  }

  #store(entry: NewEntry, now: number, earlier: Earlier, { answeredAt }: Origin): ActivityEntry {
    const id = ++this.#last;
    // Field by field: by spread it takes several µs.
    const { node, template, channel, result, who, count, code, name, status, simulated, file } = entry;
    let stored: ActivityEntry = {
      id,
      at: now,
      node,
      template,
      channel,
      result,
      who,
      count,
      code,
      name,
      status,
      simulated,
    };
    if (file !== undefined) {
      stored = { ...stored, file };
    }
    if (earlier !== NONE_EARLIER) {
      const events = [...earlier.reports, ...earlier.replies];
      // It happened before what came in about it.
      const before = Math.min(...events.map((event) => event.id));
      const at = Math.min(answeredAt ?? now, ...events.map((event) => event.at));
      stored = { ...stored, at, before };
    }
    this.#ring[id % MOST_ENTRIES] = stored;
    return stored;
  }

  /** A send of several requests begins. */
  begin(send: Pick<RunningSend, "node" | "template" | "total" | "simulated">): SendProgress {
    const running = { ...send, id: ++this.#runs, since: Date.now(), done: 0 };
    this.#running.add(running);
    this.#changed(running.since);
    return {
      step: (recipients) => {
        running.done += recipients;
      },
      end: () => {
        this.#running.delete(running);
        this.#changed(Date.now());
      },
    };
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
    // Those with the most to do first, where not all are listed.
    const running = [...this.#running];
    if (running.length > MOST_RUNNING) {
      running.sort((one, other) => other.total - other.done - (one.total - one.done));
    }
    return {
      epoch: this.#epoch,
      entries: [...(known === 0 ? [] : this.#changedUpTo(known, change)), ...this.#newest(known)],
      change: this.#changes,
      refusals: this.#refusals.entries,
      counters: this.#tally.counters,
      since: this.#tally.since,
      cleared: this.#cleared,
      minutes: this.#tally.minutes(now),
      running: running.slice(0, MOST_RUNNING).map((send) => ({ ...send })),
      runningCount: running.length,
    };
  }

  /** Clears everything but the sends under way, here and in every editor. */
  clear(): void {
    this.#epoch = randomUUID();
    this.#ring = [];
    this.#last = 0;
    this.#trail.clear();
    this.#refusals.clear();
    this.#tally = new ActivityTally(Date.now());
    this.#cleared = true;
    this.#throttle.ask();
  }

  #changed(now: number): void {
    if (now < this.#watchedUntil) {
      this.#throttle.ask();
    }
  }

  /** Entries after an id, oldest first. */
  #newest(after: number): ActivityEntry[] {
    const entries: ActivityEntry[] = [];
    for (let id = Math.max(after, this.#last - MOST_ENTRIES, 0) + 1; id <= this.#last; id++) {
      entries.push(this.#ring[id % MOST_ENTRIES] as ActivityEntry);
    }
    return entries;
  }

  /** Entries up to an id that changed after a change, oldest first. */
  #changedUpTo(newest: number, change: number): ActivityEntry[] {
    return change === this.#changes
      ? []
      : this.#newest(0).filter(
          ({ id, progress }) => id <= newest && progress !== undefined && progress.change > change,
        );
  }
}

const isAccepted = ({ result }: Pick<ActivityEntry, "result">): boolean =>
  result === "sent" || result === "queued";
