import { join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { ROOT } from "../../test/support/node-red/packed-package";

/** One file for Node.js, with the packages of others left where they are. */
export const COMPILED = {
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  packages: "external",
  logLevel: "error",
} satisfies BuildOptions;

/**
 * Compiles a script of `processes/` for a process of its own. Such a process must not translate TypeScript itself:
 * what does that also rewrites the packages that are loaded, and their code would be measured in another form.
 * @returns path of the JavaScript
 */
export function compiled(script: string): string {
  const outfile = join(ROOT, ".cache", "bench", script.replace(/\.ts$/, ".cjs"));
  buildSync({ ...COMPILED, entryPoints: [join(__dirname, "processes", script)], outfile });
  return outfile;
}
