import type { OptOutPage, OptOutRow } from "../../shared/opt-outs";
import type { OptOut, OptOuts } from "../../store/guards/opt-outs";
import { instantOf } from "../store/history/message-record";

/** An entry of the list as a flow and the sidebar get it. */
export const optOutRow = ({ number, scope, at, source }: OptOut): OptOutRow => ({
  number: `+${number}`,
  scope,
  since: instantOf(at),
  source,
});

/**
 * A page of the list, in the order of the numbers.
 * @param after number where the page before ended; blank for the first page
 * @param size entries of a page, at least 1
 * @throws StoreError
 */
export async function readPage(list: OptOuts, after: string, size: number): Promise<OptOutPage> {
  // One more tells whether there is a next page.
  const found = await list.page(after, size + 1);
  const entries = found.slice(0, size);
  return { entries: entries.map(optOutRow), next: found.length > size ? (entries.at(-1)?.number ?? "") : "" };
}

/**
 * The whole list page by page; one page without entries where it is empty. Everything else goes on between two pages. What is added
 * meanwhile may be left out.
 * @throws StoreError
 */
export async function* readOptOuts(list: OptOuts, size: number): AsyncGenerator<OptOutPage, void, undefined> {
  for (let after: string | null = ""; after !== null; ) {
    const page: OptOutPage = await readPage(list, after, size);
    yield page;
    after = page.next || null;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
