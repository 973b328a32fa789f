import type { NodeAPI, NodeDef } from "node-red";

/** The saved configurations of all nodes of a type, disabled ones and those of subflows among them. */
export function configsOf<Config extends object>(RED: NodeAPI, type: string): readonly (NodeDef & Config)[] {
  const found: (NodeDef & Config)[] = [];
  RED.nodes.eachNode((config: NodeDef) => {
    if (config.type === type) {
      found.push(config as NodeDef & Config);
    }
  });
  return found;
}
