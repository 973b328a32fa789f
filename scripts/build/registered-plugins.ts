import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** One entry of `"node-red".plugins`: its folder, its files and the plugin itself share one name. */
export interface RegisteredPlugin {
  readonly name: string;
}

/**
 * Reads the package's list of editor plugins, the only one there is; it may be missing.
 * @throws Error when it holds a path of another form
 */
export async function registeredPlugins(root: string): Promise<readonly RegisteredPlugin[]> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const plugins: Record<string, string> = manifest["node-red"]?.plugins ?? {};
  return Object.entries(plugins).map(([name, file]) => {
    const expected = `dist/plugins/${name}/${name}.html`;
    if (file !== expected || !/^[a-z0-9-]+$/.test(name)) {
      throw new Error(`package.json: the plugin "${name}" is at ${file}, expected ${expected}`);
    }
    return { name };
  });
}
