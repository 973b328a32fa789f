import { createRequire } from "node:module";
import { join } from "node:path";
import { findMissing } from "./find-missing";
import type { RegisteredNode } from "./registered-nodes";

const load: NodeJS.Require = createRequire(__filename);

/** What the built texts of a node must contain, by path under `dist/nodes/<folder>`. */
function demands({ type, stem }: RegisteredNode): readonly (readonly [file: string, text: string])[] {
  return [
    [`${stem}.html`, `data-template-name="${type}"`],
    // Node-RED's own scorecard looks for the name as a literal, too.
    [`${stem}.html`, `registerType("${type}"`],
    [`locales/en-US/${stem}.html`, `data-help-name="${type}"`],
    [`locales/en-US/${stem}.json`, `"${stem}":`],
  ];
}

/** Everything that is missing or wrong among a node's built files; empty when Node-RED can load it. */
export async function checkNode(root: string, node: RegisteredNode): Promise<readonly string[]> {
  const folder = join("dist", "nodes", node.folder);
  const missing = await findMissing(root, folder, demands(node));
  const code = join(folder, `${node.stem}.js`);
  const { default: register } = load(join(root, code)) as { readonly default?: unknown };
  return typeof register === "function" ? missing : [...missing, `${code} gives Node-RED no function`];
}
