// Slow: it sends through a proxy that breaks hundreds of connections.
import assert from "node:assert/strict";
import { type Simulator, startSimulator } from "../../simulator/index";
import { stopServer } from "../node/flow";
import { type Certificates, makeCertificates } from "../support/http/certificates";
import { waitFor } from "../support/wait-for";
import { FaultProxy } from "./fault-proxy";
import type { Effect, Fault, Scene } from "./fault";
import { GATEWAY_FAULTS } from "./gateway-faults";
import { TOKEN_FAULTS } from "./token-faults";
import { GatewayLog, type Row, settle, table } from "./ledger";
import { hurry } from "../support/hurry";
import { Load } from "./load";
import { CONNECTIONS } from "./senders";

/** The full form takes thousands of messages and lets time pass at its own speed. */
const FULL = process.env.TEST_FULL === "1";
const MESSAGES = FULL ? 4_000 : 160;
const CALM = FULL ? 1_000 : 48;
const FACTOR = FULL ? 1 : 40;

const pass = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / FACTOR));

/** What must have happened besides, or a fault that never came about would look like one that was survived. */
function shows(effect: Effect, { unknown, retried, notSent }: Row): void {
  const found = { unknown: unknown > 0, retried: retried > 0, notSent: notSent > 0 };
  switch (effect) {
    case "none":
      assert.deepEqual(found, { unknown: false, retried: false, notSent: false });
      break;
    case "retried":
      assert.deepEqual(found, { unknown: false, retried: true, notSent: false });
      break;
    case "unknown":
      assert.deepEqual(found, { unknown: true, retried: false, notSent: false });
      break;
    case "refused":
      assert.deepEqual([found.unknown, found.notSent], [false, true]);
      break;
    case "raced":
      assert.equal(notSent, 0);
      break;
    case "mixed":
      assert.ok(found.retried || found.unknown);
      assert.equal(notSent, 0, "what could be sent again was sent in the end");
  }
}

describe("faults between node and gateway", () => {
  let simulator: Simulator;
  let certificates: Certificates;
  let load: Load | null = null;
  let normal = (): void => {};
  const proxies: FaultProxy[] = [];
  const rows: Row[] = [];

  before(async () => {
    // Every message of a fault is to be found there, however many pass.
    simulator = await startSimulator({ logEntries: 500_000 });
    certificates = makeCertificates();
    normal = hurry(FACTOR);
  });
  beforeEach(() => simulator.main.reset());
  afterEach(async () => {
    await load?.flow.stop();
    load = null;
    await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
  });
  after(async () => {
    normal();
    console.log(table(rows).replace(/^/gm, "      "));
    await simulator.close();
    await stopServer();
  });

  async function scene(tls: boolean): Promise<Scene> {
    const gateway = new FaultProxy(simulator.port, tls ? certificates.good : undefined);
    const tokens = new FaultProxy(simulator.port);
    proxies.push(gateway, tokens);
    await Promise.all(proxies.map((proxy) => proxy.start()));
    return { gateway, tokens, simulator, certificates, pass };
  }

  async function start({ gateway, tokens }: Scene, account: Fault["account"], tls: boolean): Promise<Load> {
    const addresses = { serviceAddress: gateway.url, tokenAddress: tokens.url };
    const trust = { id: "n-tls", type: "tls-config", cert: "", key: "", ca: "", verifyservercert: true };
    load = await Load.start(
      "m",
      simulator,
      { ...addresses, attempts: 20, ...(tls && { tls: trust.id }), ...account },
      tls ? [trust] : [],
      tls ? { [trust.id]: { cadata: certificates.authority.cert } } : {},
    );
    return load;
  }

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
          for (const release of held.splice(0)) {
            release();
          }
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

  for (const fault of [...GATEWAY_FAULTS, ...TOKEN_FAULTS]) {
    it(fault.name, async () => {
      const { name, effect, disturbance, during, tls = false } = fault;
      const stage = await scene(tls);
      const { gateway, tokens } = stage;
      const log = new GatewayLog(simulator);
      const resentTooMuch: string[] = [];
      gateway.onRepeat = (id) => void (log.has(id) && resentTooMuch.push(id));
      const running = await start(stage, fault.account, tls);
      const before = await calm(running, gateway, log);

      gateway.clear();
      gateway.disturb((typeof disturbance === "function" ? disturbance(stage) : disturbance) ?? null);
      let over = during === undefined;
      const course = during?.(stage).finally(() => {
        over = true;
      });
      const ids = await running.run((sent) => over && sent >= MESSAGES);
      await course;
      // The node may know of a broken connection before the proxy does.
      await waitFor("the proxy to notice every broken connection", () => gateway.inFlight === 0);
      gateway.disturb(null);
      const { row, breaches } = settle(name, ids, running, gateway, log);
      rows.push(row);
      assert.deepEqual(breaches.slice(0, 10), []);
      assert.deepEqual(resentTooMuch, []);
      assert.deepEqual([row.doubleSends, row.lost], [0, 0]);
      assert.ok(gateway.hits + tokens.hits > 0, "the fault came about");
      shows(effect, row);

      // Several times, for other work of the computer may slow one of them down.
      let after = 0;
      for (let round = 0; round < 5 && after <= before / 5; round++) {
        after = await calm(running, gateway, log);
      }
      assert.ok(after > before / 5, `${after.toFixed(0)} messages a second, ${before.toFixed(0)} before`);
    });
  }
});
