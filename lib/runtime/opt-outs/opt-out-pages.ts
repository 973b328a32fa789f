import type { OptOutPage, OptOutRow } from "../../shared/opt-outs";
import type { OptOut, OptOuts } from "../../store/guards/opt-outs";
import { instantOf } from "../store/history/message-record";

export const optOutRow = ({ number, scope, at, source }: OptOut): OptOutRow => ({
  number: `+${number}`,
  scope,
  since: instantOf(at),
  source,
});

/**
 * Reads a page in the order of the numbers.
 * @param after last number of the previous page; blank for the first page
 * @throws StoreError
 */
export async function readPage(list: OptOuts, after: string, size: number): Promise<OptOutPage> {
  // One more shows if there is a next page.
  const found = await list.page(after, size + 1);
  const entries = found.slice(0, size);
  return { entries: entries.map(optOutRow), next: found.length > size ? (entries.at(-1)?.number ?? "") : "" };
}

/**
 * Reads the list page by page; an empty list gives an empty page. Concurrent additions may be missing.
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
