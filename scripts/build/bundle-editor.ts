import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { expandFields } from "./expand-fields";
import { expandIncludes } from "./expand-includes";
import type { RegisteredNode, RegisteredPlugin } from "./registered";

const optionsFor = (root: string) =>
  ({
    tsconfig: join(root, "tsconfig.editor.json"),
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2020",
    charset: "utf8",
    minifyWhitespace: true,
    loader: { ".css": "text" },
    legalComments: "none",
    logLevel: "silent",
  }) as const satisfies BuildOptions;

/** Global of the page: a list of what waits for the shared code, or the shared code itself once it is there. */
const GLOBAL = "globalThis.messagingEditors";
/** The node whose file has the code that they all share. */
const SHARING = "messaging-account";

/**
 * Writes the editor's files of all nodes and plugins, `dist/<path>.html`: the form rows, and their code inline, because the editor does not wait
 * for scripts of their own that a file refers to. What they share is in the file of the config node alone. The editor may get the
 * files in any order: those that come before it wait.
 */
export async function bundleEditors(
  root: string,
  nodes: readonly RegisteredNode[],
  plugins: readonly RegisteredPlugin[],
): Promise<void> {
  const shared = new Set<string>();
  const paths = [
    ...nodes.map(({ folder, stem }) => join("nodes", folder, stem)),
    ...plugins.map(({ name }) => join("plugins", name, name)),
  ];
  const codes = await Promise.all(
    paths.map(async (path) => {
      const { outputFiles } = await build({
        ...optionsFor(root),
        entryPoints: [join(root, `${path}.editor.ts`)],
        plugins: [leaveOut(root, shared)],
      });
      return waiting(outputFiles[0]?.text ?? "");
    }),
  );
  const code = await sharedCode(root, [...shared]);
  await Promise.all(
    paths.map(async (path, at) => {
      const rows = path.startsWith("nodes") ? await formRows(root, path) : "";
      const own = codes[at] ?? "";
      const target = join(root, "dist", `${path}.html`);
      await mkdir(dirname(target), { recursive: true });
      const script = escapeForScript(path.endsWith(SHARING) ? code + own : own);
      await writeFile(target, `${rows}<script type="text/javascript">\n${script}</script>\n`);
    }),
  );
}

/** Code that runs when the shared code is there. */
const waiting = (code: string): string => `(${GLOBAL} ??= []).push((shared) => {\n${code}});\n`;

async function formRows(root: string, path: string): Promise<string> {
  const form = await expandIncludes(root, await readFile(join(root, `${path}.html`), "utf8"));
  return `${(await expandFields(root, form)).trimEnd()}\n\n`;
}

/** Hands the modules, each made when it is first asked for, to those who wait, and to those who come. */
async function sharedCode(root: string, modules: readonly string[]): Promise<string> {
  const parts = modules.map((path) => `get "${path}"() { return require("./${path}"); }`);
  const { outputFiles } = await build({
    ...optionsFor(root),
    stdin: {
      contents: `
        const shared = { ${parts.join(", ")} };
        const begin = (own) => { try { own(shared); } catch (error) { console.error(error); } };
        const waiting = ${GLOBAL} ?? [];
        ${GLOBAL} = { push: begin };
        waiting.forEach(begin);`,
      resolveDir: root,
    },
  });
  return outputFiles[0]?.text ?? "";
}

/** Bundles the views of the sidebar, which the editor loads late: `resources/` is the folder that Node-RED serves. */
export async function bundleSidebar(root: string): Promise<Metafile> {
  const { metafile } = await build({
    ...optionsFor(root),
    write: true,
    format: "esm",
    minify: true,
    entryPoints: [join(root, "plugins", "messaging-sidebar", "mount.tsx")],
    outfile: join(root, "resources", "sidebar.js"),
    metafile: true,
  });
  return metafile;
}

/** Takes what comes from lib/ out of the shared code, and notes it. */
const leaveOut = (root: string, shared: Set<string>): Plugin => ({
  name: "leave-out",
  setup(bundling) {
    bundling.onResolve({ filter: /^[.]/ }, ({ path, resolveDir, kind }) => {
      const module = relative(root, join(resolveDir, path));
      if (kind === "entry-point" || !/^lib[/\\]/.test(module)) {
        return undefined;
      }
      shared.add(module);
      return { path: module, namespace: "shared" };
    });
    bundling.onLoad({ filter: /.*/, namespace: "shared" }, ({ path }) => ({
      contents: `module.exports = shared["${path}"];`,
    }));
  },
});

/** Inside a string or a comment, where alone it can stand, `<\/script` means the same and ends no element. */
function escapeForScript(code: string): string {
  return code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}
