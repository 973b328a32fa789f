import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { COMPILED } from "./compiled";

/** What keeps messages, by the paths in `lib` that it has or had. */
const EXPORTS: Readonly<Record<string, readonly string[]>> = {
  Store: ["store/store"],
  shareSqlite: ["store/engine/sqlite/shared-sqlite"],
  sharePostgresql: ["store/engine/postgresql/shared-postgresql"],
  judge: ["gateway/codec/verdict"],
  OPERATIONS: ["gateway/contract/operations"],
  answerOf: ["gateway/queue/stored-content"],
  newJobKey: ["store/jobs/job-key", "runtime/send/jobs/job-key", "runtime/send/job-key"],
  newUuid: ["runtime/send/new-uuid"],
};

/**
 * Bundles what keeps messages from the sources of a state, beside the dependencies that it is installed with: the build gives
 * Node-RED one file, which exports nodes only.
 * @param packages where the state is installed
 * @returns path of the JavaScript
 */
export function bundleLedger(root: string, packages: string): string {
  const pathOf = (paths: readonly string[]): string =>
    paths.find((path) => existsSync(join(root, "lib", `${path}.ts`))) ?? (paths[0] as string);
  const contents = Object.entries(EXPORTS).map(
    ([name, paths]) => `export { ${name} } from "./lib/${pathOf(paths)}";`,
  );
  const outfile = join(packages, "ledger.js");
  buildSync({ ...COMPILED, stdin: { contents: contents.join("\n"), resolveDir: root }, outfile });
  buildSync({
    ...COMPILED,
    absWorkingDir: root,
    entryPoints: [join("lib", "store", "engine", "sqlite", "sqlite-thread.ts")],
    outfile: join(packages, "sqlite-thread.js"),
  });
  return outfile;
}
