import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator/index";
import { stopServer } from "../node/flow";
import { waitFor } from "../support/wait-for";
import { FaultProxy } from "./fault-proxy";
import { type Effect, GATEWAY_FAULTS } from "./gateway-faults";
import { GatewayLog, type Row, settle, table } from "./ledger";
import { CONNECTIONS, hurry, Load } from "./load";

/** The full form takes thousands of messages and lets time pass at its own speed. */
const FULL = process.env.TEST_FULL === "1";
const MESSAGES = FULL ? 4_000 : 240;
const CALM = FULL ? 1_000 : 96;
const FACTOR = FULL ? 1 : 20;

const pass = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / FACTOR));

/** What must have happened besides, or a fault that never came about would look like one that was survived. */
function shows(effect: Effect, { unknown, retried, notSent }: Row): void {
  assert.equal(notSent, 0, "everything that could be sent again was sent in the end");
  if (effect === "none") {
    assert.deepEqual([unknown, retried], [0, 0]);
  } else if (effect === "retried") {
    assert.equal(unknown, 0);
    assert.ok(retried > 0);
  } else if (effect === "unknown") {
    assert.ok(unknown > 0);
    assert.equal(retried, 0, "what may have arrived is never sent again");
  }
}

describe("faults between node and gateway", function () {
  this.timeout(FULL ? 300_000 : 30_000);
  let simulator: Simulator;
  let load: Load | null = null;
  let slow = (): void => {};
  const proxies: FaultProxy[] = [];
  const rows: Row[] = [];

  before(async () => {
    simulator = await startSimulator();
    slow = hurry(FACTOR);
  });
  beforeEach(() => simulator.main.reset());
  afterEach(async () => {
    await load?.flow.stop();
    load = null;
    for (const proxy of proxies.splice(0)) {
      await proxy.stop();
    }
  });
  after(async () => {
    slow();
    console.log(table(rows).replace(/^/gm, "      "));
    await simulator.close();
    await stopServer();
  });

  /** Sends without any fault, by all connections, and says how fast that was, in messages a second. */
  async function calm(running: Load, proxy: FaultProxy, log: GatewayLog): Promise<number> {
    proxy.clear();
    // Nothing is answered until every connection is in use, which it never would be if a fault had cost one.
    const held: (() => void)[] = [];
    proxy.disturb({
      every: 1,
      onRequest: async (exchange) => {
        const answer = await exchange.forward();
        held.push(() => exchange.answer(answer));
        if (held.length >= CONNECTIONS) {
          proxy.disturb(null);
          held.splice(0).forEach((release) => release());
        }
      },
    });
    const began = performance.now();
    const ids = await running.run((sent) => sent >= CALM);
    const speed = CALM / ((performance.now() - began) / 1000);
    const { row, breaches } = settle("none", ids, running, proxy, log);
    assert.deepEqual(breaches, []);
    assert.deepEqual([row.accepted, row.retried], [CALM, 0]);
    return speed;
  }

  for (const { name, effect, account = {}, disturbance = null, during } of GATEWAY_FAULTS) {
    it(name, async () => {
      const proxy = new FaultProxy(simulator.port);
      proxies.push(proxy);
      await proxy.start();
      const log = new GatewayLog(simulator);
      const resentTooMuch: string[] = [];
      proxy.onRepeat = (id) => void (log.has(id) && resentTooMuch.push(id));
      const running = await Load.start("m", simulator, {
        serviceAddress: proxy.url,
        tokenAddress: simulator.url,
        attempts: 20,
        ...account,
      });
      load = running;
      const before = await calm(running, proxy, log);

      proxy.clear();
      proxy.disturb(disturbance);
      let over = during === undefined;
      const fault = during?.(proxy, pass).finally(() => {
        over = true;
      });
      const ids = await running.run((sent) => over && sent >= MESSAGES);
      await fault;
      // The node may know of a broken connection before the proxy does.
      await waitFor("the proxy to notice every broken connection", () => proxy.inFlight === 0);
      proxy.disturb(null);
      const { row, breaches } = settle(name, ids, running, proxy, log);
      rows.push(row);
      assert.deepEqual(breaches.slice(0, 10), []);
      assert.deepEqual(resentTooMuch, []);
      assert.deepEqual([row.doubleSends, row.lost], [0, 0]);
      assert.ok(proxy.hits > 0);
      shows(effect, row);

      const after = await calm(running, proxy, log);
      assert.ok(after > before / 5, `${after.toFixed(0)} messages a second, ${before.toFixed(0)} before`);
    });
  }
});
