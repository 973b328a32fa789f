// Slow: two Node-RED processes are killed amid a thousand events.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "../../simulator/index";
import type { Flows } from "../support/node-red/admin-client";
import { allTo, END, simulated, tab, webhook } from "../support/node-red/flow-nodes";
import { type NodeRed, startNodeRed } from "../support/node-red/node-red";
import { TESTED_VERSIONS } from "../support/node-red/node-red-versions";
import { temporaryFolder, userDirWithPackage } from "../support/node-red/packed-package";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { waitFor } from "../support/wait-for";
import { deliveryReport, inboundMessage, statusMessage } from "../support/http/webhook-events";

const SECRET = "a-secret-only-for-tests";
/** Enough for two kills in the middle of hundreds of events. */
const INBOUND = 400;
const STATUSES = 300;
const REPORTS = 300;
const ALL = INBOUND + STATUSES + REPORTS;
/** Of so many connections one is cut before the acknowledgement is out. */
const CUT_EVERY = 10;
const CONNECTIONS = 8;

/** An event as it reached the flow. */
interface Arrival {
  readonly key: string;
  readonly possibleDuplicate: boolean;
}

/** Two webhooks: one acknowledges when the file is written, the other on receipt. */
const flow = (file: string): Flows => [
  { ...simulated("account"), keepMessages: "computer" },
  tab("Storm"),
  webhook("hook-inbound", "inbound", {
    account: "account",
    acknowledge: "flow",
    ackTimeout: 20,
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
  { id: "ack", type: "messaging-webhook-ack", z: "tab", answer: "acknowledge", wires: [] },
  webhook("hook-status", "status", {
    account: "account",
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

for (const version of TESTED_VERSIONS) {
  describe(`a storm of events and two kills of Node-RED ${version}`, () => {
    let simulator: Simulator;
    let nodeRed: NodeRed;
    let received: string;
    let written: string;

    before(async function () {
      await requireNodeRed(this, version);
      const folder = await temporaryFolder("storm");
      received = join(folder, "received.jsonl");
      written = join(folder, "written.jsonl");
      writeFileSync(received, "");
      writeFileSync(written, "");
      nodeRed = await startNodeRed({
        version,
        userDir: await userDirWithPackage(),
        env: { TEST_RECORDER_FILE: received },
      });
      await nodeRed.deploy(flow(written));
      const webhooks = { firstRetry: 100, longestRetry: 1000, giveUpAfter: 200_000, timeout: 25_000 };
      simulator = await startSimulator({
        webhooks: { ...webhooks, connections: CONNECTIONS, cutEvery: CUT_EVERY },
      });
    });
    after(async () => {
      await simulator?.close();
      await nodeRed?.stop();
    });

    it("loses no event and repeats none without a mark when Node-RED is killed", async () => {
      const { main } = simulator;
      for (const kind of ["inbound", "status"] as const) {
        main.registerWebhook({ kind, url: `${nodeRed.url}/messaging/hook-${kind}?secret=${SECRET}` });
      }
      for (let each = 0; each < INBOUND; each++) {
        main.deliver("inbound", inboundMessage({ content: `message ${each}` }));
      }
      for (let each = 0; each < STATUSES; each++) {
        main.deliver("status", statusMessage({ transferId: `transfer ${each}` }));
      }
      for (let each = 0; each < REPORTS; each++) {
        main.deliver("status", deliveryReport({ notificationId: `notification ${each}` }));
      }
      for (const pending of [(ALL * 3) / 4, ALL / 2]) {
        await waitFor("a part of the events", () => main.pendingDeliveries < pending);
        await nodeRed.restart("kill");
      }
      await waitFor(
        () => `all events; ${main.pendingDeliveries} are pending`,
        () => main.pendingDeliveries === 0,
      );
      const attempts = main.deliveries.flatMap((delivery) => delivery.attempts);
      const cut = attempts.filter(({ problem }) => problem === "cut").length;
      assert.ok(cut >= ALL / CUT_EVERY, `${cut} cut`);
      assert.equal(main.deliveries.filter(({ state }) => state !== "acknowledged").length, 0);

      const recorded = lines(received) as { from: string; msg: { event: Arrival } }[];
      const inbound = tally(lines(written) as Arrival[]);
      const status = tally(recorded.filter(({ from }) => from === "hook-status").map(({ msg }) => msg.event));
      assert.equal(inbound.events, INBOUND);
      assert.equal(status.events, STATUSES + REPORTS);
      // Copies are events that a restart sent back, or inbound messages whose cut the killed process did not see.
      assert.deepEqual([inbound.unmarked, status.unmarked], [0, 0]);
      assert.ok(status.copies <= 2 * CONNECTIONS, `${status.copies} copies of status events`);
    });
  });
}
