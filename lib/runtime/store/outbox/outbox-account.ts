import type { Dispatcher } from "../../../gateway/queue/dispatcher";
import type { SignInGate } from "../../../gateway/queue/sign-in-gate";
import type { QueueRules } from "../../../gateway/queue/stored/stored-messages";
import type { FlowLifecycle } from "../../node-red/flow-lifecycle";
import type { AccountStore } from "../open-store";

/** Depends on the settings of one deploy. */
export interface OutboxAccount {
  readonly id: string;
  readonly destination: string;
  readonly dispatcher: Dispatcher;
  readonly signIns: SignInGate;
  readonly lifecycle: FlowLifecycle;
  /** Identities of all existing send nodes, attached or not. */
  readonly sendNodes: () => readonly string[];
  /** Characters. */
  readonly snapshotLimit: number;
  readonly leaveCheck: QueueRules;
  /** @throws StoreError */
  readonly openStore: () => Promise<AccountStore>;
  /** Releases a store whose file is gone, so that it is opened again. */
  readonly leaveStore: (store: AccountStore) => Promise<void>;
  /** Receives the number of waiting requests of other destinations. */
  readonly elsewhere: (requests: number) => void;
  readonly warn: (text: string) => void;
}
