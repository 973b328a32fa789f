import type { Engine } from "../../../../lib/store/engine/engine";
import { VirtualTiming } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";
import { TestNode, WaitingProcess } from "./waiting-process";

/** ms after which time passes: on a busy machine a database may fail once, and is asked again after a pause. */
const PATIENCE = 3_000;
const RETRY = 1_000;

/** Gives an empty store. */
export type OpenEngine = () => Promise<{ engine: Engine; close: () => Promise<void> }>;

export interface Started {
  readonly process: WaitingProcess;
  /** Its node `n1`. */
  readonly node: TestNode;
  readonly leave: () => void;
}

export interface Processes {
  readonly engine: Engine;
  readonly timing: VirtualTiming;
  /** @param knows see `WaitingProcess.start` */
  readonly start: (node?: TestNode, knows?: string) => Promise<Started>;
  /** Waits for messages of a node. */
  readonly seen: (node: TestNode, count: number) => Promise<unknown>;
  /** Waits until a node waits for so many people. */
  readonly open: (node: TestNode, count: number) => Promise<unknown>;
  /** Lets time pass until something is so, an interval at a time: what the store does takes real time. */
  readonly until: (what: string, probe: () => boolean, ms?: number) => Promise<unknown>;
}

/** Processes on an empty store for each test, ended after it. */
export function useProcesses(open: OpenEngine): () => Processes {
  const started: WaitingProcess[] = [];
  let close = async (): Promise<void> => {};
  let processes: Processes;

  beforeEach(async () => {
    const timing = new VirtualTiming(Date.now());
    const opened = await open();
    const { engine } = opened;
    close = opened.close;
    const inPatience = (what: () => string, probe: () => boolean): Promise<unknown> => {
      let patience = performance.now() + PATIENCE;
      return waitFor(what, async () => {
        if (performance.now() > patience) {
          patience += PATIENCE;
          await timing.advance(RETRY);
        }
        return probe();
      });
    };
    processes = {
      engine,
      timing,
      start: async (node = new TestNode(), knows?: string) => {
        const process = await WaitingProcess.start(engine, timing, "a1", knows);
        started.push(process);
        const leave = process.waits.join("n1", node);
        await process.settle();
        return { process, node, leave };
      },
      seen: (node, count) =>
        inPatience(
          () => `${count} ends; there are ${node.ends.length}: ${node.seen.slice(0, 5).join(", ")}`,
          () => node.ends.length >= count,
        ),
      open: (node, count) =>
        inPatience(
          () => `${count} open; there are ${node.open}`,
          () => node.open === count,
        ),
      until: (what, probe, ms = 1_000) =>
        waitFor(what, async () => {
          await timing.advance(ms);
          return probe();
        }),
    };
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.end()));
    await close();
  });
  return () => processes;
}
