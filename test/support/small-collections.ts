import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options?: { readonly type: "minor" }) => void;

let collector: Collect | undefined;

/** The engine's collector, for everything or, as it mostly works, only for what is young. */
export function collect(what: "everything" | "the young"): void {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as Collect;
  }
  collector(what === "the young" ? { type: "minor" } : undefined);
}

/** Rounds in which the engine may have collected everything by itself, before it is a fault. */
const MOST_ROUNDS = 50;

/** Bytes in use that small collections alone did not give back while `work` went on. It is repeated where the engine collected everything meanwhile. */
export async function leftBySmallCollections(work: () => unknown): Promise<number> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    collect("everything");
    await reported();
    const large: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => large.push(...list.getEntries().filter(isLarge)));
    observer.observe({ entryTypes: ["gc"] });
    const before = process.memoryUsage().heapUsed;
    await work();
    collect("the young");
    collect("the young");
    const left = process.memoryUsage().heapUsed - before;
    await reported();
    large.push(...observer.takeRecords().filter(isLarge));
    observer.disconnect();
    if (large.length === 0) {
      return left;
    }
  }
  throw new Error(`the engine collected everything in each of ${MOST_ROUNDS} rounds`);
}

/** The engine reports a collection a moment after it. */
async function reported(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Entries of collections have their kind in a detail that the types do not know. */
const isLarge = (entry: PerformanceEntry & { readonly detail?: { readonly kind?: number } }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
