import { findMissing } from "./find-missing";
import type { RegisteredPlugin } from "./registered-plugins";

/** Everything that is missing or wrong among a plugin's built files; empty when Node-RED can load it. */
export function checkPlugin(root: string, { name }: RegisteredPlugin): Promise<readonly string[]> {
  return findMissing(root, `dist/plugins/${name}`, [
    [`${name}.html`, `registerPlugin("${name}"`],
    [`locales/en-US/${name}.json`, `"${name}":`],
  ]);
}
