import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePages } from "./docs/pages";
import { germanExamples } from "./examples/german-examples";

/**
 * Writes the pages of `docs/` that come from help and tables, and the German examples; says which of them changed, and
 * which texts of examples have no translation.
 */

const ROOT = join(__dirname, "..");

async function main(): Promise<void> {
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
  for (const file of await readdir(join(ROOT, "examples/de"))) {
    if (!pages.some(({ path }) => path === `examples/de/${file}`)) {
      await rm(join(ROOT, "examples/de", file));
      console.log(`gone   examples/de/${file}`);
    }
  }
  for (const problem of (await germanExamples(ROOT)).problems) {
    console.log(`mend   ${problem}`);
    process.exitCode = 1;
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
