import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RegisteredNode, RegisteredPlugin } from "./registered";

const load: NodeJS.Require = createRequire(__filename);

/** Texts that built files have to contain, by path under a folder. */
type Demands = readonly (readonly [file: string, text: string])[];

/** Says which files are missing, or lack a text that they need. */
async function findMissing(root: string, folder: string, demands: Demands): Promise<readonly string[]> {
  const faults = demands.map(async ([file, text]) => {
    const content = await readFile(join(root, folder, file), "utf8").catch(() => null);
    if (content === null) {
      return `${join(folder, file)} is missing`;
    }
    return content.includes(text) ? null : `${join(folder, file)} does not contain ${text}`;
  });
  return (await Promise.all(faults)).filter((fault) => fault !== null);
}

/** Everything that is missing or wrong among a node's built files; empty when Node-RED can load it. */
export async function checkNode(
  root: string,
  { type, folder, stem }: RegisteredNode,
): Promise<readonly string[]> {
  const built = join("dist", "nodes", folder);
  const missing = await findMissing(root, built, [
    [`${stem}.html`, `data-template-name="${type}"`],
    // Node-RED's own scorecard looks for the name as a literal, too.
    [`${stem}.html`, `registerType("${type}"`],
    [`locales/en-US/${stem}.html`, `data-help-name="${type}"`],
    [`locales/en-US/${stem}.json`, `"${stem}":`],
  ]);
  const code = join(built, `${stem}.js`);
  const { default: register } = load(join(root, code)) as { readonly default?: unknown };
  return typeof register === "function" ? missing : [...missing, `${code} gives Node-RED no function`];
}

/** The same for an editor plugin. */
export const checkPlugin = (root: string, { name }: RegisteredPlugin): Promise<readonly string[]> =>
  findMissing(root, `dist/plugins/${name}`, [
    [`${name}.html`, `registerPlugin("${name}"`],
    [`locales/en-US/${name}.json`, `"${name}":`],
  ]);
