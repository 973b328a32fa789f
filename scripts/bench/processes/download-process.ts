import { rm, stat } from "node:fs/promises";
import type { Verdict } from "../../../lib/gateway/codec/verdict";
import { Dispatcher } from "../../../lib/gateway/queue/dispatcher";
import { prepareDownload } from "../../../lib/runtime/channels/media-download";
import type { GatewayAnswer } from "./gateway-process";
import { PeakMemory } from "../peak-memory";
import { serve } from "../serve";

export interface DownloadTask {
  readonly gateway: GatewayAnswer;
  readonly folder: string;
  /** Bytes allowed. */
  readonly limit: number;
}

export interface Downloaded {
  /** Bytes on top of what the process took before. */
  readonly growth: number;
  readonly size: number;
  readonly seconds: number;
}

/** Downloads files as the node does it, the last one under observation; the others make the process warm. */
async function downloadAll({ gateway, folder, limit }: DownloadTask): Promise<Downloaded> {
  const { url, clientId, clientSecret, mediaIds } = gateway;
  const dispatcher = new Dispatcher({
    serviceAddress: url,
    tokenAddress: "",
    legacy: null,
    oauth: { clientId, clientSecret },
    restPrefix: false,
    paths: {},
    tls: null,
    proxy: null,
    connectTimeout: 10_000,
    answerTimeout: 30_000,
    connections: 1,
    requestsPerSecond: 0,
    queueLimit: 10,
    attempts: 1,
    refusedAt503: false,
  });
  const queue = dispatcher.openHandle();
  const download = async (mediaId: string | undefined): Promise<string> => {
    const settings = {
      kind: "download",
      place: "file",
      existing: "overwrite",
      limit,
      fixedPath: true,
      baseFolder: "",
    } as const;
    const { fields, transfer, finish } = await prepareDownload({ mediaId, folder }, settings, {});
    const batch = { operation: "media-download", fields, transfer } as const;
    const verdict = await new Promise<Verdict>((onVerdict) => queue.submitWithCallback(batch, { onVerdict }));
    const path = finish({ _msgid: "" }, verdict, true).file?.path;
    if (verdict.outcome !== "sent" || path === undefined) {
      throw new Error(`${verdict.statusName}: ${verdict.statusMessage}`);
    }
    return path;
  };
  for (const mediaId of mediaIds.slice(0, -1)) {
    await rm(await download(mediaId));
  }
  const memory = new PeakMemory();
  const began = performance.now();
  const path = await download(mediaIds.at(-1));
  const seconds = (performance.now() - began) / 1000;
  const growth = memory.stop();
  const { size } = await stat(path);
  await rm(path);
  await dispatcher.close(0);
  return { growth, size, seconds };
}

serve({ download: downloadAll });
