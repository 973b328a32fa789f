import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import type { RegisteredNode } from "./registered-nodes";

/** Code for Node.js, with the packages of others left where they are. */
const OPTIONS: BuildOptions = {
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20",
  packages: "external",
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
};

/** Those that run beside the runtime, by the paths that it starts them from. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "sqlite-thread": "lib/store/engine/sqlite/sqlite-thread.ts",
  "pattern-thread": "lib/runtime/message-wait/pattern-thread.ts",
  "simulator/cli": "simulator/cli.ts",
};

/**
 * Writes the code of all nodes into `dist/runtime.js`, with a file for each node that takes its part of it: one file takes Node-RED a
 * fraction of the time that hundreds take. What is imported late stays asleep in it. Types are not checked.
 */
export async function bundleRuntime(root: string, nodes: readonly RegisteredNode[]): Promise<void> {
  const exports = nodes.map(
    ({ type, folder, stem }) => `export { default as "${type}" } from "./nodes/${folder}/${stem}";`,
  );
  await Promise.all([
    build({
      ...OPTIONS,
      stdin: { contents: exports.join("\n"), resolveDir: root },
      outfile: join(root, "dist", "runtime.js"),
    }),
    build({ ...OPTIONS, entryPoints: { ...PROGRAMS }, absWorkingDir: root, outdir: join(root, "dist") }),
    ...nodes.map(({ type, folder, stem }) =>
      write(
        join(root, "dist", "nodes", folder, `${stem}.js`),
        `module.exports = require("../../runtime.js")["${type}"];\n`,
      ),
    ),
  ]);
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
