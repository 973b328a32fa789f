import type { OptOutRow } from "../../../shared/opt-outs";
import { button, el } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { joined, quiet, titled } from "../../activity/parts";
import { longTime, shortTime } from "../wording";

type Remove = ((row: OptOutRow) => void) | null;

/** Numbers that have opted out, in their order. @param remove null for a user who must not take numbers off */
export function optOutsList(remove: Remove, readMore: () => void) {
  const rows = el("ul", "messaging-opt-outs-rows");
  const more = button({ text: texts("optOuts.more") }, readMore);
  const list = {
    element: el("div", "", rows, el("div", "messaging-view-more", more)),
    clear(): void {
      rows.replaceChildren();
      list.add([], false);
    },
    /** @param isMore whether there is another page */
    add(page: readonly OptOutRow[], isMore: boolean): void {
      rows.append(...page.map((row) => rowOf(row, remove)));
      rows.hidden = rows.childElementCount === 0;
      more.hidden = !isMore;
    },
  };
  list.clear();
  return list;
}

function rowOf(row: OptOutRow, remove: Remove): HTMLElement {
  const { number, scope, since, source } = row;
  const off = button({ icon: "times", tip: texts("optOuts.remove.tip", { number }) }, () => remove?.(row));
  off.classList.add("messaging-view-button");
  if (remove === null) {
    off.disabled = true;
    off.title = texts("optOuts.writeDenied");
  }
  return el(
    "li",
    "messaging-opt-outs-entry",
    el(
      "div",
      "messaging-opt-outs-facts",
      el("div", "messaging-opt-outs-number", number),
      quiet(
        joined(texts(`optOuts.scope.${scope}`), texts(`optOuts.source.${source}`)),
        " · ",
        titled("", shortTime(since), longTime(since)),
      ),
    ),
    off,
  );
}
