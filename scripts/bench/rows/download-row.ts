import { temporaryFolder } from "../../../test/support/node-red/packed-package";
import type { Downloaded, DownloadTask } from "../processes/download-process";
import type { GatewayAnswer } from "../processes/gateway-process";
import { Worker } from "../worker";
import type { BenchRow } from "./row";

const SIZE = 100_000_000;
/** What a working Node-RED has behind it: its heap has grown to its usual size. */
const WARM_UP = new Array<number>(10).fill(2_000_000);
const MIB = 1024 * 1024;

/** Downloads the last file in a process of its own, after the ones before it. */
async function download(gateway: GatewayAnswer, mediaIds: readonly string[]): Promise<Downloaded> {
  const folder = await temporaryFolder("bench-download");
  const task: DownloadTask = { gateway: { ...gateway, mediaIds }, folder, limit: 2 * SIZE };
  const worker = new Worker("download-process.ts");
  try {
    const downloaded = await worker.ask<Downloaded>("download", task);
    if (downloaded.size !== SIZE) {
      throw new Error(`${downloaded.size} bytes came instead of ${SIZE}`);
    }
    return downloaded;
  } finally {
    await worker.stop();
  }
}

/** A large file streamed to disk: memory must not follow its size. */
export const DOWNLOAD_ROW: BenchRow = {
  id: "download",
  run: async function* () {
    const gateway = new Worker("gateway-process.ts");
    try {
      const answer = await gateway.ask<GatewayAnswer>("start", [...WARM_UP, SIZE]);
      const working = await download(answer, answer.mediaIds);
      const fresh = await download(answer, answer.mediaIds.slice(-2));
      yield {
        situation: `download of ${SIZE / 1e6} MB to a file`,
        figures: [
          { name: "peak memory growth", value: working.growth / MIB, unit: "MiB" },
          { name: "the same, fresh process", value: fresh.growth / MIB, unit: "MiB" },
          { name: "pace", value: SIZE / 1e6 / working.seconds, unit: "MB/s" },
        ],
      };
    } finally {
      await gateway.stop();
    }
  },
};
