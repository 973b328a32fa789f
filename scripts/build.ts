import { chmod, cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { bundleEditors, bundleSidebar } from "./build/bundle-editor";
import { bundleRuntime } from "./build/bundle-runtime";
import { checkNode, checkPlugin } from "./build/check-built";
import { copyLocales } from "./build/copy-locales";
import { registeredNodes, registeredPlugins } from "./build/registered";
import { writeLicences } from "./build/write-licences";
import { runMain } from "./run-main";

const ROOT = join(__dirname, "..");
const DIST = join(ROOT, "dist");

/** Runs one step, prints a line about it, and says whether it went well: every step has its say. */
async function step(name: string, work: () => Promise<unknown>): Promise<boolean> {
  const start = performance.now();
  const fault = await work().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const time = `${Math.round(performance.now() - start)} ms`.padStart(8);
  console.log(`${fault === null ? "ok    " : "FAILED"} ${time}  ${name}`);
  if (fault !== null) {
    console.error(fault.replace(/^/gm, "       "));
  }
  return fault === null;
}

async function build(): Promise<number> {
  const nodes = await registeredNodes(ROOT);
  const plugins = await registeredPlugins(ROOT);
  const folders = [
    ...new Set(nodes.map(({ folder }) => join("nodes", folder))),
    ...plugins.map(({ name }) => join("plugins", name)),
  ];

  await rm(DIST, { recursive: true, force: true });
  const metafiles: Metafile[] = [];
  const made = await Promise.all([
    step("bundle runtime and simulator", async () => metafiles.push(...(await bundleRuntime(ROOT, nodes)))),
    step("bundle dialogs and sidebar", () => bundleEditors(ROOT, nodes, plugins)),
    step("bundle views of the sidebar", async () => metafiles.push(await bundleSidebar(ROOT))),
    step("copy locales", () => Promise.all(folders.map((folder) => copyLocales(ROOT, folder)))),
    // Node-RED looks for icons beside nodes only; one copy serves the whole module.
    step("copy icons", () =>
      cp(join(ROOT, "icons"), join(DIST, "nodes", "config", "icons"), { recursive: true }),
    ),
  ]);
  const checked = await Promise.all([
    step("write licences", () => writeLicences(ROOT, join(DIST, "THIRD-PARTY-LICENSES.txt"), metafiles)),
    step("make the simulator executable", () => chmod(join(DIST, "simulator", "cli.js"), 0o755)),
    step(`check ${nodes.length} nodes and ${plugins.length} plugins`, async () => {
      const faults = (
        await Promise.all([
          ...nodes.map((node) => checkNode(ROOT, node)),
          ...plugins.map((plugin) => checkPlugin(ROOT, plugin)),
        ])
      ).flat();
      if (faults.length > 0) {
        throw new Error(faults.join("\n"));
      }
    }),
  ]);
  return [...made, ...checked].every(Boolean) ? 0 : 1;
}

runMain(build);
