import { type NodeRedVersion, nodeRedProgram } from "./node-red-versions";

/**
 * Gives a `before` hook time to pack, and to fetch Node-RED 5 the first time. Where that version can't be had it skips
 * the tests of the suite, and prints the reason.
 */
export async function requireNodeRed(hook: Mocha.Context, version: NodeRedVersion): Promise<void> {
  const program = await nodeRedProgram(version);
  if (typeof program === "string") {
    console.log(`    skipped: ${program}`);
    hook.skip();
  }
}
