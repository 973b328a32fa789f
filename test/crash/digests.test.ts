import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { digestFlow, EVERY } from "../support/crash/digest-flow";
import { DigestHandIn, type SettledDigests, settleDigests } from "../support/crash/digest-hand-in";
import { KilledNodeRed } from "../support/crash/killed-node-red";
import { SeededRandom } from "../support/crash/seeded-random";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { waitFor } from "../support/wait-for";

/**
 * A real Node-RED with the packed package gathers messages and is killed: amid what comes, and right after a digest has left. A message that its
 * node said to have gathered must be in a digest that the flow saw, and in no second one without `restored`.
 */
const FULL = process.env.TEST_FULL === "1";
const { CRASH_SEED: given, CRASH_KILLS: kills, TEST_NODE_RED: only } = process.env;
const VERSIONS: readonly NodeRedVersion[] = only === "5" ? [5] : only === "4" || !FULL ? [4] : [4, 5];
const KILLS = Number(kills ?? (FULL ? 60 : 6));
const KEYS = 25;
/** ms between two looks for a digest that has left. */
const LOOK = 1;

interface Run extends SettledDigests {
  readonly taken: number;
}

describe("kill -9 while messages are gathered", function () {
  if (FULL) this.timeout(35 * 60_000);
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given);

  before(async function () {
    console.log(`      CRASH_SEED=${seed}`);
    for (const version of VERSIONS) await requireNodeRed(this, version);
  });

  async function run(
    version: NodeRedVersion,
    keepMessages: "computer" | "memory",
    count: number,
  ): Promise<Run> {
    const random = new SeededRandom(seed);
    const nodeRed = await KilledNodeRed.start({ version }, digestFlow({ keepMessages }));
    try {
      const { log } = nodeRed;
      const handIn = new DigestHandIn(random, [nodeRed.url], KEYS);
      const handing = handIn.run();
      for (let kill = 0; kill < count; kill++) {
        const taken = handIn.taken.size;
        await waitFor("messages to be gathered", () => handIn.taken.size > taken);
        await setTimeout(random.between(0, EVERY));
        if (kill % 2 === 0) {
          await afterNextDigest(nodeRed);
        }
        await nodeRed.kill();
        log.nextLife();
        await nodeRed.launch();
        await nodeRed.untilStarted();
      }
      handIn.stop();
      await handing;
      const settle = (): SettledDigests => {
        log.read();
        return settleDigests(handIn, [log]);
      };
      if (keepMessages === "computer") {
        await waitFor("everything to leave", () => settle().lost.length === 0, 20_000).catch(() => {});
      }
      await nodeRed.stop();
      const settled = { ...settle(), taken: handIn.taken.size };
      const { taken, digests, restored, lost, breaches } = settled;
      console.log(
        `      Node-RED ${version}, ${keepMessages}: ${count} kills; ${taken} messages gathered, ${digests} digests seen, ${restored} of them restored; ${lost.length} messages lost`,
      );
      return { ...settled, breaches: [...breaches, ...nodeRed.breaches, ...log.caught] };
    } catch (error) {
      console.log(nodeRed.logs().slice(-4_000));
      throw error;
    } finally {
      await nodeRed.end();
    }
  }

  /** Before its store can be told that it has left, if it goes well. */
  async function afterNextDigest({ log }: KilledNodeRed): Promise<void> {
    log.read();
    const before = log.digests.length;
    while (log.digests.length === before) {
      await setTimeout(LOOK);
      log.read();
    }
  }

  it("finds the messages that a kill loses from memory", async () => {
    const { lost } = await run(VERSIONS[0] ?? 4, "memory", 1);
    assert.ok(lost.length > 0, "nothing was lost");
  });

  for (const version of VERSIONS) {
    it(`loses nothing that was gathered in a store, and sends no digest twice without a mark, Node-RED ${version}`, async () => {
      const { taken, digests, restored, lost, breaches } = await run(version, "computer", KILLS);
      assert.deepEqual([lost, breaches], [[], []]);
      assert.ok(taken > digests && digests > KILLS, `${taken} messages in ${digests} digests`);
      assert.ok(restored > 0, "no kill came while a digest was leaving");
    });
  }
});
