import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** One entry of `"node-red".nodes`, and what its path says: folder and file stem. */
export interface RegisteredNode {
  readonly type: string;
  readonly folder: string;
  readonly stem: string;
}

/** One entry of `"node-red".plugins`: its folder, its files and the plugin itself share one name. */
export interface RegisteredPlugin {
  readonly name: string;
}

const NODE_FILE = /^dist\/nodes\/([a-z0-9-]+)\/([a-z0-9-]+)\.js$/;

/** A list of the package, the only one of its kind: files by what they register. */
async function listOf(root: string, kind: "nodes" | "plugins"): Promise<(readonly [string, string])[]> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return Object.entries<string>(manifest["node-red"]?.[kind] ?? {});
}

/** @throws Error where the list of nodes is missing, empty, or holds a path of another form */
export async function registeredNodes(root: string): Promise<readonly RegisteredNode[]> {
  const found = (await listOf(root, "nodes")).map(([type, file]) => {
    const [, folder, stem] = NODE_FILE.exec(file) ?? [];
    if (folder === undefined || stem === undefined) {
      throw new Error(`package.json: "${type}" is at ${file}, expected dist/nodes/<folder>/<stem>.js`);
    }
    return { type, folder, stem };
  });
  if (found.length === 0) {
    throw new Error('package.json: "node-red".nodes lists no node');
  }
  return found;
}

/** The list of plugins may be missing. @throws Error where it holds a path of another form */
export async function registeredPlugins(root: string): Promise<readonly RegisteredPlugin[]> {
  return (await listOf(root, "plugins")).map(([name, file]) => {
    const expected = `dist/plugins/${name}/${name}.html`;
    if (file !== expected || !/^[a-z0-9-]+$/.test(name)) {
      throw new Error(`package.json: the plugin "${name}" is at ${file}, expected ${expected}`);
    }
    return { name };
  });
}
