import { startSimulator } from "../../../simulator/index";
import { answerTask } from "../bench-process";

/** Sizes in bytes of the files that the service is to have. */
export interface GatewayTask {
  readonly files: readonly number[];
}

export interface GatewayAnswer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** In the order of the sizes. */
  readonly mediaIds: readonly string[];
}

/** A simulator in a process of its own; ends with it. */
answerTask<GatewayTask, GatewayAnswer>(async ({ files }) => {
  const simulator = await startSimulator();
  const { clientId, clientSecret } = simulator.credentials;
  const mediaIds = files.map((size, at) =>
    simulator.main.addMedia({ size, fileName: `${at}.bin`, contentType: "application/octet-stream" }),
  );
  return { url: simulator.url, clientId, clientSecret, mediaIds };
});
