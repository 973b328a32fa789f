import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePages } from "./docs/pages";

/** Writes the pages of `docs/` that come from help and tables, and says which of them changed. */

const ROOT = join(__dirname, "..");

async function main(): Promise<void> {
  for (const { path, text } of await makePages(ROOT)) {
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
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
