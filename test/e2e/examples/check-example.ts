import assert from "node:assert/strict";
import { Example } from "../../support/examples";
import { type ExampleCheck, ExampleRun } from "../../support/node-red/example-run";
import type { Bench } from "../../support/node-red/on-each-node-red";

/** Deploys an example as the editor imports it, checks what it does, and expects no error in the log. */
export async function checkExample(bench: Bench, name: string, check: ExampleCheck): Promise<void> {
  const run = new ExampleRun(bench, new Example(name));
  await run.deploy();
  await bench.nodeRed.clearRecording();
  try {
    await check(run);
  } finally {
    await bench.simulator.reset(run.account);
  }
  assert.doesNotMatch(bench.nodeRed.logs(), /\[error\]/);
}
