import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import type { NodeRedVersion } from "../support/node-red/node-red-versions";
import { COMMIT_MS } from "../support/crash/commit-time";
import { requireNodeRed } from "../support/node-red/require-node-red";
import { clusterSummary } from "./cluster-summary";
import { type ClusterEvidence, ClusterRun, type ClusterRunOptions } from "./cluster-run";
import { fullPlan, shortPlan } from "./plan";
import type { Settled } from "../support/crash/settle-people";
import { settle } from "./settle";

/**
 * Three real Node-REDs with the packed package, one account and one PostgreSQL; the service, in a process of its own, outlives them.
 * Node-REDs are killed, stopped and cut off, PostgreSQL is too, until everything is through. Then the records of the service, the
 * database, and what the three flows wrote down are compared. Random are the messages, what the service does with them, what is done
 * to whom, and when; all but the exact moments come again with `CLUSTER_SEED=<seed>`. `CLUSTER_KILLS` and `CLUSTER_MESSAGES` make the
 * full form shorter or longer, `CLUSTER_LIST` its long lists; `TEST_NODE_RED` chooses 4 or 5, and `COMMIT_MS=20` makes each
 * commit of the server take so many ms longer.
 */
const FULL = process.env.TEST_FULL === "1";
const {
  CLUSTER_SEED: given,
  CLUSTER_KILLS: kills,
  CLUSTER_MESSAGES: messages,
  CLUSTER_LIST: list,
  TEST_NODE_RED: only,
} = process.env;

const VERSION: NodeRedVersion = only === "5" ? 5 : 4;
const COUNT = 3;
const OPTIONS: Omit<ClusterRunOptions, "seed"> = FULL
  ? {
      version: VERSION,
      count: COUNT,
      messages: Number(messages ?? 20_000),
      lists: 6,
      longest: 1_500,
      longLists: 2,
      longList: Number(list ?? 100_000),
      requestsPerSecond: 40,
      plan: (random) => fullPlan(random, Number(kills ?? 50), COUNT, 2),
    }
  : {
      version: VERSION,
      count: COUNT,
      messages: Number(messages ?? 400),
      lists: 1,
      longest: 1_200,
      longLists: 1,
      longList: Number(list ?? 3_000),
      requestsPerSecond: 25,
      plan: shortPlan,
    };

const MOST_A_SECOND = OPTIONS.requestsPerSecond + 1;

/** What was done when, to find what has caused a breach. */
const timeline = ({ disturbances }: ClusterEvidence): readonly string[] =>
  disturbances.map(
    ({ kind, node, from, to }) =>
      `${from} to ${to}, ${new Date(from).toISOString()}: ${kind} ${node === null ? "" : "ABC"[node]}`,
  );

describe("three Node-REDs with one account in PostgreSQL", function () {
  // The whole run is one hook. The full form takes as long as the machine has other work.
  this.timeout(FULL ? 120 * 60_000 : 600_000);
  const seed = given === undefined ? randomInt(2 ** 32) : Number(given);
  let evidence: ClusterEvidence;
  let settled: Settled;

  before(async function () {
    console.log(`      CLUSTER_SEED=${seed}${COMMIT_MS > 0 ? `, each commit ${COMMIT_MS} ms longer` : ""}`);
    await requireNodeRed(this, VERSION);
    const run = await ClusterRun.run({ ...OPTIONS, seed });
    if (run === null) this.skip();
    evidence = run;
    settled = settle(evidence, evidence.ledger);
    const { requests, late, requestsAt } = evidence.busiest;
    const wrong = [
      ...settled.breaches.slice(0, 20),
      ...evidence.events.breaches.slice(0, 20),
      ...(requests - late > MOST_A_SECOND ? [`requests of the busiest second: ${requestsAt.join(" ")}`] : []),
    ];
    const text = [
      `CLUSTER_SEED=${seed}`,
      clusterSummary(evidence, settled),
      ...(wrong.length > 0 ? [...wrong, ...timeline(evidence)] : []),
    ];
    console.log(text.join("\n").replace(/^/gm, "      "));
  });

  it("send every message once, and give each exactly one outcome", () => {
    assert.deepEqual(settled.breaches.slice(0, 20), []);
    const all = settled.rows.at(-1);
    assert.ok(all !== undefined && all.accepted > 0);
    assert.deepEqual([all.sentTwice, all.lost, all.withoutOutcome, all.unseen], [0, 0, 0, 0]);
  });

  it("keep to the rate of the account together", () => {
    const { requests, late, at, all } = evidence.busiest;
    const { requestsPerSecond } = OPTIONS;
    assert.ok(all > requestsPerSecond, `there were only ${all} requests`);
    assert.ok(
      requests - late <= MOST_A_SECOND,
      `${requests} requests in the second from ${new Date(at).toISOString()}, the limit is ${requestsPerSecond}`,
    );
  });

  it("take every event of the webhooks once", () => {
    const { made, seen, breaches } = evidence.events;
    assert.deepEqual(breaches.slice(0, 20), []);
    assert.ok(made > 0);
    assert.equal(seen, made);
  });

  it("had requests under way when they were killed", () => {
    // A run with few kills may miss every one.
    assert.ok(evidence.underWay.size > 0 || !FULL);
    assert.ok(evidence.disturbances.some(({ kind }) => kind === "kill"));
  });
});
