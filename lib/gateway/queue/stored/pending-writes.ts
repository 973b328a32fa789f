import type { ReleasedRequest, RequestClaims } from "../../../store/jobs/request-claims";
import type { SettledRequest, Settlements } from "../../../store/jobs/settlements";
import { LeftResults } from "./left-results";

/** Entries of one operation. */
const MOST = 250;

/** An outcome that could not be written. */
export interface KeptOutcome {
  /** Instance that had claimed the request. */
  readonly owner: string;
  readonly settled: SettledRequest;
  /** Whether its result has left the node. */
  emitted: boolean;
}

/** The first entries, all of one owner. */
function pageOf<Entry extends { readonly owner: string }>(
  entries: ReadonlyMap<number, Entry>,
): readonly Entry[] {
  const all = [...entries.values()];
  return all.filter(({ owner }) => owner === all[0]?.owner).slice(0, MOST);
}

/** A request that could not be put back, although surely nothing of it has left. */
interface KeptRelease {
  readonly owner: string;
  readonly released: ReleasedRequest;
}

/**
 * What this process knows of the requests of an account in one database and could not write yet. The outbox of the account keeps it
 * beyond queues and handles of the store, so that a deploy while the store is away forgets nothing.
 */
export class PendingWrites {
  readonly outcomes = new Map<number, KeptOutcome>();
  readonly releases = new Map<number, KeptRelease>();
  /** Requests whose results have left, and which are not marked so. */
  readonly marks: number[] = [];
  /** The same, until the disk has them. */
  readonly left = new LeftResults();

  constructor(private readonly account: string) {}

  /** Whether everything is on the disk. */
  get isEmpty(): boolean {
    const { outcomes, releases, marks, left } = this;
    return outcomes.size === 0 && releases.size === 0 && marks.length === 0 && left.size === 0;
  }

  /** Writes outcomes. @param onWritten told of the outcomes of each page that is on the disk @throws StoreError */
  async writeOutcomes(
    settlements: Settlements,
    onWritten: (written: readonly KeptOutcome[]) => void = () => {},
  ): Promise<void> {
    for (let page = pageOf(this.outcomes); page.length > 0; page = pageOf(this.outcomes)) {
      const owner = page[0]?.owner ?? "";
      await settlements.settle(
        owner,
        page.map(({ settled, emitted }) => ({ ...settled, emitted })),
      );
      for (const kept of page) {
        const { id } = kept.settled;
        if (this.outcomes.get(id) === kept) {
          this.outcomes.delete(id);
        }
        if (kept.emitted) {
          // It may have left during the operation, or an earlier one may have written it in spite of its error.
          this.marks.push(id);
        }
      }
      onWritten(page);
    }
  }

  /** The file is gone: in another one the same ids are of other requests. */
  forgetLeft(): void {
    this.marks.length = 0;
    this.left.clear();
  }

  /**
   * Puts requests back. No claim of the account may be under way in this process.
   * @param onWritten told of each request that is queued again
   * @throws StoreError
   */
  async writeReleases(claims: RequestClaims, onWritten: (id: number) => void = () => {}): Promise<void> {
    for (let page = pageOf(this.releases); page.length > 0; page = pageOf(this.releases)) {
      await claims.release(
        this.account,
        page[0]?.owner ?? "",
        page.map(({ released }) => released),
      );
      for (const { released } of page) {
        this.releases.delete(released.id);
        onWritten(released.id);
      }
    }
  }
}
