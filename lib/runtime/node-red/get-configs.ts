import type { NodeAPI, NodeDef } from "node-red";

/** Returns saved configurations, also of disabled nodes and nodes in subflows. */
export function getConfigs<Config extends object>(RED: NodeAPI, type: string): readonly (NodeDef & Config)[] {
  const found: (NodeDef & Config)[] = [];
  RED.nodes.eachNode((config: NodeDef) => {
    if (config.type === type) {
      found.push(config as NodeDef & Config);
    }
  });
  return found;
}
