import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { registeredNodes } from "../build/registered";
import { germanExamples } from "../examples/german-examples";
import { decisionIndex } from "./decision-index";
import { fillTables } from "./fill-tables";
import { nodePage } from "./node-page";
import { OUTCOME_TABLES } from "./outcome-tables";
import { ROOM_TABLE } from "./room-table";
import { SERVICE_TABLES } from "./service-tables";
import { SUITE_TABLE } from "./suite-table";

/** A page or an example that is made, wholly or in part, from what the package itself says. */
export interface Page {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}

type Tables = Readonly<Record<string, () => string>>;

/** Pages written by hand whose tables are made, with the tables of each. */
const PAGES_WITH_TABLES: Readonly<Record<string, Tables>> = {
  "CONTRIBUTING.md": ROOM_TABLE,
  "docs/outcomes.md": OUTCOME_TABLES,
  "docs/service.md": SERVICE_TABLES,
  "docs/tests.md": SUITE_TABLE,
};

/** Makes every such page anew. */
export async function makePages(root: string): Promise<readonly Page[]> {
  const nodes = await registeredNodes(root);
  return [
    ...(await Promise.all(
      Object.entries(PAGES_WITH_TABLES).map(async ([path, tables]) => ({
        path,
        text: fillTables(await readFile(join(root, path), "utf8"), tables),
      })),
    )),
    ...(await Promise.all(
      nodes.map(async (node) => ({ path: `docs/nodes/${node.type}.md`, text: await nodePage(root, node) })),
    )),
    { path: "docs/decisions/README.md", text: await decisionIndex(root) },
    ...(await germanExamples(root)).examples.map(({ path, text }) => ({ path, text })),
  ];
}
