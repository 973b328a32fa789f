import type { QueueInstances } from "../../../shared/history/history";
import { type InstanceLoad, readInstanceLoads } from "../../../store/instance-loads";
import { instantOf } from "./message-record";
import type { AccountStore } from "../open-store";

/** Omits ended instances of a process that continues: each deploy may end one. Instances with work stay. */
function withoutFormerLives(instances: readonly InstanceLoad[]): readonly InstanceLoad[] {
  const seen = new Set<string>();
  return instances.filter(({ host, process, state, leaving, taken }) => {
    const name = JSON.stringify([host, process]);
    const isFormer = state === "ended" && seen.has(name);
    seen.add(name);
    return !isFormer || leaving + taken > 0;
  });
}

/** @throws StoreError */
export async function viewInstances({
  account,
  store,
  instances: me,
}: AccountStore): Promise<QueueInstances> {
  const { engine } = store;
  if (engine.exclusive) {
    return { instances: null, complete: true };
  }
  const { instances, complete } = await readInstanceLoads(engine, account);
  return {
    instances: withoutFormerLives(instances).map(({ id, startedAt, leaving, ...rest }) => ({
      ...rest,
      mine: id === me.id,
      startedAt: instantOf(startedAt),
      sending: leaving,
    })),
    complete,
  };
}
