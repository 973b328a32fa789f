import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** One entry of `"node-red".nodes`, and what its path says: folder and file stem. */
export interface RegisteredNode {
  readonly type: string;
  readonly folder: string;
  readonly stem: string;
}

const NODE_FILE = /^dist\/nodes\/([a-z0-9-]+)\/([a-z0-9-]+)\.js$/;

/**
 * Reads the package's list of nodes, the only one there is.
 * @throws Error when it is missing, empty, or holds a path of another form
 */
export async function registeredNodes(root: string): Promise<readonly RegisteredNode[]> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const nodes: Record<string, string> = manifest["node-red"]?.nodes ?? {};
  const found = Object.entries(nodes).map(([type, file]) => {
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
