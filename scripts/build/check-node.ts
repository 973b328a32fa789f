import { join } from "node:path";
import { findMissing } from "./find-missing";
import type { RegisteredNode } from "./registered-nodes";

/** What the built files of a node must contain, by path under `dist/nodes/<folder>`. */
function demands({ type, stem }: RegisteredNode): readonly (readonly [file: string, text: string])[] {
  return [
    [`${stem}.js`, `registerNode)(RED, "${type}"`],
    [`${stem}.html`, `data-template-name="${type}"`],
    // Node-RED's own scorecard looks for the name as a literal, too.
    [`${stem}.html`, `registerType("${type}"`],
    [`locales/en-US/${stem}.html`, `data-help-name="${type}"`],
    [`locales/en-US/${stem}.json`, `"${stem}":`],
  ];
}

/** Everything that is missing or wrong among a node's built files; empty when Node-RED can load it. */
export function checkNode(root: string, node: RegisteredNode): Promise<readonly string[]> {
  return findMissing(root, join("dist", "nodes", node.folder), demands(node));
}
