import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import red from "node-red";
import { worker } from "workerpool";
import flows from "./flows.json";
import { makeMessage, type SampleTask, sample } from "./processes";

/** A Node-RED without its editor, with the flow under measurement between two nodes of the benchmark. */

declare global {
  /** Sends a message from the first node. The last node calls its `bench`. */
  var emitBench: (msg: object) => void;
}

/** Which flow runs. Settings are environment variables that its nodes name. */
export interface FlowTask {
  readonly kind: keyof typeof flows;
  readonly settings: Readonly<Record<string, string>>;
}

const server = createServer((request, response) => red.httpNode(request, response));

const deployed = (): Promise<void> => new Promise((resolve) => red.events.once("flows:started", resolve));

/** @returns ms from the start of this process until its flows run, and its memory in bytes */
async function start(userDir: string, nodesDir: string) {
  red.init(server, {
    userDir,
    nodesDir,
    uiHost: "127.0.0.1",
    uiPort: 0,
    credentialSecret: "only for measuring",
    httpAdminRoot: false,
    logging: { console: { level: "error", metrics: false, audit: false } },
    externalModules: { palette: { allowInstall: false } },
  });
  await Promise.all([deployed(), red.start()]);
  const ms = performance.now();
  server.listen(0, "127.0.0.1");
  globalThis.gc?.();
  return { ms, memory: process.memoryUsage().rss };
}

/** @returns address of the HTTP nodes */
async function deploy({ kind: next, settings }: FlowTask): Promise<string> {
  kind = next;
  Object.assign(process.env, settings);
  const all = { flows: [{ id: "tab", type: "tab" }, ...flows[kind]], credentials: {} };
  await Promise.all([deployed(), red.runtime.flows.setFlows({ flows: all })]);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
let kind: FlowTask["kind"] = "messaging-sms-send";

/** Sends a message through the flow. */
function send(): Promise<void> {
  const { to, payload } = makeMessage();
  const form = { recipientAddressList: to.slice(1), messageContent: payload, clientMessageId: "bench" };
  const content = kind === "core http" ? { payload: form, headers: { ...FORM } } : { to, payload };
  return new Promise((resolve, reject) => {
    const bench = ({ result }: { result?: { outcome: string } }): void =>
      kind === "core http" || result?.outcome === "sent"
        ? resolve()
        : reject(new Error(JSON.stringify(result)));
    emitBench({ ...content, bench });
  });
}

/** Sends one message to many. @returns the longest ms for which the event loop stood still */
async function sendMany(recipients: number): Promise<number> {
  const to = Array.from({ length: recipients }, (_none, at) => String(41_790_000_000 + at));
  globalThis.gc?.();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  let results = 0;
  await new Promise<void>((resolve) => {
    const bench = (): void => {
      if (++results === Math.ceil(recipients / 1000)) resolve();
    };
    emitBench({ to, payload: makeMessage().payload, bench });
  });
  return delays.max / 1e6;
}

/** Emits messages without waiting for their results. */
async function flood(count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    emitBench(makeMessage());
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
