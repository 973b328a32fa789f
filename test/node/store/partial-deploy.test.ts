import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { mock } from "node:test";
import { Recovery } from "../../../lib/store/jobs/recovery";
import { Settlements } from "../../../lib/store/jobs/settlements";
import { useFolder } from "../../unit/store/use-folder";
import { FaultServer } from "../../support/http/fault-server";
import { waitFor } from "../../support/wait-for";
import { ACCOUNT } from "../flow";
import { useSimulator } from "../use-simulator";
import { deploy, deployWith, ears, inStore, killed, SLOW, startStored, TO } from "./stored-flow";

type Settled = Parameters<Recovery["settled"]>;

/** Its nodes hear what the send node sends. */
const HEARD = {
  sender: { wires: Array(4).fill(["ear"]) },
  more: [{ id: "ear", z: "tab", type: "test-ear" }],
};

describe("a deploy of a node whose account keeps messages", () => {
  // Before the flow stops, which asks the store once more.
  afterEach(() => mock.restoreAll());
  const simulator = useSimulator();
  const folder = useFolder();

  it("of everything emits no result twice that left from the account of before and is not marked yet", async () => {
    const IN_FLIGHT = 32;
    const heard: unknown[] = [];
    const flow = await startStored(simulator, folder(), {
      ...HEARD,
      account: { connections: IN_FLIGHT },
      register: [ears(heard)],
    });
    const { emitted } = Settlements.prototype;
    const { settled } = Recovery.prototype;
    let release = (): void => {};
    const mayMark = new Promise<void>((resolve) => (release = resolve));
    mock.method(Settlements.prototype, "emitted", async function (this: Settlements, ids: readonly number[]) {
      await mayMark;
      await emitted.call(this, ids);
    });
    const answered = async (): Promise<boolean> =>
      (await inStore(folder(), "SELECT id FROM outbox WHERE state = 'settled'")).length === IN_FLIGHT;
    let read = 0;
    // The successor reads what the account of before has emitted, or is about to.
    mock.method(Recovery.prototype, "settled", async function (this: Recovery, ...which: Settled) {
      await waitFor("all answers in the store", answered);
      const page = await settled.apply(this, which);
      read += page.length;
      return page;
    });
    try {
      simulator.main.addFault({ times: IN_FLIGHT, answer: { statusCode: 2000, delayMs: 500 } });
      for (let n = 0; n < IN_FLIGHT; n++) flow.send({ to: TO, payload: n });
      await waitFor("all of them under way", () => simulator.main.requestCount >= IN_FLIGHT);
      await deploy("full");
      await waitFor("all results", () => heard.length >= IN_FLIGHT);
      await waitFor("the successor to look for results", () => read >= IN_FLIGHT);
      // What it emits leaves before this is answered.
      await inStore(folder(), "SELECT 1");
      assert.deepEqual(
        heard.sort((one, other) => Number(one) - Number(other)),
        Array.from({ length: IN_FLIGHT }, (_, n) => n),
      );
    } finally {
      release();
    }
  });

  it("of everything lets an answer to a message from before a restart leave at once from the new node", async () => {
    const first = await startStored(simulator, folder(), { account: SLOW });
    first.send({ to: TO, payload: "sent" });
    first.send({ to: TO, payload: "waits" });
    await first.ports[0]!.until(1);
    await waitFor(
      "both in the store",
      async () => (await inStore(folder(), "SELECT id FROM messages")).length === 2,
    );
    await first.stop();
    const heard: unknown[] = [];
    const asked: Socket[] = [];
    const server = await FaultServer.start({ onRequest: (_request, socket) => void asked.push(socket) });
    await killed(folder(), `UPDATE outbox SET destination = '${server.url}'`);
    await startStored(simulator, folder(), {
      ...HEARD,
      account: { serviceAddress: server.url },
      register: [ears(heard)],
    });
    await waitFor("the message under way", () => asked.length > 0);
    const { settled } = Recovery.prototype;
    // It is not found by looking for what has not left: nothing looks after the start of the flows.
    let looks = 0;
    mock.method(Recovery.prototype, "settled", async function (this: Recovery, ...which: Settled) {
      const page = await settled.apply(this, which);
      looks++;
      return page;
    });
    try {
      await deploy("full");
      await waitFor("the new flows to look for results", () => looks > 0);
      assert.deepEqual(heard, []);
      server.answered(asked[0]!);
      await waitFor("its result", () => heard.length > 0);
      assert.deepEqual(heard, ["waits"]);
    } finally {
      await server.close();
    }
  });

  it("of everything sends what waits to the paths of the new account", async () => {
    const asked: Socket[] = [];
    const server = await FaultServer.start({ onRequest: (_request, socket) => void asked.push(socket) });
    const flow = await startStored(simulator, folder(), {
      ...HEARD,
      sender: { ...HEARD.sender, type: "messaging-whatsapp-send", kind: "broadcast" },
      account: { serviceAddress: server.url, connections: 1 },
      register: [ears()],
    });
    try {
      flow.send({ to: TO, payload: "sent" });
      await waitFor("the first one under way", () => asked.length > 0);
      flow.send({ to: TO, payload: "waits" });
      await waitFor(
        "both in the store",
        async () => (await inStore(folder(), "SELECT id FROM messages")).length === 2,
      );
      await deployWith("full", { [ACCOUNT]: { restPrefix: true } });
      server.answered(asked[0]!);
      await waitFor("the second one under way", () => asked.length > 1);
      const [before, after] = server.requests.map(({ target }) => target);
      assert.equal(after, `/rest${before}`);
      server.answered(asked[1]!);
    } finally {
      await server.close();
    }
  });
});
