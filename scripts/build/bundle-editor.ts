import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expandFields } from "./expand-fields";
import { expandIncludes } from "./expand-includes";
import type { RegisteredNode } from "./registered-nodes";
import type { RegisteredPlugin } from "./registered-plugins";

/** Writes `dist/nodes/<folder>/<stem>.html`: the form rows and, inline, the bundled editor code. */
export async function bundleEditor(root: string, { folder, stem }: RegisteredNode): Promise<void> {
  const path = join("nodes", folder, stem);
  const form = await expandIncludes(root, await readFile(join(root, `${path}.html`), "utf8"));
  const rows = await expandFields(root, form);
  await writeBundle(root, path, `${rows.trimEnd()}\n\n`);
}

/** Writes `dist/plugins/<name>/<name>.html`: nothing but editor code, inline. */
export function bundlePlugin(root: string, { name }: RegisteredPlugin): Promise<void> {
  return writeBundle(root, join("plugins", name, name), "");
}

/**
 * Puts the bundle of `<path>.editor.ts` after `html` into `dist/<path>.html`. Inline, because the editor does not
 * wait for scripts of its own that an HTML file refers to.
 */
async function writeBundle(root: string, path: string, html: string): Promise<void> {
  const bundle = await build({
    entryPoints: [join(root, `${path}.editor.ts`)],
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
  });
  const code = bundle.outputFiles[0]?.text ?? "";
  const target = join(root, "dist", `${path}.html`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${html}<script type="text/javascript">\n${escapeForScript(code)}</script>\n`);
}

/** Inside a string or a comment, where alone it can stand, `<\/script` means the same and ends no element. */
function escapeForScript(code: string): string {
  return code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}
