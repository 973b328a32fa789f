import { button, el } from "../activity/dom";
import { texts } from "../activity/formatting";

/** Rows that are shown at once. */
const SLICE = 50;

/** A table whose first column names its rows. Long ones are shown in slices. @param name what a screen reader calls it */
export function tableOf(
  name: string,
  titles: readonly string[],
  rows: readonly (readonly [string, ...string[]])[],
): HTMLElement {
  const body = el("tbody");
  const head = el("thead", "", el("tr", "", ...titles.map((title) => cell("th", title, "col"))));
  const table = el("table", "messaging-report-table", head, body);
  table.setAttribute("aria-label", name);
  const more = button({ text: texts("report.more") }, () => show());
  const rest = el("div", "messaging-view-more", more);
  const show = (): void => {
    const begin = body.children.length;
    const slice = rows.slice(begin, begin + SLICE);
    body.append(
      ...slice.map(([first, ...others]) =>
        el("tr", "", cell("th", first, "row"), ...others.map((each) => cell("td", each))),
      ),
    );
    rest.hidden = body.children.length >= rows.length;
  };
  show();
  return el("div", "", table, rest);
}

function cell(tag: "th" | "td", content: string, scope?: "col" | "row"): HTMLElement {
  const element = el(tag, "", content);
  if (scope !== undefined) {
    element.setAttribute("scope", scope);
  }
  return element;
}
