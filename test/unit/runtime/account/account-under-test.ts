import { Account } from "../../../../lib/runtime/account/account";
import type { AccountConfig, AccountCredentials } from "../../../../lib/runtime/account/account-settings";
import type { AccountSurroundings } from "../../../../lib/runtime/account/account-sending";
import type { AcquireSimulator } from "../../../../lib/runtime/account/simulator-link";
import type { FlowLifecycle } from "../../../../lib/runtime/node-red/flow-lifecycle";
import { accountConfig } from "../../../support/account-config";

/** Parts of an account that a test decides about. */
export interface Given extends Partial<AccountSurroundings> {
  readonly id?: string;
  readonly config: Partial<AccountConfig>;
  readonly credentials?: AccountCredentials;
  readonly acquire?: AcquireSimulator;
}

/** Flows that run. */
export const RUNNING = { running: true, onStarted: () => () => true } as unknown as FlowLifecycle;

/** An account of a Node-RED that has nothing else. What its configuration lacks is as in a new one. */
export const accountWith = ({
  id = "account",
  config,
  credentials = {},
  acquire,
  ...around
}: Given): Account =>
  new Account(
    id,
    accountConfig(config),
    credentials,
    () => null,
    acquire ?? (() => Promise.reject(new Error("no simulator"))),
    {
      lifecycle: RUNNING,
      warn: () => {},
      tell: () => {},
      isInFlows: () => true,
      ...around,
    },
  );
