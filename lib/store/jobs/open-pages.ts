import type { Engine } from "../engine/engine";
import { type Statement, statement } from "../schema/statement";

/** Requests of one page. A message that has more of them is a page of its own. */
const PAGE = 1_000;

/** ?1 id of the last message of the page before, ?2 how many requests are read. */
const page = (name: string, which: string): Statement =>
  statement(name)`
    SELECT DISTINCT p.job FROM (
      SELECT o.job FROM outbox o WHERE ${which} o.job > ?1 ORDER BY o.job LIMIT ?2) p ORDER BY p.job`;

const OPEN = page("pages_open", "");
const ORPHANED = page("pages_orphaned", "o.account = ?3 AND o.state = 'orphaned' AND");

async function inPages(
  engine: Engine,
  statement: Statement,
  values: readonly string[],
  work: (jobs: string) => Promise<void>,
  most = PAGE,
): Promise<void> {
  for (let after = 0; ; ) {
    const [rows = []] = await engine.run([{ statement, values: [after, most, ...values] }]);
    if (rows.length === 0) {
      return;
    }
    after = Number(rows.at(-1)?.job);
    await work(JSON.stringify(rows.map(({ job }) => Number(job))));
  }
}

/**
 * Goes through the messages of all accounts of which not everything is emitted, in the order in which they came. A long queue is read in
 * pages, between which everything else goes on.
 * @param work gets ids of jobs as a JSON array
 * @param most requests of a page
 * @throws StoreError
 */
export const openPages = (
  engine: Engine,
  work: (jobs: string) => Promise<void>,
  most?: number,
): Promise<void> => inPages(engine, OPEN, [], work, most);

/** The same for messages of an account that are orphaned. @throws StoreError */
export const orphanedPages = (
  engine: Engine,
  account: string,
  work: (jobs: string) => Promise<void>,
): Promise<void> => inPages(engine, ORPHANED, [account], work);
