import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { COMMIT_MS } from "../support/crash/commit-time";
import { ACCOUNT } from "../support/crash/send-flow";
import { type CrashEvidence, CrashRun, type CrashRunOptions } from "./crash-run";
import { kindTable } from "../support/crash/kind-row";
import { sendAsNewUser } from "./new-user";
import { readLedger } from "./read-ledger";
import { SeededRandom } from "../support/crash/seeded-random";
import type { Settled } from "../support/crash/settle-people";
import { settle } from "./settle";

/**
 * A real Node-RED with the packed package is killed with SIGKILL at random moments and started again, until everything is
 * through; the simulator, in a process of its own, outlives it. Then the simulator's log, the ledger and what the flow wrote
 * down are compared. `CrashRun` says how the driver itself loses and repeats nothing. Random are the messages, what the
 * service does with them, and the moments of the kills; all but the exact moments come again with `CRASH_SEED=<seed>`.
 * `CRASH_KILLS` and `CRASH_MESSAGES` make a run shorter or longer, `TEST_NODE_RED` chooses 4 or 5, and
 * `COMMIT_MS=20` makes each commit take so many ms longer.
 * A kill leaves the computer running: what was written and not synced survives it. That syncs happen is tested elsewhere.
 */
const FULL = process.env.TEST_FULL === "1";
const { CRASH_SEED: given, CRASH_KILLS: kills, CRASH_MESSAGES: messages, TEST_NODE_RED: only } = process.env;

const VERSIONS: readonly NodeRedVersion[] = only === "5" ? [5] : only === "4" || !FULL ? [4] : [4, 5];
const [FIRST_VERSION = 4] = VERSIONS;
const DURABLE = {
  kills: Number(kills ?? (FULL ? 100 : 5)),
  messages: Number(messages ?? (FULL ? 10_000 : 300)),
  lists: FULL ? 12 : 2,
  longest: FULL ? 5_000 : 2_200,
  keepMessages: "computer",
  requestsPerSecond: 0,
} as const;
const MEMORY = {
  version: FIRST_VERSION,
  messages: 100,
  lists: 1,
  longest: 2_200,
  keepMessages: "memory",
} as const;
const PEOPLE = FULL ? 2_000 : 400;
const REQUESTS_PER_SECOND = 200;

/** Shows what a run came to, and how to repeat it; of one in memory the sum is enough. */
function show(
  { options, killsWhileStarting, handedInAgain }: CrashEvidence,
  { rows, breaches }: Settled,
): void {
  const { version, seed, kills: made, keepMessages } = options;
  const stored = keepMessages === "computer";
  const text = [
    `Node-RED ${version}, messages kept ${stored ? "in a store" : "in memory"}, CRASH_SEED=${seed}`,
    `${made} kills, ${killsWhileStarting} of them while starting; ${handedInAgain} messages handed in again`,
    kindTable(stored ? rows : rows.slice(-1)),
    ...(stored ? breaches.slice(0, 20) : []),
  ].join("\n");
  console.log(text.replace(/^/gm, "      "));
}

describe("kill -9", function () {
  if (FULL) this.timeout(35 * 60_000);
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given);

  before(async function () {
    console.log(`      CRASH_SEED=${seed}${COMMIT_MS > 0 ? `, each commit ${COMMIT_MS} ms longer` : ""}`);
    for (const version of VERSIONS) await requireNodeRed(this, version);
  });

  async function run(options: Omit<CrashRunOptions, "seed">): Promise<readonly [CrashEvidence, Settled]> {
    const evidence = await CrashRun.run({ ...options, seed });
    const ledger =
      options.keepMessages === "memory" ? null : await readLedger(evidence.nodeRed.storeFolder, ACCOUNT);
    const settled = settle(evidence, ledger);
    show(evidence, settled);
    return [evidence, settled];
  }

  it("finds nothing wrong with messages in memory while nothing is killed", async () => {
    const [, { rows, breaches }] = await run({ ...MEMORY, requestsPerSecond: 0, kills: 0 });
    const all = rows.at(-1);
    assert.deepEqual(breaches.slice(0, 20), []);
    assert.ok(all !== undefined && all.accepted > 0 && all.unknownByFault > 0 && all.refused > 0);
    assert.deepEqual([all.sentTwice, all.lost, all.withoutOutcome, all.unseen], [0, 0, 0, 0]);
  });

  it("finds the messages that a kill loses from memory", async () => {
    const [, { rows, breaches }] = await run({ ...MEMORY, requestsPerSecond: 40, kills: 2 });
    assert.ok((rows.at(-1)?.lost ?? 0) > 0, "nothing was lost");
    assert.ok(breaches.some((breach) => breach.includes("has not exactly one outcome")));
  });

  for (const version of VERSIONS) {
    it(`loses nothing and sends nothing twice with a store, Node-RED ${version}`, async () => {
      const [evidence, settled] = await run({ ...DURABLE, version });
      const { rows, breaches } = settled;
      const all = rows.at(-1);
      assert.deepEqual(breaches.slice(0, 20), []);
      assert.ok(all !== undefined && all.accepted > 0 && all.unknownByFault > 0);
      assert.deepEqual([all.sentTwice, all.lost, all.withoutOutcome, all.unseen], [0, 0, 0, 0]);
      assert.ok(evidence.underWay.size > 0, "no kill came while a request was under way");
    });
  }

  it("lets a list that is sent one by one go on after a kill", async () => {
    const evidence = await sendAsNewUser(
      VERSIONS.at(-1) ?? 4,
      new SeededRandom(seed),
      PEOPLE,
      REQUESTS_PER_SECOND,
    );
    const { people, service, nodeRed, storeAtKill, sentAtKill } = evidence;
    assert.ok(sentAtKill < people.length, "the kill came in the middle");
    assert.deepEqual(
      people.filter((number) => !storeAtKill.taken.has(number)),
      [],
      "everybody was in the store at the kill",
    );
    const ledger = await readLedger(nodeRed.storeFolder, ACCOUNT);
    for (const number of people) {
      const entries = ledger.get(number) ?? [];
      const underWay = storeAtKill.open.get(number) === "leaving";
      assert.deepEqual(
        entries.map(({ state, outcome }) => [state, outcome]),
        [["emitted", underWay ? "unknown" : "sent"]],
        number,
      );
      const sent = service.accepted.get(number) ?? 0;
      assert.ok(underWay ? sent <= 1 : sent === 1, `${number} was sent ${sent} times`);
    }
    assert.deepEqual(nodeRed.breaches, []);
    assert.deepEqual(nodeRed.log.caught, []);
  });
});
