// Slow: it disturbs real Node-REDs that send.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { planShortly } from "./disturbances";
import type { Storage } from "./flows";
import { runChaos } from "./run-chaos";
import { toTable } from "./story";

const { CHAOS_SEED: given } = process.env;
const TIMEOUT_MS = 400_000;

describe("Chaos", function () {
  this.timeout(TIMEOUT_MS);

  async function run(storage: Storage, nodeReds: number): Promise<boolean> {
    const seed = given === undefined ? randomInt(2 ** 32) : Number(given);
    const judged = await runChaos({ storage, nodeReds, seed, plan: planShortly(seed, storage) });
    if (judged === null) return false;
    console.log(toTable([judged]));
    assert.equal(judged.verdicts.length, 0, "broken promises");
    assert.ok(judged.observed.acceptances.length > 0, "accepted messages");
    return true;
  }

  it("keeps every promise with messages in a file", async () => {
    await run("sqlite", 1);
  });

  it("keeps every promise with messages in PostgreSQL for three Node-REDs", async function () {
    if (!(await run("postgresql", 3))) this.skip();
  });

  it("keeps every promise with messages in memory", async () => {
    await run("memory", 1);
  });
});
