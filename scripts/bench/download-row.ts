import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DownloadAnswer, DownloadTask } from "./download-process";
import type { GatewayAnswer, GatewayTask } from "./gateway-process";
import { BenchProcess } from "./processes";
import type { BenchRow } from "./row";

const SIZE = 100_000_000;
/** What a working Node-RED has behind it: its heap has grown to its usual size. */
const WARM_UP = new Array<number>(10).fill(2_000_000);
const MIB = 1024 * 1024;
const MOST_MIB = 32;

/** A large file streamed to disk: memory must not follow its size. */
export const DOWNLOAD_ROW: BenchRow = {
  name: `media download, ${SIZE / 1e6} MB to a file`,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), "bench-"));
    const task: GatewayTask = { files: [...WARM_UP, SIZE] };
    const gateway = await BenchProcess.start<GatewayAnswer>("gateway-process.ts", task);
    try {
      const order: DownloadTask = { gateway: gateway.answer, folder, limit: 2 * SIZE };
      const client = await BenchProcess.start<DownloadAnswer>("download-process.ts", order);
      await client.process.stop();
      const { growth, size, seconds } = client.answer;
      if (size !== SIZE) {
        throw new Error(`${size} bytes came instead of ${SIZE}`);
      }
      return [
        { name: "peak memory growth", value: growth / MIB, unit: "MiB", most: MOST_MIB },
        { name: "pace", value: size / 1e6 / seconds, unit: "MB/s", most: null },
      ];
    } finally {
      await gateway.process.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};
