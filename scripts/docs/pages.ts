import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Language } from "../../lib/texts/catalogues";
import { inLanguage } from "../../lib/texts/say";
import { registeredNodes } from "../build/registered";
import { fillTables } from "./fill-tables";
import { metricTable } from "./metric-table";
import { nodePage } from "./node-page";
import { outcomeTables } from "./outcome-tables";
import { ROOM_TABLE } from "./room-table";
import { serviceTables } from "./service-tables";
import { ENGLISH } from "./table-words/en-US";
import type { TableWords } from "./table-words/table-words";

/** A page or an example that is made, wholly or in part, from what the package itself says. */
export interface Page {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
}

type Tables = Readonly<Record<string, () => string>>;

/** A page written by hand whose tables are made. */
interface TablePage {
  readonly path: string;
  readonly language: Language;
  readonly tables: Tables;
}

/** The guides with tables, of which each language has its own. */
const guidesIn = (folder: string, words: TableWords): readonly TablePage[] => [
  { path: `${folder}/outcomes.md`, language: words.language, tables: outcomeTables(words) },
  { path: `${folder}/report-and-metrics.md`, language: words.language, tables: metricTable(words) },
  { path: `${folder}/service.md`, language: words.language, tables: serviceTables(words) },
];

const PAGES_WITH_TABLES: readonly TablePage[] = [
  { path: "CONTRIBUTING.md", language: "en-US", tables: ROOM_TABLE },
  ...guidesIn("docs", ENGLISH),
];

async function withTables(root: string, { path, language, tables }: TablePage): Promise<Page> {
  const page = await readFile(join(root, path), "utf8");
  return { path, text: inLanguage(language, () => fillTables(page, tables)) };
}

/** Makes every such page anew. */
export async function makePages(root: string): Promise<readonly Page[]> {
  const nodes = await registeredNodes(root);
  return [
    ...(await Promise.all(PAGES_WITH_TABLES.map((page) => withTables(root, page)))),
    ...(await Promise.all(
      nodes.map(async (node) => ({ path: `docs/nodes/${node.type}.md`, text: await nodePage(root, node) })),
    )),
  ];
}
