import type { FlowNode } from "./admin-client";
import { BuiltInSimulatorControl } from "./built-in-simulator";
import { EDITOR_THEME, type NodeRed, startNodeRed } from "./node-red";
import type { NodeRedVersion } from "./node-red-versions";
import { userDirWithPackage } from "./packed-package";

/** A running Node-RED with the packed package, and the control of the simulator inside it. */
export interface SharedNodeRed {
  readonly nodeRed: NodeRed;
  readonly simulator: BuiltInSimulatorControl;
}

const started = new Map<NodeRedVersion, Promise<SharedNodeRed>>();

async function start(version: NodeRedVersion): Promise<SharedNodeRed> {
  const simulator = await BuiltInSimulatorControl.prepare();
  const userDir = await userDirWithPackage();
  const settings = {
    // Tests expect English, whatever the language of this computer.
    lang: "en-US",
    // Each dialog has an editor for its description. Monaco is the heavier one, and starts a worker for it.
    editorTheme: { ...EDITOR_THEME, codeEditor: { lib: "ace" } },
  };
  const nodeRed = await startNodeRed({
    version,
    userDir,
    env: simulator.env,
    settings,
    keepsUserSettings: false,
  });
  return { nodeRed, simulator };
}

/** Ids of the accounts that a flow has. */
const accountIds = (flows: readonly FlowNode[]): readonly string[] =>
  flows.filter(({ type }) => type === "messaging-account").map(({ id }) => id);

/**
 * Gives the one Node-RED of a version that the test files of this process share. It starts for the first and
 * runs without flows, with an empty recording and log, and with a simulator that knows nothing, whichever
 * tests used it before. One that has ended, as in a failed test, is replaced.
 * @throws Error when that version can't be had here
 */
export async function sharedNodeRed(version: NodeRedVersion): Promise<SharedNodeRed> {
  const before = started.get(version);
  const running = before && (await before.catch(() => null));
  if (running?.nodeRed.isRunning) {
    await clear(running);
    return running;
  }
  const fresh = start(version);
  started.set(version, fresh);
  return fresh;
}

async function clear({ nodeRed, simulator }: SharedNodeRed): Promise<void> {
  for (const id of accountIds(await nodeRed.flows())) nodeRed.accounts.add(id);
  await nodeRed.deploy([]);
  for (const id of nodeRed.accounts) await simulator.forget(id);
  nodeRed.accounts.clear();
  await nodeRed.clearRecording();
  nodeRed.clearLogs();
}

after(async () => {
  for (const each of started.values()) await (await each.catch(() => null))?.nodeRed.stop();
});
