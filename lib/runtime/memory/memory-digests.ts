import { randomUUID } from "node:crypto";
import { MessagingError } from "../../shared/messaging-error";
import {
  type Departure,
  type DigestCounts,
  type DigestOrder,
  type DigestStore,
  MOST_KEYS,
  type NewItem,
  SET_BACK,
  tooManyKeys,
} from "../../store/digest";
import { type Clock, SYSTEM_CLOCK } from "../../store/engine/clock";
import { formatNumber } from "../../texts/format-number";
import { say } from "../../texts/say";
import { NodeDeadlines } from "./waits/deadlines";

/** What was gathered of one key; times are epoch ms. */
interface KeptDigest {
  readonly key: string;
  every: number;
  quiet: number;
  begunAt: number;
  lastAt: number;
  /** Before this no digest leaves. */
  nextAt: number;
  muted: boolean;
  total: number;
  count: number;
  items: string[];
  lastItem: string;
  message: string;
  /** Whether one of the gathered messages is sensitive. */
  sensitive: boolean;
  /** Whether one of all that have come is. */
  everSensitive: boolean;
  leaving: Departure | null;
  deadline: Deadline | null;
  /** Characters of its messages, with what is leaving. */
  length: number;
}

/** Characters of all that an account gathers. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** When something of a key has to leave; epoch ms. */
interface Deadline {
  readonly until: number;
  readonly kept: KeptDigest;
}

const hasDigest = ({ count, muted }: KeptDigest): boolean => count > 0 && !muted;
const wakeOf = (kept: KeptDigest): number =>
  hasDigest(kept) ? kept.nextAt : Math.max(kept.nextAt, kept.lastAt + kept.quiet);

function lengthOf({ items, lastItem, message, leaving }: KeptDigest): number {
  const texts = [...items, lastItem, message];
  if (leaving !== null) {
    texts.push(...leaving.items, leaving.lastItem, leaving.message);
  }
  return texts.reduce((sum, { length }) => sum + length, 0);
}

let last = 0;

/** What the message-digest nodes of an account without a store have gathered. It lasts as long as the process, over deploys as well. */
export class MemoryDigests implements DigestStore {
  readonly #nodes = new Map<string, Map<string, KeptDigest>>();
  /** Of keys of which nothing is leaving. */
  readonly #deadlines = new NodeDeadlines<Deadline>();
  /** What is leaving, by node and by the name of the departure. */
  readonly #leaving = new Map<string, Map<string, KeptDigest>>();

  /** When the newest message came; epoch ms. */
  #newestAt = 0;
  /** Characters of all. */
  #length = 0;

  /** @param most characters of all that is gathered */
  constructor(
    private readonly clock: Clock = SYSTEM_CLOCK,
    private readonly most = MOST_CHARACTERS,
  ) {}

  async add(node: string, item: NewItem): Promise<number> {
    const now = this.clock.now();
    const keys = this.#nodes.get(node) ?? new Map<string, KeptDigest>();
    if (keys.size >= MOST_KEYS && !keys.has(item.key)) {
      throw tooManyKeys();
    }
    if (this.#length + item.item.length + item.message.length > this.most) {
      const mib = formatNumber(Math.round(this.most / 1024 / 1024));
      throw new MessagingError("DIGEST_FULL", say("digest.full.memory", { mib }));
    }
    this.#nodes.set(node, keys);
    const known = keys.get(item.key);
    const kept = known ?? newDigest(item, now);
    keys.set(item.key, kept);
    const endsMuted = known !== undefined && known.leaving === null && known.count > 0 && isFirst(known, now);
    if (endsMuted) {
      // What was muted leaves first, with what is over: nobody has said so yet.
      const leaving = this.#leaving.get(node) ?? new Map<string, KeptDigest>();
      this.#leaving.set(node, leaving.set(take(known, now), known));
    }
    if (known !== undefined) {
      follow(known, item, now);
    }
    const { every, quiet, message } = item;
    Object.assign(kept, { every, quiet, message, lastAt: now, lastItem: item.item });
    // No digest is further away than a new one would be: the clock may have been set back.
    kept.nextAt = Math.min(kept.nextAt, now + Math.max(item.wait, item.every));
    this.#newestAt = Math.max(this.#newestAt, now);
    kept.sensitive ||= item.sensitive;
    kept.everSensitive ||= item.sensitive;
    kept.count++;
    kept.total++;
    if (kept.items.length < item.most) {
      kept.items.push(item.item);
    }
    this.#schedule(node, kept);
    return endsMuted ? now : wakeOf(kept);
  }

  /** To be called after each change of what a key has. @param length characters of its messages now */
  #measure(kept: KeptDigest, length = lengthOf(kept)): void {
    this.#length += length - kept.length;
    kept.length = length;
  }

  /** To be called after each change. */
  #schedule(node: string, kept: KeptDigest): void {
    this.#measure(kept);
    if (kept.deadline !== null) {
      this.#deadlines.delete(node, kept.deadline);
    }
    kept.deadline = kept.leaving === null ? { until: wakeOf(kept), kept } : null;
    if (kept.deadline !== null) {
      this.#deadlines.add(node, kept.deadline);
    }
  }

  async depart(node: string, _owner: string, most: number): Promise<readonly Departure[]> {
    const now = this.clock.now();
    if (this.#newestAt > now + SET_BACK) {
      this.#comeNear(now);
    }
    const leaving = this.#leaving.get(node) ?? new Map<string, KeptDigest>();
    for (const { kept } of this.#deadlines.take([node], now, most - leaving.size)) {
      kept.deadline = null;
      leaving.set(take(kept, now), kept);
    }
    if (leaving.size > 0) {
      this.#leaving.set(node, leaving);
    }
    return [...leaving.values()].flatMap((kept) => kept.leaving ?? []);
  }

  /** The clock was set back: all times stay as far from the last message. */
  #comeNear(now: number): void {
    for (const [node, keys] of this.#nodes) {
      for (const kept of keys.values()) {
        if (kept.lastAt > now) {
          Object.assign(kept, { nextAt: kept.nextAt - kept.lastAt + now, lastAt: now });
          this.#schedule(node, kept);
        }
      }
    }
    this.#newestAt = now;
  }

  async left(node: string, departures: readonly Departure[]): Promise<void> {
    const leaving = this.#leaving.get(node);
    for (const { departure, kind } of departures) {
      const kept = leaving?.get(departure);
      if (kept === undefined) {
        continue;
      }
      leaving?.delete(departure);
      kept.leaving = null;
      if (kind === "over" && kept.count === 0) {
        this.#remove(node, kept);
      } else {
        this.#schedule(node, kept);
      }
    }
    if (leaving?.size === 0) {
      this.#leaving.delete(node);
    }
  }

  #remove(node: string, kept: KeptDigest): void {
    const keys = this.#nodes.get(node);
    if (kept.deadline !== null) {
      this.#deadlines.delete(node, kept.deadline);
    }
    this.#measure(kept, 0);
    keys?.delete(kept.key);
    if (keys?.size === 0) {
      this.#nodes.delete(node);
    }
  }

  async giveBack(node: string, departures: readonly Departure[], restored: boolean): Promise<void> {
    for (const { departure } of departures) {
      const kept = this.#leaving.get(node)?.get(departure);
      if (kept?.leaving != null && restored) {
        kept.leaving = { ...kept.leaving, restored };
      }
    }
  }

  async order(node: string, key: string | null, order: DigestOrder): Promise<void> {
    const keys = this.#nodes.get(node);
    const one = keys?.get(key ?? "");
    for (const kept of key === null ? (keys?.values() ?? []) : one === undefined ? [] : [one]) {
      if (order === "mute") {
        kept.muted = true;
      } else if (order === "drop") {
        Object.assign(kept, { total: kept.total - kept.count, count: 0, items: [], sensitive: false });
        if (kept.total === 0 && !kept.muted && kept.leaving === null) {
          // Nothing of it has left: nobody needs to hear that it is over.
          this.#remove(node, kept);
          continue;
        }
      } else if (kept.count > 0) {
        Object.assign(kept, { muted: false, nextAt: Math.min(kept.nextAt, this.clock.now()) });
      }
      this.#schedule(node, kept);
    }
  }

  async nextWake(node: string): Promise<number | null> {
    return this.#deadlines.next([node]);
  }

  async counts(node: string): Promise<DigestCounts> {
    return this.count(node);
  }

  /** The same at once, for a node that closes. */
  count(node: string): DigestCounts {
    const counts = { keys: 0, gathered: 0, muted: 0, next: null as number | null };
    for (const kept of this.#nodes.get(node)?.values() ?? []) {
      counts.keys += kept.count > 0 ? 1 : 0;
      counts.gathered += kept.count;
      counts.muted += kept.muted ? 1 : 0;
      if (hasDigest(kept)) {
        counts.next = Math.min(kept.nextAt, counts.next ?? Number.POSITIVE_INFINITY);
      }
    }
    return counts;
  }
}

function newDigest({ key, every, quiet, wait, item, message }: NewItem, now: number): KeptDigest {
  return {
    key,
    every,
    quiet,
    begunAt: now,
    lastAt: now,
    nextAt: now + wait,
    muted: false,
    total: 0,
    count: 0,
    items: [],
    lastItem: item,
    message,
    sensitive: false,
    everSensitive: false,
    leaving: null,
    deadline: null,
    length: 0,
  };
}

/** Whether the next message is a first one again. */
const isFirst = (kept: KeptDigest, now: number): boolean =>
  kept.leaving === null
    ? !hasDigest(kept) && wakeOf(kept) <= now
    : kept.leaving.kind === "over" && kept.count === 0;

/** A message comes to a key that has one: it is a first one again, or leaves with the next period. */
function follow(kept: KeptDigest, { wait, every }: NewItem, now: number): void {
  if (isFirst(kept, now)) {
    Object.assign(kept, {
      begunAt: now,
      nextAt: now + wait,
      muted: false,
      total: kept.count,
      everSensitive: kept.sensitive,
    });
  } else if (kept.count === 0 && kept.nextAt < now) {
    kept.nextAt += Math.ceil((now - kept.nextAt) / every) * every;
  }
}

/** @returns the name of the departure */
function take(kept: KeptDigest, now: number): string {
  const { key, count, total, begunAt, items, lastItem, message, sensitive, everSensitive } = kept;
  const id = ++last;
  const kind = hasDigest(kept) ? "digest" : "over";
  const departure = randomUUID();
  kept.leaving = {
    id,
    batch: 0,
    departure,
    kind,
    key,
    count,
    total,
    begunAt,
    items,
    lastItem,
    message,
    sensitive: kind === "over" ? everSensitive : sensitive,
    restored: false,
  };
  if (kind === "digest") {
    kept.nextAt = now + kept.every;
  }
  kept.count = 0;
  kept.items = [];
  kept.sensitive = false;
  return departure;
}
