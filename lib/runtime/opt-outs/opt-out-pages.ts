import type { OptOut, OptOutList } from "../../store/guards/opt-outs";

/** A page of the list. */
export interface ListPage {
  readonly entries: readonly OptOut[];
  readonly isLast: boolean;
}

/**
 * The whole list page by page, in the order of the numbers; one page without entries where it is empty. Everything else goes on between
 * two pages. What is added meanwhile may be left out.
 * @param size entries of a page, at least 1
 * @throws StoreError
 */
export async function* readOptOuts(
  list: OptOutList,
  size: number,
): AsyncGenerator<ListPage, void, undefined> {
  let after = "";
  for (;;) {
    // One more tells whether there is a next page.
    const found = await list.page(after, size + 1);
    const isLast = found.length <= size;
    const entries = isLast ? found : found.slice(0, size);
    yield { entries, isLast };
    if (isLast) {
      return;
    }
    after = entries.at(-1)?.number ?? "";
    await new Promise((resolve) => setImmediate(resolve));
  }
}
