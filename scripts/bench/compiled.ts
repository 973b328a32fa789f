import { join } from "node:path";
import { buildSync } from "esbuild";
import { ROOT } from "../../test/support/node-red/packed-package";

/**
 * Compiles a script of `processes/` for a process of its own. Such a process must not translate TypeScript itself:
 * what does that also rewrites the packages that are loaded, and their code would be measured in another form.
 * @returns path of the JavaScript
 */
export function compiled(script: string): string {
  const outfile = join(ROOT, ".cache", "bench", script.replace(/\.ts$/, ".cjs"));
  buildSync({
    entryPoints: [join(__dirname, "processes", script)],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    packages: "external",
    logLevel: "error",
  });
  return outfile;
}
