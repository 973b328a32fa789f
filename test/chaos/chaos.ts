import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { planRandomly } from "./disturbances";
import type { Storage } from "./flows";
import type { Judged } from "./judge";
import { runChaos } from "./run-chaos";
import { toTable } from "./story";

/** The long form. Without `--store` each storage has a run. */
const STORAGES: readonly Storage[] = ["sqlite", "postgresql", "memory"];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      disturbances: { type: "string", default: "200" },
      seed: { type: "string", default: String(randomInt(2 ** 32)) },
      store: { type: "string" },
      "node-reds": { type: "string", default: "3" },
    },
  });
  const seed = Number(values.seed);
  const runs: Judged[] = [];
  for (const storage of STORAGES.filter((each) => values.store === undefined || each === values.store)) {
    const nodeReds = storage === "postgresql" ? Number(values["node-reds"]) : 1;
    const plan = planRandomly(seed, storage, Number(values.disturbances));
    const judged = await runChaos({ storage, nodeReds, seed, plan });
    if (judged !== null) runs.push(judged);
  }
  console.log(toTable(runs));
  return runs.length > 0 && runs.every(({ verdicts }) => verdicts.length === 0) ? 0 : 1;
}

// Processes of a run end with this one, but not by a signal alone.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
