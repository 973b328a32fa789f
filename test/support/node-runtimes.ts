import { join } from "node:path";
import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { accountNode } from "../../nodes/config/node";
import { registeredNodes } from "../../scripts/build/registered";
import { ROOT } from "./locales/locale-files";

export type AnyRuntime = NodeRuntime<object, never>;

const noSimulator = (): never => {
  throw new Error("no simulator here");
};

/** Loads the code of every node type. */
export async function loadNodeRuntimes(): Promise<ReadonlyMap<string, AnyRuntime>> {
  const nodes = await registeredNodes(ROOT);
  return new Map(
    nodes.map(({ type, folder }) => [
      type,
      type === "messaging-account"
        ? (accountNode(noSimulator) as unknown as AnyRuntime)
        : (require(join(ROOT, "nodes", folder, "node")) as { NODE: AnyRuntime }).NODE,
    ]),
  );
}
