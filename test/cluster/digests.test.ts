import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { digestFlow, EVERY } from "../support/crash/digest-flow";
import { DigestHandIn, type SettledDigests, settleDigests } from "../support/crash/digest-hand-in";
import { SeededRandom } from "../support/crash/seeded-random";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { type PostgresqlServer, startPostgresql } from "../support/store/postgresql-server";
import { waitFor } from "../support/wait-for";
import { ClusterNode, STORE_VARIABLE } from "./cluster-node";

/**
 * Three real Node-REDs with the packed package and one PostgreSQL gather in the same digests. Node-REDs are killed, amid what comes and right
 * after a digest has left them, and stopped for longer than the minute after which others call them dead; PostgreSQL is killed. A message that
 * a node said to have gathered must be in a digest of one of them, and in no second one without `restored`.
 */
const FULL = process.env.TEST_FULL === "1";
const { CLUSTER_SEED: given, CLUSTER_KILLS: kills, TEST_NODE_RED: only } = process.env;
const VERSION: NodeRedVersion = only === "5" ? 5 : 4;
const COUNT = 3;
const KILLS = Number(kills ?? (FULL ? 40 : 4));
const KEYS = 25;
/** ms between two looks for a digest that has left. */
const LOOK = 1;
/** ms after which others call a process that they do not hear of dead, and more than what follows. */
const LEASE = 60_000;
const PATIENCE = LEASE + 60_000;

describe("three Node-REDs that gather in one PostgreSQL", function () {
  this.timeout(FULL ? 60 * 60_000 : 600_000);
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given);
  const random = new SeededRandom(seed);
  const nodes: ClusterNode[] = [];
  let server: PostgresqlServer | null = null;

  before(async function () {
    console.log(`      CLUSTER_SEED=${seed}`);
    await requireNodeRed(this, VERSION);
    server = await startPostgresql();
    if (server === null) this.skip();
    const { url } = server;
    const credentials = { storeUrl: `\${${STORE_VARIABLE}}` };
    const flows = digestFlow({ keepMessages: "postgresql", credentials });
    const starting = Array.from({ length: COUNT }, (_none, at) => ClusterNode.start(at, VERSION, url, flows));
    const started = await Promise.allSettled(starting);
    for (const each of started) if (each.status === "fulfilled") nodes.push(each.value);
    for (const each of started) if (each.status === "rejected") throw each.reason;
  });
  after(async () => {
    await Promise.allSettled(nodes.map((node) => node.end()));
    await server?.remove();
  });

  const logs = () => nodes.map(({ nodeRed }) => nodeRed.log);
  const anyNode = (): ClusterNode => random.pick(nodes);

  /** The Node-RED of the next digest, before the store can be told that it has left, if it goes well. */
  async function nextToSend(): Promise<ClusterNode> {
    for (const log of logs()) log.read();
    const before = logs().map(({ digests }) => digests.length);
    for (;;) {
      await setTimeout(LOOK);
      for (const [at, node] of nodes.entries()) {
        const { log } = node.nodeRed;
        log.read();
        if (log.digests.length > (before[at] ?? 0)) return node;
      }
    }
  }

  async function killAndStart(node: ClusterNode): Promise<void> {
    await node.kill();
    node.nodeRed.log.nextLife();
    await node.launch();
    await node.nodeRed.untilStarted();
  }

  it("lose nothing, and send no digest twice without a mark", async () => {
    const handIn = new DigestHandIn(
      random,
      nodes.map(({ nodeRed }) => nodeRed.url),
      KEYS,
    );
    const handing = handIn.run();
    const gather = async (count: number): Promise<void> => {
      const enough = handIn.taken.size + count;
      await waitFor("messages to be gathered", () => handIn.taken.size > enough);
    };
    for (let kill = 0; kill < KILLS; kill++) {
      await gather(20);
      await setTimeout(random.between(0, EVERY));
      await killAndStart(kill % 2 === 0 ? await nextToSend() : anyNode());
      if (kill === Math.floor(KILLS / 2)) {
        await gather(20);
        await server?.kill();
        await server?.start();
      }
    }
    // Others send what the one that stands still has, and it sends that no more.
    const { nodeRed } = await nextToSend();
    nodeRed.freeze();
    await setTimeout(FULL ? LEASE + 15_000 : EVERY * 5);
    nodeRed.thaw();
    await gather(20);
    handIn.stop();
    await handing;

    const settle = (): SettledDigests => {
      for (const log of logs()) log.read();
      return settleDigests(handIn, logs());
    };
    await waitFor("everything to leave", () => settle().lost.length === 0, PATIENCE).catch(() => {});
    await Promise.all(nodes.map((node) => node.nodeRed.stop()));
    const { digests, restored, lost, breaches } = settle();
    const sent = logs().map((log) => log.digests.filter(({ over }) => !over).length);
    console.log(
      `      ${KILLS} kills; ${handIn.taken.size} messages gathered of ${handIn.handed.size}, ${digests} digests seen (${sent.join(" + ")}), ${restored} of them restored; ${lost.length} messages lost`,
    );
    assert.deepEqual([lost, breaches, nodes.flatMap((node) => node.nodeRed.breaches)], [[], [], []]);
    assert.ok(restored > 0, "no kill came while a digest was leaving");
    assert.ok(
      sent.every((count) => count > 0),
      "one of them has sent nothing",
    );
  });
});
