import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** The files below a folder that hold a text as it is, as paths from there; symbolic links are not followed. */
export async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(relative(folder, path));
  }
  return found.sort();
}
