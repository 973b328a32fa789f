import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../simulator/index";
import { freePort } from "../support/http/free-port";
import { allTo, END, tab, webhook } from "../support/node-red/flow-nodes";
import { type NodeRed, startNodeRed } from "../support/node-red/node-red";
import { NODE_RED_VERSIONS, TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { temporaryFolder, userDirWithPackage } from "../support/node-red/packed-package";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { waitFor } from "../support/wait-for";
import { deliveryReport, inboundMessage, statusMessage } from "../support/http/webhook-events";

const SECRET = "a-secret-only-for-tests";
/** Half as many are enough for two ends in the middle of hundreds of events. */
const SHARE = process.env.TEST_FULL === "1" ? 1 : 0.5;
const INBOUND = 1600 * SHARE;
const STATUSES = 1200 * SHARE;
const REPORTS = 1200 * SHARE;
const ALL = INBOUND + STATUSES + REPORTS;
/** Of so many connections one is cut before the acknowledgement is out. */
const CUT_EVERY = 10;

/** An event as it reached the flow. */
interface Arrival {
  readonly key: string;
  readonly possibleDuplicate: boolean;
}

/** Where the keys of events are kept, and how Node-RED then ends twice in the middle. */
const KEPT = {
  "a context store": { account: {}, nodes: [], end: (nodeRed: NodeRed) => nodeRed.stop() },
  "the store of the account": {
    account: { account: "account" },
    nodes: [
      {
        id: "account",
        type: "messaging-account",
        service: "service",
        serviceAddress: "https://127.0.0.1:9",
        keepMessages: "computer",
      },
    ],
    end: (nodeRed: NodeRed) => nodeRed.kill(),
  },
} as const;
type Kept = keyof typeof KEPT;

/** Two webhooks: one acknowledges when the file is written, the other on receipt. */
const flow = (file: string, kept: Kept) => [
  ...KEPT[kept].nodes,
  tab("Storm"),
  webhook("hook-inbound", "inbound", {
    ...KEPT[kept].account,
    acknowledge: "flow",
    ackTimeout: 20,
    store: "disk",
    wires: allTo("line", 2),
    credentials: { secret: SECRET },
  }),
  {
    id: "line",
    type: "change",
    z: "tab",
    rules: [{ t: "set", p: "payload", pt: "msg", to: "$string(event)", tot: "jsonata" }],
    wires: [["write"]],
  },
  {
    id: "write",
    type: "file",
    z: "tab",
    filename: file,
    filenameType: "str",
    appendNewline: true,
    overwriteFile: "false",
    wires: [["ack"]],
  },
  { id: "ack", type: "webhook-ack", z: "tab", answer: "acknowledge", wires: [] },
  webhook("hook-status", "status", {
    ...KEPT[kept].account,
    store: "disk",
    credentials: { secret: SECRET },
  }),
  END,
];

const lines = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

/** How often each event arrived, and how many copies came without a hint. */
function tally(arrivals: readonly Arrival[]) {
  const seen = new Set<string>();
  let copies = 0;
  let unmarked = 0;
  for (const { key, possibleDuplicate } of arrivals) {
    if (seen.has(key)) {
      copies++;
      unmarked += possibleDuplicate ? 0 : 1;
    }
    seen.add(key);
  }
  return { events: seen.size, copies, unmarked };
}

/** A storm takes long, so each Node-RED has one, and each store. */
const KEPT_BY = Object.keys(KEPT) as Kept[];
const CASES = NODE_RED_VERSIONS.map((version, at) => ({
  version,
  kept: KEPT_BY[at % KEPT_BY.length] as Kept,
})).filter(({ version }) => TESTED_VERSIONS.includes(version));
for (const { version, kept } of CASES) {
  describe(`a storm of events and two ends of Node-RED ${version}, with ${kept}`, () => {
    let simulator: Simulator;
    let nodeRed: NodeRed | undefined;
    let userDir: string;
    let port: number;
    let received: string;
    let written: string;

    const start = () =>
      startNodeRed({
        version,
        userDir,
        port,
        env: { TEST_RECORDER_FILE: received },
        settings: {
          contextStorage: {
            default: { module: "memory" },
            disk: { module: "localfilesystem", config: { cache: false } },
          },
        },
      });

    before(async function () {
      await requireNodeRed(this, version);
      const folder = await temporaryFolder("storm");
      received = join(folder, "received.jsonl");
      written = join(folder, "written.jsonl");
      writeFileSync(received, "");
      writeFileSync(written, "");
      userDir = await userDirWithPackage();
      port = await freePort();
      nodeRed = await start();
      await nodeRed.deploy(flow(written, kept));
      simulator = await startSimulator({
        webhooks: {
          firstRetry: 100,
          longestRetry: 1000,
          giveUpAfter: 200_000,
          timeout: 25_000,
          connections: 8,
          cutEvery: CUT_EVERY,
        },
      });
    });
    after(async () => {
      await simulator?.close();
      await nodeRed?.stop();
    });

    it(`loses none of ${ALL} events, and repeats none that can be told apart`, async () => {
      const { main } = simulator;
      const begin = performance.now();
      for (const kind of ["inbound", "status"] as const) {
        main.registerWebhook({
          kind,
          url: `http://127.0.0.1:${port}/messaging/hook-${kind}?secret=${SECRET}`,
        });
      }
      for (let each = 0; each < INBOUND; each++) {
        main.deliver("inbound", inboundMessage({ content: `message ${each}` }));
      }
      for (let each = 0; each < STATUSES; each++) {
        main.deliver("status", statusMessage({ transferId: `transfer ${each}` }));
        main.deliver("status", deliveryReport({ notificationId: `notification ${each}` }));
      }
      for (const part of [1 / 4, 1 / 2]) {
        await waitFor(
          () => `a ${part} of the events; ${main.pendingDeliveries} are pending`,
          () => main.pendingDeliveries < ALL * (1 - part),
        );
        if (nodeRed) await KEPT[kept].end(nodeRed);
        nodeRed = await start();
      }
      await waitFor(
        () => `all events; ${main.pendingDeliveries} are pending`,
        () => main.pendingDeliveries === 0,
        150_000,
      );
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      const tries = main.deliveries.flatMap(({ attempts }) => attempts);
      const cut = tries.filter(({ problem }) => problem === "cut").length;
      const wire = lines(received) as { from: string; msg: { event: Arrival } }[];
      const arrivals = {
        inbound: tally(lines(written) as Arrival[]),
        status: tally(wire.filter(({ from }) => from === "hook-status").map(({ msg }) => msg.event)),
      };
      console.log(
        `      ${ALL} events in ${seconds} s, ${tries.length} tries, ${cut} cut; ` +
          `inbound: ${arrivals.inbound.events} arrived, ${arrivals.inbound.copies} copies; ` +
          `status: ${arrivals.status.events} arrived, ${arrivals.status.copies} copies`,
      );
      assert.ok(cut >= ALL / CUT_EVERY, `${cut} cut`);
      assert.equal(main.deliveries.filter(({ state }) => state !== "acknowledged").length, 0);
      assert.equal(arrivals.inbound.events, INBOUND);
      assert.equal(arrivals.status.events, STATUSES + REPORTS);
      // What runs again is what was sent back by a restart, or an inbound message whose cut nobody here saw; it says so.
      assert.equal(arrivals.inbound.unmarked, 0);
      assert.equal(arrivals.status.unmarked, 0);
      assert.ok(arrivals.status.copies <= 2 * 8, `${arrivals.status.copies} copies of status events`);
    });
  });
}
