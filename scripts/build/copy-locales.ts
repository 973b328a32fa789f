import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CATEGORY } from "../../lib/editor/dialog/palette";
import { expandIncludes } from "./expand-includes";

/** The catalogue that has the name of the palette's category, for all nodes. */
const SHARED = "messaging-account.json";

interface Catalogue {
  readonly editor?: { readonly category?: string };
}

const readCatalogue = async (path: string): Promise<Catalogue> =>
  JSON.parse(await readFile(path, "utf8")) as Catalogue;

/**
 * Copies the texts of a folder of nodes or plugins to `dist/`, the help with the passages that it shares with others. Node-RED takes the
 * name of a category from the catalogue of the node that it happens to load first, so every catalogue gets it.
 * @param folder as in `nodes/sms-send`
 */
export async function copyLocales(root: string, folder: string): Promise<void> {
  const target = join(root, "dist", folder, "locales");
  await cp(join(root, folder, "locales"), target, { recursive: true });
  const files = await readdir(target, { recursive: true });
  await Promise.all([
    ...files
      .filter((file) => file.endsWith(".html"))
      .map(async (file) => {
        const text = await readFile(join(target, file), "utf8");
        await writeFile(join(target, file), await expandIncludes(root, text));
      }),
    ...files
      .filter((file) => folder.startsWith("nodes") && file.endsWith(".json"))
      .map(async (file) => {
        const shared = join(root, "nodes", "config", "locales", dirname(file), SHARED);
        const category = (await readCatalogue(shared)).editor?.category;
        const own = await readCatalogue(join(target, file));
        const texts = { ...own, palette: { label: { [CATEGORY]: category } } };
        await writeFile(join(target, file), JSON.stringify(texts));
      }),
  ]);
}
