import type { AccountConfig } from "../../lib/runtime/account/account-settings";
import { ACCOUNT_VALUES } from "../../lib/shared/fields/account-defaults";
import { withInitialValues } from "../../lib/shared/fields/initial-values";

/** The configuration of a new account, but for what is given. */
export const accountConfig = (given: Partial<AccountConfig> = {}): AccountConfig =>
  withInitialValues(ACCOUNT_VALUES, given);
