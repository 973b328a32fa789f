import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SeededRandom } from "../support/crash/seeded-random";
import type { ServiceProcess } from "../support/crash/service-process";
import type { PlannedMessage } from "../support/crash/traffic";
import { waitFor } from "../support/wait-for";
import type { ClusterDatabase } from "./cluster-database";
import type { ClusterNode } from "./cluster-node";
import { HandIn } from "./hand-in";

const MESSAGE: PlannedMessage = {
  at: 0,
  id: "m1",
  kind: "SMS",
  node: "sms-form",
  recipients: ["41700000001"],
  wrong: [],
  fault: null,
};

describe("what the cluster suite does with a message that timed out at a frozen Node-RED", () => {
  let server: Server;
  let handIn: HandIn;
  let running: Promise<void>;
  const attempts: number[] = [];

  /** @param stored numbers that the store has */
  async function start(stored: ReadonlySet<string>): Promise<void> {
    attempts.length = 0;
    server = createServer((request, response) => {
      let text = "";
      request.on("data", (piece: Buffer) => (text += piece.toString()));
      request.on("end", () => {
        attempts.push((JSON.parse(text) as { attempt: number }).attempt);
        response.writeHead(attempts.length === 1 ? 408 : 202).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const log = { life: 0, read: () => [], onResult: () => {} };
    const node = {
      at: 0,
      name: "A",
      takes: true,
      troubled: false,
      nodeRed: { url: `http://127.0.0.1:${port}`, log },
    };
    handIn = new HandIn(
      [node as unknown as ClusterNode],
      { announce: async () => {} } as unknown as ServiceProcess,
      { taken: async () => stored } as unknown as ClusterDatabase,
      new SeededRandom(1),
      [MESSAGE],
    );
    handIn.allow(1);
    running = handIn.run();
  }

  afterEach(async () => {
    handIn.end();
    await running;
    server.close();
  });

  it("hands it in again", async () => {
    await start(new Set());
    await waitFor("the second hand-in", () => attempts.length === 2);
    assert.deepEqual([attempts, handIn.refusals, handIn.breaches], [[1, 2], 1, []]);
  });

  it("calls it a breach where the store has it", async () => {
    await start(new Set(MESSAGE.recipients));
    await waitFor("the breach", () => handIn.breaches.length > 0);
    assert.deepEqual(handIn.breaches, ["m1: refused at hand-in 1, and it is in the store"]);
  });
});
