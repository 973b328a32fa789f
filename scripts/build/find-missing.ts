import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Says which built files are missing, or lack a text that they need.
 * @param demands paths under `folder`, each with a text that has to be in the file
 */
export async function findMissing(
  root: string,
  folder: string,
  demands: readonly (readonly [file: string, text: string])[],
): Promise<readonly string[]> {
  const faults = demands.map(async ([file, text]) => {
    const content = await readFile(join(root, folder, file), "utf8").catch(() => null);
    if (content === null) {
      return `${join(folder, file)} is missing`;
    }
    return content.includes(text) ? null : `${join(folder, file)} does not contain ${text}`;
  });
  return (await Promise.all(faults)).filter((fault) => fault !== null);
}
