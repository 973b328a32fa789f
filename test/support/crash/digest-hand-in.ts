import { setTimeout } from "node:timers/promises";
import type { FlowLog, SeenDigest } from "./flow-log";
import { post, TAKEN } from "./post";
import type { SeededRandom } from "./seeded-random";

/** Messages that are on their way to a flow at a time, and ms between two of them at most. */
const AT_ONCE = 20;
const PAUSE = 8;

/** Hands messages to the flows of Node-REDs until it is stopped, and knows what they have taken. */
export class DigestHandIn {
  /** Key of each message. */
  readonly handed = new Map<string, string>();
  /** Those that were answered as gathered. */
  readonly taken = new Set<string>();
  readonly #posts = new Set<Promise<void>>();
  #isStopped = false;

  /**
   * @param urls of the Node-REDs
   * @param keys number of keys
   */
  constructor(
    private readonly random: SeededRandom,
    private readonly urls: readonly string[],
    private readonly keys: number,
  ) {}

  /** Resolves after `stop`, when everything that was under way has an answer or none. */
  async run(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#posts.size < AT_ONCE) {
        const sending = this.#post().finally(() => this.#posts.delete(sending));
        this.#posts.add(sending);
      }
      await setTimeout(this.random.between(0, PAUSE));
    }
    await Promise.all(this.#posts);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #post(): Promise<void> {
    const id = `alarm-${this.handed.size}`;
    const key = `pump ${this.random.between(1, this.keys)}`;
    this.handed.set(id, key);
    if ((await post(`${this.random.pick(this.urls)}/gather`, { id, key })) === TAKEN) {
      this.taken.add(id);
    }
  }
}

/** What came of messages that were gathered. */
export interface SettledDigests {
  readonly digests: number;
  readonly restored: number;
  /** Messages that a node said to have gathered, and of which no flow saw a digest. */
  readonly lost: readonly string[];
  /** What must not be. */
  readonly breaches: readonly string[];
}

/**
 * Holds what was handed in against what the flows saw. What a process did not answer may be gathered or not, but not twice either.
 * @param logs of all flows
 */
export function settleDigests(
  { handed, taken }: Pick<DigestHandIn, "handed" | "taken">,
  logs: readonly Pick<FlowLog, "digests">[],
): SettledDigests {
  const breaches: string[] = [];
  const digests = logs.flatMap((log) => log.digests).filter(({ over }) => !over);
  const seen = new Map<string, SeenDigest[]>();
  for (const digest of digests) {
    const { key, count, ids } = digest;
    if (count !== ids.length || new Set(ids).size !== count) {
      breaches.push(`a digest of ${key} says ${count}, and lists ${ids.join(", ")}`);
    }
    for (const id of ids) {
      seen.set(id, [...(seen.get(id) ?? []), digest]);
      if (handed.get(id) !== key) {
        breaches.push(`${id} was not handed in for ${key}`);
      }
    }
  }
  for (const [id, all] of seen) {
    if (all.filter(({ restored }) => !restored).length > 1) {
      breaches.push(`${id} left ${all.length} times, more than once without a mark`);
    }
    // The same digest, with the same messages.
    if (new Set(all.map((digest) => `${digest.id} ${digest.ids.join()}`)).size > 1) {
      breaches.push(`${id} left in different digests`);
    }
  }
  return {
    digests: digests.length,
    restored: digests.filter(({ restored }) => restored).length,
    lost: [...taken].filter((id) => !seen.has(id)),
    breaches,
  };
}
