import { join } from "node:path";
import { startSimulator } from "../simulator/index";
import type { Scene } from "../test/faults/fault";
import { FaultProxy } from "../test/faults/fault-proxy";
import { GATEWAY_FAULTS } from "../test/faults/gateway-faults";
import { hurry } from "../test/support/hurry";
import { TOKEN_FAULTS } from "../test/faults/token-faults";
import { makeCertificates } from "../test/support/http/certificates";
import { collect } from "../test/support/small-collections";
import { waitFor } from "../test/support/wait-for";
import { EmbeddedNodeRed } from "./soak/embedded";
import { linearFit } from "./soak/linear-fit";
import { Traffic } from "./soak/traffic";

/**
 * Sends, receives, breaks and deploys for a long time and looks at what stays behind: the heap after garbage
 * collection must be flat, no handle may be left, Node.js may warn of nothing. Exits with 1 where that is not so.
 * `--minutes N`: how long, in time as the nodes see it (30); `--factor N`: how much faster that passes (20).
 */

const ROOT = join(__dirname, "..");
/** Bytes by which the fitted heap may grow over the whole run: noise of a collector, not of a leak. */
const ALLOWED_GROWTH = 2 * 1024 * 1024;
const MESSAGES_A_ROUND = 400;
/** Shares no factor with the number of faults, so that even a short run sees all kinds of them. */
const STRIDE = 7;
/** Rounds until everything is loaded, compiled and cached for good; at least this part of all. */
const WARM_UP = 1 / 3;

const option = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
};

/** What keeps the process busy, without what comes and goes by itself. */
const handles = (): string =>
  process
    .getActiveResourcesInfo()
    .filter((kind) => !/Immediate|FSReq/.test(kind))
    .sort()
    .join(" ");

/** Bytes after a thorough collection. */
async function heap(): Promise<number> {
  for (let time = 0; time < 3; time++) {
    collect("everything");
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

async function main(): Promise<number> {
  const minutes = option("minutes", 30);
  const factor = option("factor", 20);
  const warnings: string[] = [];
  process.on("warning", ({ name, message }) => warnings.push(`${name}: ${message}`));
  hurry(factor);

  const simulator = await startSimulator({ logEntries: 200 });
  const gateway = new FaultProxy(simulator.port);
  const tokens = new FaultProxy(simulator.port);
  await Promise.all([gateway.start(), tokens.start()]);
  const traffic = new Traffic(simulator, { serviceAddress: gateway.url, tokenAddress: tokens.url });
  const nodeRed = await EmbeddedNodeRed.start(ROOT, traffic.came);
  const scene: Scene = {
    gateway,
    tokens,
    simulator,
    certificates: makeCertificates(),
    pass: (seconds) => new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / factor)),
  };
  const faults = [...GATEWAY_FAULTS, ...TOKEN_FAULTS].filter(({ tls = false }) => !tls);
  const changes = ["everything", "flow", "sender", "account"] as const;

  let disconnect = (): void => {};
  const begin = async (): Promise<void> => {
    await nodeRed.deploy(traffic.flow().nodes, "full");
    disconnect = traffic.connect(nodeRed.port);
  };
  /** Stops everything. @returns what is open all the same, as soon as it is as `expected`, or after some seconds */
  const atRest = async (expected: (open: string) => boolean): Promise<string> => {
    disconnect();
    await nodeRed.deploy([], "full");
    return waitFor("everything to close", () => expected(handles()) && handles(), 15_000).catch(handles);
  };

  const round = async (at: number): Promise<void> => {
    const { disturbance, during } = faults[(at * STRIDE) % faults.length] as (typeof faults)[number];
    gateway.disturb((typeof disturbance === "function" ? disturbance(scene) : disturbance) ?? null);
    let over = during === undefined;
    const course = during?.(scene).finally(() => {
      over = true;
    });
    await traffic.run(nodeRed, (sent) => over && sent >= MESSAGES_A_ROUND);
    await course;
    gateway.disturb(null);
    gateway.clear();
    tokens.clear();
    // A deploy with messages under way.
    const deployed = traffic.run(nodeRed, (sent) => sent >= MESSAGES_A_ROUND / 4).catch(() => {});
    const { nodes, type } = traffic.flow(changes[at % changes.length]);
    await nodeRed.deploy(nodes, type);
    traffic.forget();
    await deployed;
    traffic.forget();
  };

  const handlesBefore = await atRest((open) => !/TCPSocketWrap|Timeout/.test(open));
  await begin();

  const began = performance.now();
  const elapsed = (): number => ((performance.now() - began) * factor) / 60_000;
  const samples: [minute: number, bytes: number][] = [];
  for (let at = 0; elapsed() < minutes; at++) {
    await round(at);
    await traffic.settle();
    samples.push([elapsed(), await heap()]);
  }
  const handlesAfter = await atRest((open) => open === handlesBefore);
  const leaked = handlesAfter === handlesBefore ? "none" : `${handlesAfter}; at first: ${handlesBefore}`;
  await nodeRed.stop();
  await Promise.all([gateway.stop(), tokens.stop()]);
  await simulator.close();

  const steady = samples.filter(([minute]) => minute >= minutes * WARM_UP);
  const { slope, start } = linearFit(steady);
  const span = (steady.at(-1)?.[0] ?? 0) - (steady[0]?.[0] ?? 0);
  const growth = slope * span;
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KiB`;
  const results = [...traffic.outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  console.log(
    `${minutes} simulated minutes at ${factor} times their speed, ${samples.length} rounds with a fault and a deploy each`,
  );
  console.log(`${traffic.sent} messages (${results}), ${traffic.events} events received`);
  for (const [minute, bytes] of samples.filter((_sample, at) => at % Math.ceil(samples.length / 12) === 0)) {
    console.log(`  minute ${minute.toFixed(1).padStart(5)}: heap ${kib(bytes)}`);
  }
  console.log(
    `heap after collection, linear fit from minute ${(minutes * WARM_UP).toFixed(1)} on: ${kib(start)} + ${kib(slope)} a minute, ` +
      `${kib(growth)} in ${span.toFixed(1)} minutes (allowed: ${kib(ALLOWED_GROWTH)})`,
  );
  console.log(`handles left: ${leaked}`);
  console.log(`warnings: ${warnings.length === 0 ? "none" : warnings.join("; ")}`);
  const ok = growth <= ALLOWED_GROWTH && leaked === "none" && warnings.length === 0 && steady.length > 2;
  if (steady.length < 3) {
    console.log("too short to say anything of the heap");
  }
  console.log(ok ? "flat, nothing left behind" : "NOT flat, or something was left behind");
  return ok ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
