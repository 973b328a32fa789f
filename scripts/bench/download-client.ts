import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import helper from "node-red-node-test-helper";

/**
 * Downloads a large file through the built media-transfer node in a Node-RED of this process, and tells the parent
 * how far the memory of this process rose above what it was after a small download.
 */

interface Task {
  readonly url: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly small: string;
  readonly large: string;
}

/** ms between two looks at the memory. */
const LOOK = 5;

async function run({ url, credentials, small, large }: Task): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  helper.init(require.resolve("node-red"));
  await new Promise<void>((resolve) => helper.startServer(resolve));
  const load = (path: string) => require(join(__dirname, "../../dist/nodes", path)).default;
  const flow = [
    { id: "tab", type: "tab", label: "bench" },
    { id: "n-account", type: "messaging-account", service: "service", serviceAddress: url, legacyAuth: "none" },
    {
      id: "n-media",
      z: "tab",
      type: "media-transfer",
      account: "n-account",
      kind: "download",
      to: "file",
      mediaId: "mediaId",
      mediaIdSource: "msg",
      folder,
      folderSource: "str",
      limit: "1000",
      outputs: 4,
      wires: [["n-end"], ["n-end"], ["n-end"], ["n-end"]],
    },
    { id: "n-end", z: "tab", type: "helper" },
  ];
  const { clientId, clientSecret } = credentials;
  await helper.load(
    [load("config/messaging-account.js"), load("media-transfer/media-transfer.js")],
    flow as never,
    { "n-account": { clientId, clientSecret } } as never,
  );
  const download = (mediaId: string): Promise<NodeMessage> =>
    new Promise((resolve) => {
      helper.getNode("n-end").once("input", resolve);
      helper.getNode("n-media").receive({ mediaId });
    });
  await download(small);
  global.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, LOOK);
  const began = performance.now();
  const msg = await download(large);
  const ms = performance.now() - began;
  clearInterval(looking);
  const { outcome, statusMessage } = msg.result as { outcome: string; statusMessage: string };
  const bytes = outcome === "sent" ? (await stat(String(msg.filename))).size : 0;
  await helper.unload();
  await rm(folder, { recursive: true, force: true });
  process.send?.({ outcome, statusMessage, bytes, ms, growth: peak - before });
  process.disconnect();
  helper.stopServer(() => process.exit());
}

process.once("message", (task: Task) => void run(task));
