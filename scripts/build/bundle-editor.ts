import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expandIncludes } from "./expand-includes";
import type { RegisteredNode } from "./registered-nodes";

/**
 * Writes `dist/nodes/<folder>/<stem>.html`: the form rows and, inline, the bundled editor code. Inline, because
 * the editor does not wait for scripts of its own that a node's HTML refers to.
 */
export async function bundleEditor(root: string, { folder, stem }: RegisteredNode): Promise<void> {
  const source = join(root, "nodes", folder, stem);
  const [rows, bundle] = await Promise.all([
    readFile(`${source}.html`, "utf8").then((text) => expandIncludes(root, text)),
    build({
      entryPoints: [`${source}.editor.ts`],
      tsconfig: join(root, "tsconfig.editor.json"),
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
      target: "es2020",
      charset: "utf8",
      loader: { ".css": "text" },
      legalComments: "none",
      logLevel: "silent",
    }),
  ]);
  const code = bundle.outputFiles[0]?.text ?? "";
  const html = `${rows.trimEnd()}\n\n<script type="text/javascript">\n${escapeForScript(code)}</script>\n`;
  const target = join(root, "dist", "nodes", folder);
  await mkdir(target, { recursive: true });
  await writeFile(join(target, `${stem}.html`), html);
}

/** Inside a string or a comment, where alone it can stand, `<\/script` means the same and ends no element. */
function escapeForScript(code: string): string {
  return code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}
