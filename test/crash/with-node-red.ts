import { KilledNodeRed } from "../support/crash/killed-node-red";
import { sendFlow, type SendFlowOptions } from "../support/crash/send-flow";
import { ServiceProcess } from "../support/crash/service-process";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";

/** Runs something with a Node-RED that has the flow, and its service. Both have ended when this resolves or rejects. */
export async function withNodeRed<Evidence>(
  version: NodeRedVersion,
  options: SendFlowOptions,
  run: (nodeRed: KilledNodeRed, service: ServiceProcess) => Promise<Evidence>,
): Promise<Evidence> {
  const service = await ServiceProcess.start();
  try {
    const nodeRed = await KilledNodeRed.start({ version }, sendFlow(service, options));
    try {
      return await run(nodeRed, service);
    } catch (error) {
      console.log(nodeRed.logs().slice(-4_000));
      throw error;
    } finally {
      await nodeRed.end();
    }
  } finally {
    await service.stop();
  }
}
