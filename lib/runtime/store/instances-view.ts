import type { QueueInstances } from "../../shared/history";
import { readInstanceLoads } from "../../store/instance-loads";
import { instantOf } from "./message-record";
import type { AccountStore } from "./open-store";

/** The processes that share the store of an account, this one among them. @throws StoreError */
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
    instances: instances.map(({ id, startedAt, leaving, ...rest }) => ({
      ...rest,
      mine: id === me.id,
      startedAt: instantOf(startedAt),
      sending: leaving,
    })),
    complete,
  };
}
