import "../../use-features";
import { startAccount } from "../../lib/runtime/account/account-node";
import type { AccountConfig, AccountCredentials } from "../../lib/runtime/account/account-settings";
import type { AcquireSimulator } from "../../lib/runtime/account/simulator-link";
import type { NodeRuntime } from "../../lib/runtime/node-red/register-node";
import { ACCOUNT_VALUES } from "../../lib/shared/fields/account-defaults";
import { NO_LABELS } from "../../lib/texts/field-labels";

export const accountNode = (
  acquireSimulator: AcquireSimulator,
): NodeRuntime<AccountConfig, AccountCredentials> => ({
  initial: ACCOUNT_VALUES,
  labels: NO_LABELS,
  start: (RED, node, config) => startAccount(RED, node, config, acquireSimulator),
});
