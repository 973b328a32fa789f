import { readFile } from "node:fs/promises";
import { join } from "node:path";

const INCLUDE = /^([ \t]*)<!-- @include (\S+) -->$/gm;

/**
 * Replaces each line `<!-- @include <path from the top of the repository> -->` by that file, indented like the
 * line: form rows and passages of help that several nodes have in common.
 * @throws Error for a file that is not there, and for an include that is written another way
 */
export async function expandIncludes(root: string, html: string): Promise<string> {
  const paths = new Set([...html.matchAll(INCLUDE)].map(([, , path]) => path ?? ""));
  const parts = new Map<string, string>();
  for (const path of paths) {
    parts.set(path, (await readFile(join(root, path), "utf8")).trimEnd());
  }
  const expanded = html.replace(INCLUDE, (_line, indent: string, path: string) =>
    (parts.get(path) ?? "").replace(/^(?=.)/gm, indent),
  );
  const malformed = /^.*@include.*$/m.exec(expanded)?.[0];
  if (malformed !== undefined) {
    throw new Error(`not of the form <!-- @include path -->: ${malformed.trim()}`);
  }
  return expanded;
}
