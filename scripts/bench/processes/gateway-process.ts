import { startSimulator } from "../../../simulator/index";
import { serve } from "../serve";

export interface GatewayAnswer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the order of the sizes. */
  readonly mediaIds: readonly string[];
}

/** A simulator in a process of its own; ends with it. @param sizes in bytes, of the files that the service is to have */
async function start(sizes: readonly number[]): Promise<GatewayAnswer> {
  const simulator = await startSimulator();
  const { clientId, clientSecret } = simulator.credentials;
  const mediaIds = sizes.map((size, at) =>
    simulator.main.addMedia({ size, fileName: `${at}.bin`, contentType: "application/octet-stream" }),
  );
  return { url: simulator.url, clientId, clientSecret, mediaIds };
}

serve({ start });
