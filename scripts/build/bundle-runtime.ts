import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { dependencies, optionalDependencies } from "../../package.json";
import type { RegisteredNode } from "./registered";

/** Code for Node.js, without the packages that users install. In ASCII: V8 keeps other texts in two bytes a character. */
const OPTIONS = {
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20",
  external: Object.keys({ ...dependencies, ...optionalDependencies }),
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
  logLevel: "silent",
} as const satisfies BuildOptions;

/** Those that run beside the runtime, by the paths that it starts them from. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "sqlite-thread": "lib/store/engine/sqlite/sqlite-thread.ts",
  "simulator/cli": "simulator/cli.ts",
};

/**
 * Writes a small file for each node, and the code that they load late into one file, `dist/runtime.js`: one takes Node-RED a fraction of
 * the time that hundreds take, and none of it is read where no node is in use. What the runtime itself imports late stays asleep in
 * it. Types are not checked.
 */
export async function bundleRuntime(
  root: string,
  nodes: readonly RegisteredNode[],
): Promise<readonly Metafile[]> {
  const dist = join(root, "dist");
  const late = new Set<string>();
  const programs = build({ ...OPTIONS, entryPoints: { ...PROGRAMS }, absWorkingDir: root, outdir: dist });
  await build({
    ...OPTIONS,
    entryPoints: nodes.map(({ folder, stem }) => join("nodes", folder, `${stem}.ts`)),
    absWorkingDir: root,
    outbase: root,
    outdir: dist,
    // By `require`: Node.js does not see what a file exports that only passes on a part of another.
    supported: { "dynamic-import": false },
    plugins: [leaveOut(root, late)],
  });
  const parts = [...late].map((path) => `get "${path}"() { return require("./${path}"); }`);
  const runtime = await build({
    ...OPTIONS,
    absWorkingDir: root,
    stdin: { contents: `module.exports = { ${parts.join(", ")} };`, resolveDir: root },
    outfile: join(dist, "runtime.js"),
  });
  for (const path of late) {
    const file = join(dist, `${path}.js`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      `module.exports = require("./${relative(dirname(file), join(dist, "runtime.js"))}")["${path}"];\n`,
    );
  }
  return [runtime.metafile, (await programs).metafile];
}

/** Leaves out what is loaded late, and notes it. A node finds it by its path in `dist/`. */
const leaveOut = (root: string, late: Set<string>): Plugin => ({
  name: "leave-out",
  setup(bundling) {
    bundling.onResolve({ filter: /^\.\.?\// }, ({ kind, path, resolveDir }) => {
      if (kind !== "require-call" && kind !== "dynamic-import") return undefined;
      const source = relative(root, join(resolveDir, path)).replace(/\.js$/, "");
      late.add(source);
      return { path: `../../${source}`, external: true };
    });
  },
});
