import { type NodeRed, type NodeRedOptions, startNodeRed } from "./node-red";
import { userDirWithPackage } from "./packed-package";
import { requireNodeRed } from "./require-node-red";

/**
 * Gives the suite around it a Node-RED of its own with the packed package, for settings that others do not have. Where
 * that version can't be had its tests are skipped.
 * @param prepare is called with the user directory before Node-RED starts
 * @returns filled before the first test
 */
export function ownNodeRed(
  options: Omit<NodeRedOptions, "userDir">,
  prepare: (userDir: string) => Promise<void> = async () => {},
): { readonly nodeRed: NodeRed } {
  const own: { nodeRed?: NodeRed } = {};

  before(async function () {
    await requireNodeRed(this, options.version);
    const userDir = await userDirWithPackage();
    await prepare(userDir);
    own.nodeRed = await startNodeRed({ ...options, userDir });
  });
  after(() => own.nodeRed?.stop());

  return own as { readonly nodeRed: NodeRed };
}
