import type { Dispatcher } from "../../../gateway/queue/dispatcher";
import type { SignInGate } from "../../../gateway/queue/sign-in-gate";
import type { QueueRules } from "../../../gateway/queue/stored/stored-messages";
import type { FlowLifecycle } from "../../node-red/flow-lifecycle";
import type { AccountStore } from "../open-store";

/** What a session of an outbox needs of its account: all that the settings of one deploy decide. */
export interface OutboxAccount {
  readonly id: string;
  /** Where its messages go: the address of the service, or `SIMULATOR`. */
  readonly destination: string;
  readonly dispatcher: Dispatcher;
  readonly signIns: SignInGate;
  readonly lifecycle: FlowLifecycle;
  /** Identities of the send nodes that exist, whether they are attached or not. */
  readonly sendNodes: () => readonly string[];
  /** Characters of the largest message that is kept whole. */
  readonly snapshotLimit: number;
  /** What is checked when a request leaves. */
  readonly leaveCheck: QueueRules;
  /** @throws StoreError */
  readonly openStore: () => Promise<AccountStore>;
  /** Gives a store back whose file is gone, so that it is opened anew. */
  readonly leaveStore: (store: AccountStore) => Promise<void>;
  /** Gets the number of waiting requests of other destinations, from time to time. */
  readonly elsewhere: (requests: number) => void;
  /** Tells people something. */
  readonly warn: (text: string) => void;
}
