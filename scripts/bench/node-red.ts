import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { worker } from "workerpool";
import flows from "./flows.json";
import { makeMessage, type SampleTask, sample } from "./processes";

/** A Node-RED without its editor, with the flow under measurement between two nodes of the benchmark. */

interface Ends {
  emit(msg: object): void;
  ended(msg: { readonly bench?: () => void; readonly result?: { readonly outcome?: string } }): void;
}

interface Runtime {
  init(server: Server, settings: object): void;
  start(): Promise<void>;
  readonly httpNode: (...parameters: unknown[]) => void;
  readonly events: { once(event: string, listener: () => void): void };
  readonly runtime: { readonly flows: { setFlows(options: object): Promise<unknown> } };
}

/** Which flow runs. Settings are those of its account, or the address of core's node. */
export interface FlowTask {
  readonly kind: keyof typeof flows;
  readonly settings: Readonly<Record<string, string | number>>;
}

let red: Runtime;
let url = "";
const getEnds = (): Ends => (globalThis as unknown as { bench: Ends }).bench;

/** @returns ms from the start of this process until its flows run, and its memory in bytes */
async function start({ packages, nodes }: { packages: string; nodes: string }) {
  const userDir = mkdtempSync(join(tmpdir(), "bench-node-red-"));
  process.once("exit", () => rmSync(userDir, { recursive: true, force: true }));
  symlinkSync(join(packages, "node_modules"), join(userDir, "node_modules"), "junction");
  cpSync(join(packages, "package.json"), join(userDir, "package.json"));
  cpSync(nodes, join(userDir, "nodes"), { recursive: true });
  const load = createRequire(createRequire(__filename).resolve("node-red/package.json"));
  red = load("node-red") as Runtime;
  const app = (load("express") as () => (...parameters: unknown[]) => void)();
  const server = createServer(app);
  red.init(server, {
    userDir,
    flowFile: "flows.json",
    credentialSecret: "only for measuring",
    httpAdminRoot: false,
    httpNodeRoot: "/",
    disableEditor: true,
    telemetry: { enabled: false, updateNotification: false },
    logging: { console: { level: "error", metrics: false, audit: false } },
    externalModules: { autoInstall: false, palette: { allowInstall: false } },
  });
  (app as unknown as { use(path: string, app: unknown): void }).use("/", red.httpNode);
  const started = new Promise<void>((resolve) => red.events.once("flows:started", resolve));
  await red.start();
  await started;
  const ms = performance.now();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  (globalThis as { gc?: () => void }).gc?.();
  return { ms, memory: process.memoryUsage().rss };
}

async function deploy({ kind: next, settings }: FlowTask): Promise<string> {
  kind = next;
  const started = new Promise<void>((resolve) => red.events.once("flows:started", resolve));
  const nodes = flows[kind].map((node) => ({
    ...node,
    ...("z" in node ? { x: 100, y: 100 } : {}),
    ...(["http request", "messaging-account"].includes(node.type) ? settings : {}),
    ...("credentials" in node && {
      credentials: { ...node.credentials, storeUrl: process.env.BENCH_STORE_URL },
    }),
  }));
  await red.runtime.flows.setFlows({ flows: { flows: [{ id: "tab", type: "tab" }, ...nodes] } });
  await started;
  getEnds().ended = ({ bench, result }) => {
    if (kind === "sms-send" && bench && result?.outcome !== "sent") throw new Error(JSON.stringify(result));
    bench?.();
  };
  return url;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
let kind: FlowTask["kind"] = "sms-send";

/** Sends a message through the flow. */
function send(): Promise<void> {
  const { to, payload } = makeMessage();
  const form = { recipientAddressList: to.slice(1), messageContent: payload, clientMessageId: "bench" };
  const content = kind === "core http" ? { payload: form, headers: { ...FORM } } : { to, payload };
  return new Promise((resolve) => getEnds().emit({ ...content, bench: resolve }));
}

/** Sends one message to many. @returns the longest ms for which the event loop stood still */
async function sendMany({ recipients }: { recipients: number }): Promise<number> {
  const to = Array.from({ length: recipients }, (_none, at) => String(41_790_000_000 + at));
  (globalThis as { gc?: () => void }).gc?.();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let results = 0;
  await new Promise<void>((resolve) => {
    const bench = (): void => {
      if (++results === Math.ceil(recipients / 1000)) resolve();
    };
    getEnds().emit({ to, payload: makeMessage().payload, bench });
  });
  return delays.max / 1e6;
}

/** Emits messages without waiting for their results. */
async function flood({ count }: { count: number }): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    getEnds().emit(makeMessage());
    if (sent % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

worker({
  start,
  deploy,
  sample: (task: SampleTask) => sample(task, send),
  sendMany,
  flood,
});
