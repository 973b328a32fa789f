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

/** What keeps people who use a screen reader or the keyboard from using an element of the page, in a line each. @param where a selector */
export async function seriousFaults(page: Page, where: string): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.addScriptTag({ path: AXE });
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run({ include: [[${JSON.stringify(where)}]], exclude: ${JSON.stringify(NOT_OURS)} },
      { resultTypes: ["violations"], preload: false }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" ")}`);
}
