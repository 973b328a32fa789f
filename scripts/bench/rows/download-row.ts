import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DownloadAnswer, DownloadTask } from "../processes/download-process";
import type { GatewayAnswer, GatewayTask } from "../processes/gateway-process";
import { BenchProcess } from "../bench-process";
import type { BenchRow, Situation } from "./row";

const SIZE = 100_000_000;
/** What a working Node-RED has behind it: its heap has grown to its usual size. */
const WARM_UP = new Array<number>(10).fill(2_000_000);
const MIB = 1024 * 1024;

/** Downloads the last file in a process of its own, after the ones before it. */
async function download(
  gateway: GatewayAnswer,
  mediaIds: readonly string[],
  folder: string,
): Promise<DownloadAnswer> {
  const task: DownloadTask = { gateway: { ...gateway, mediaIds }, folder, limit: 2 * SIZE };
  const { process, answer } = await BenchProcess.start<DownloadAnswer>("download-process.ts", task);
  await process.stop();
  if (answer.size !== SIZE) {
    throw new Error(`${answer.size} bytes came instead of ${SIZE}`);
  }
  return answer;
}

async function* run(): AsyncIterable<Situation> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const task: GatewayTask = { files: [...WARM_UP, SIZE] };
  const { process: gateway, answer } = await BenchProcess.start<GatewayAnswer>("gateway-process.ts", task);
  try {
    const working = await download(answer, answer.mediaIds, folder);
    const fresh = await download(answer, answer.mediaIds.slice(-2), folder);
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
    await rm(folder, { recursive: true, force: true });
  }
}

/** A large file streamed to disk: memory must not follow its size. */
export const DOWNLOAD_ROW: BenchRow = { id: "download", run };
