import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../node-red/packed-package";

const AXE = join(ROOT, "node_modules", "axe-core", "axe.min.js");
/** Traps against password managers, which the editor puts into every dialog, and hides. */
const NOT_OURS = [["[id^='red-ui-trap']"]];

/** What axe found wrong. */
interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Parts of the editor that are taken out of the page meanwhile: axe reads every element of it, whatever it is asked about. */
const ASIDE = "#red-ui-palette, #red-ui-workspace, #red-ui-sidebar";

/** Runs in the page. */
const RUN = `(async (where) => {
  const asked = document.querySelector(where);
  const putBack = [...document.querySelectorAll(${JSON.stringify(ASIDE)})].filter((part) => !part.contains(asked)).map((part) => {
    const place = document.createComment("");
    part.replaceWith(place);
    return () => place.replaceWith(part);
  });
  try {
    return (await axe.run({ include: [[where]], exclude: ${JSON.stringify(NOT_OURS)} }, { resultTypes: ["violations"], preload: false })).violations;
  } finally {
    for (const each of putBack) each();
  }
})`;

/** What keeps people who use a screen reader or the keyboard from using an element of the page, in a line each. @param where a selector */
export async function seriousFaults(page: Page, where: string): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate<readonly Violation[]>(`${RUN}(${JSON.stringify(where)})`);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}
