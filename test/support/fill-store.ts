import { randomUUID } from "node:crypto";
import { shareSqlite } from "../../lib/store/engine/sqlite/shared-sqlite";
import type { Instances } from "../../lib/store/instances";
import { Store } from "../../lib/store/store";
import { TestClock } from "../unit/store/suite/store-under-test";

/** A store that a test fills before a Node-RED opens it. */
export interface Filling {
  readonly store: Store;
  /** Starts at the present. */
  readonly clock: TestClock;
  /** The instance that sends. */
  readonly me: string;
  readonly instances: Instances;
}

/** Fills the store in a folder as a process does that is gone when this resolves. */
export async function fillStore(folder: string, fill: (filling: Filling) => Promise<void>): Promise<void> {
  const { engine, release } = await shareSqlite(folder);
  const clock = new TestClock();
  clock.time = Date.now();
  const store = new Store(engine, { keepTexts: true, clock });
  const me = randomUUID();
  const instances = store.instances(me);
  try {
    await instances.start();
    await fill({ store, clock, me, instances });
  } finally {
    await release();
  }
}
