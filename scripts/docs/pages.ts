import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { registeredNodes } from "../build/registered-nodes";
import { fillPlaces } from "./fill-places";
import { nodePage } from "./node-page";
import { OUTCOME_TABLES } from "./outcome-tables";

/** A page that is made, wholly or in part, from what the package itself says. */
export interface Page {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}

const OUTCOMES_PAGE = "docs/outcomes.md";

/** Makes every such page anew. */
export async function makePages(root: string): Promise<readonly Page[]> {
  const nodes = await registeredNodes(root);
  const outcomes = await readFile(join(root, OUTCOMES_PAGE), "utf8");
  return [
    { path: OUTCOMES_PAGE, text: fillPlaces(outcomes, OUTCOME_TABLES) },
    ...(await Promise.all(
      nodes.map(async (node) => ({ path: `docs/nodes/${node.type}.md`, text: await nodePage(root, node) })),
    )),
  ];
}
