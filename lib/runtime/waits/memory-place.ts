import { randomUUID } from "node:crypto";
import { AccountMemory } from "../memory/account-memory";
import type { WaitPlace } from "./current-store";

/** This process: nobody else sees what is in its memory. */
const ID = randomUUID();

/** The waits of an account without a store, as a place that is always open. */
export function memoryPlace(
  account: string,
  { waits }: Pick<AccountMemory, "waits"> = AccountMemory.of(account),
): WaitPlace {
  waits.use();
  return {
    account,
    store: { engine: { exclusive: true, listen: (_topic, listener) => waits.listen(listener) }, waits },
    instances: { id: ID, mayLeave: true },
    watch: () => () => {},
    retain: () => async () => {},
  };
}
