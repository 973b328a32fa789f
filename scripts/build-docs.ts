import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePages } from "./docs/pages";
import { runMain } from "./run-main";

/**
 * Writes the pages of `docs/` that come from help and tables, and the German examples; says which of them changed, and
 * which texts of examples have no translation.
 */

const ROOT = join(__dirname, "..");

async function main(): Promise<number> {
  const pages = await makePages(ROOT);
  for (const { path, text } of pages) {
    const target = join(ROOT, path);
    const present = await readFile(target, "utf8").catch(() => null);
    if (present === text) {
      console.log(`same   ${path}`);
    } else {
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, text);
      console.log(`wrote  ${path}`);
    }
  }
  return 0;
}

runMain(main);
