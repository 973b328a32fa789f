import { judge, type Judged } from "./judge";
import { tellVerdicts } from "./story";
import { World, type WorldOptions } from "./world";

/** Runs a world, judges it and prints its seed and the stories of broken promises. @returns null without PostgreSQL */
export async function runChaos(options: WorldOptions): Promise<Judged | null> {
  const { storage, seed } = options;
  const start = performance.now();
  const observed = await World.run(options);
  if (observed === null) return null;
  const judged = { observed, verdicts: judge(observed) };
  const seconds = Math.round((performance.now() - start) / 1_000);
  console.log(`${storage}, seed ${seed}, ${seconds} s: ${judged.verdicts.length} broken promises`);
  console.log(tellVerdicts(judged));
  return judged;
}
