import type { FlowLifecycle } from "../node-red/flow-lifecycle";
import type { IsInFlows } from "../store/removed-accounts";
import type { AccountNotice } from "./account-notice";

/** What an account takes from the Node-RED that it is in. */
export interface AccountSurroundings {
  /** Node-RED's user directory, where it is known. */
  readonly userDir?: string | undefined;
  readonly lifecycle: FlowLifecycle;
  /** Tells people something. */
  readonly warn: (text: string) => void;
  /** Tells people what concerns the account as a whole. */
  readonly tell: (notice: AccountNotice) => void;
  readonly isInFlows: IsInFlows;
}
