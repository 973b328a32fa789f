import { existsSync } from "node:fs";
import { join } from "node:path";
import { fetchPackages, whyNotFetched } from "./fetched-packages";
import { ROOT } from "./packed-package";

/** The lines of Node-RED that this package promises to run on. */
export type NodeRedVersion = 4 | 5;
export const NODE_RED_VERSIONS: readonly NodeRedVersion[] = [4, 5];

const { TEST_NODE_RED: only = "" } = process.env;
/** Those that the tests of this process run on: all, or the one that `TEST_NODE_RED` names. */
export const TESTED_VERSIONS: readonly NodeRedVersion[] = NODE_RED_VERSIONS.filter(
  (version) => only === "" || only === String(version),
);

/** How to start one: a Node.js, and Node-RED's own start script. */
export interface NodeRedProgram {
  readonly node: string;
  readonly script: string;
}

const NODE_RED_5 = "node-red@5.0.7";
/** A Node.js without an installer, for Linux on x64 and arm64. */
const NODE_24 = `node-linux-${process.arch}`;
const NODE_24_VERSION = "24.21.0";

const found = new Map<NodeRedVersion, Promise<NodeRedProgram | string>>();

/** Finds, and if need be installs, a Node-RED; a text instead says why there can be none here. */
export function nodeRedProgram(version: NodeRedVersion): Promise<NodeRedProgram | string> {
  let program = found.get(version);
  if (!program) {
    program = version === 4 ? Promise.resolve(nodeRed4()) : nodeRed5();
    found.set(version, program);
  }
  return program;
}

/** The dev dependency, under the Node.js that runs the tests. */
function nodeRed4(): NodeRedProgram {
  return { node: process.execPath, script: join(ROOT, "node_modules", "node-red", "red.js") };
}

/** Kept out of package.json, because it refuses to run on the oldest Node.js that this package supports. */
async function nodeRed5(): Promise<NodeRedProgram | string> {
  const bundled = process.platform === "linux" && ["x64", "arm64"].includes(process.arch);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (!bundled && !(major > 22 || (major === 22 && minor >= 9))) {
    return `Node-RED 5 needs Node.js 22.9 or newer, this is ${process.versions.node}, and there is none to fetch for ${process.platform} ${process.arch}`;
  }
  const folder = join(ROOT, ".cache", "node-red-5");
  const program = {
    node: bundled ? join(folder, "node_modules", NODE_24, "bin", "node") : process.execPath,
    script: join(folder, "node_modules", "node-red", "red.js"),
  };
  if (!existsSync(program.script) || !existsSync(program.node)) {
    try {
      await fetchPackages(folder, bundled ? [NODE_RED_5, `${NODE_24}@${NODE_24_VERSION}`] : [NODE_RED_5]);
    } catch (error) {
      return `Node-RED 5 could not be fetched (${whyNotFetched(error)})`;
    }
  }
  return program;
}
