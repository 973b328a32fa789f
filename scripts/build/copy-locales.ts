import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expandIncludes } from "./expand-includes";

/**
 * Copies the texts of a folder of nodes or plugins to `dist/`, the help with the passages that it shares with others.
 * @param folder as in `nodes/sms-send`
 */
export async function copyLocales(root: string, folder: string): Promise<void> {
  const target = join(root, "dist", folder, "locales");
  await cp(join(root, folder, "locales"), target, { recursive: true });
  const files = await readdir(target, { recursive: true });
  await Promise.all(
    files
      .filter((file) => file.endsWith(".html"))
      .map(async (file) => {
        const text = await readFile(join(target, file), "utf8");
        await writeFile(join(target, file), await expandIncludes(root, text));
      }),
  );
}
