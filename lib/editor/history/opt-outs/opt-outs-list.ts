import type { OptOutRow } from "../../../shared/opt-outs";
import { button, el } from "../../activity/dom";
import { texts } from "../../activity/formatting";
import { joined, quiet, titled } from "../../activity/parts";
import { longTime, shortTime } from "../wording";

/** Numbers that have opted out, in their order. @param remove null for a user who must not take numbers off */
export function optOutsList(remove: ((row: OptOutRow) => void) | null, readMore: () => void) {
  const rows = el("ul", "messaging-opt-outs-rows");
  const more = button({ text: texts("optOuts.more") }, readMore);
  const list = {
    element: el("div", "", rows, el("div", "messaging-view-more", more)),
    clear(): void {
      rows.replaceChildren();
      list.add([], false);
    },
    /** Adds a page. @param goesOn whether there is another one */
    add(page: readonly OptOutRow[], goesOn: boolean): void {
      rows.append(...page.map((row) => rowOf(row, remove)));
      rows.hidden = rows.childElementCount === 0;
      more.hidden = !goesOn;
    },
  };
  list.clear();
  return list;
}

function rowOf(row: OptOutRow, remove: ((row: OptOutRow) => void) | null): HTMLElement {
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
