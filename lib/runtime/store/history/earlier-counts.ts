import { recentOfAccount, recentOfNode } from "../../../store/history/recent-counts";
import type { ActivityLog } from "../../activity/activity-log";
import type { AccountStore } from "../open-store";
import type { ResultNode } from "../outbox/stored-message";

/** People and events of before that are counted. */
const MOST = 10_000;

/** @returns epoch ms at which the day of a time begins, in the zone of the process */
const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/**
 * Tells badges and the sidebar what an account has done today before Node-RED started, so that a restart does not set them to zero. It
 * reads the store as soon as an editor looks, and not before.
 */
export class EarlierCounts {
  readonly #told = new WeakSet<ResultNode>();
  #stop = (): void => {};

  /** @param nodes send nodes that run, by identity */
  constructor(
    private readonly activity: ActivityLog,
    private readonly nodes: ReadonlyMap<string, ResultNode>,
  ) {}

  /** The store is open, and nodes may have come. */
  look(place: AccountStore): void {
    this.#stop();
    // Where it cannot be read, the counts begin with the start; who sends says what is wrong with the store.
    this.#stop = this.activity.whenWatched(() => void this.#tell(place).catch(() => {}));
  }

  stop(): void {
    this.#stop();
  }

  async #tell({ store, account }: AccountStore): Promise<void> {
    const { engine } = store;
    const to = this.activity.wantedUpTo(account);
    if (to !== null) {
      const { people, events } = await recentOfAccount(engine, { account, from: dayOf(to), to, most: MOST });
      const counts = [
        ...people.counts.map(({ outcome: result, minute, count }) => ({ result, minute, count })),
        ...events.counts.map(({ minute, count }) => ({ result: "received" as const, minute, count })),
      ];
      this.activity.addEarlier(account, counts, Math.max(people.since, events.since));
    }
    for (const [id, node] of this.nodes) {
      const { since } = node;
      if (since !== null && !this.#told.has(node)) {
        this.#told.add(node);
        const period = { account, from: dayOf(since), to: since, most: MOST };
        node.earlier(await recentOfNode(engine, id, period));
      }
    }
  }
}
