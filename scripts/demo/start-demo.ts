import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { BuiltInSimulatorControl } from "../../test/support/node-red/built-in-simulator";
import type { Example } from "../../test/support/examples";
import { type NodeRed, startNodeRed } from "../../test/support/node-red/node-red";
import { linkInto, ROOT, temporaryFolder } from "../../test/support/node-red/packed-package";

/** A Node-RED that shows an example flow, and the simulator inside it. */
export interface Demo {
  readonly nodeRed: NodeRed;
  readonly simulator: BuiltInSimulatorControl;
}

/** Builds `dist/`; the build's own words go to the console. @throws Error when it fails */
export function build(): void {
  const { status } = spawnSync(process.execPath, [...process.execArgv, join(ROOT, "scripts", "build.ts")], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error("the build failed");
}

/** Starts Node-RED 4 with what `dist/` holds and the example deployed, in a folder that goes away afterwards. */
export async function startDemo(example: Example, port: number): Promise<Demo> {
  const simulator = await BuiltInSimulatorControl.prepare();
  const userDir = await temporaryFolder("demo");
  await linkInto(userDir);
  const nodeRed = await startNodeRed({ version: 4, userDir, port, env: simulator.env, flows: example.flows });
  return { nodeRed, simulator };
}
