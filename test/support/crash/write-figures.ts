import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../node-red/packed-package";

const MARKED = /<!-- figures -->[\s\S]*<!-- end of figures -->/;

/**
 * Puts what a full run came to into its page, between its two marks; the words around them are written by hand.
 * @param page name of a file in `docs/`
 */
export function writeFigures(page: string, figures: string): void {
  const file = join(ROOT, "docs", page);
  const text = ["<!-- figures -->", "", figures, "", "<!-- end of figures -->"].join("\n");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(MARKED, () => text),
  );
}
