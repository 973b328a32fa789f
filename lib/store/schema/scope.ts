/** Destination of requests to the built-in simulator; that of others is the address of their service. */
export const SIMULATOR = "simulator";

const SUFFIX = " simulated";

/** Returns the account as tables of rules, replies and events have it: there, live and simulated messages never meet. */
export const getScope = (account: string, simulated: boolean): string =>
  simulated ? `${account}${SUFFIX}` : account;

/** Returns the account of a scope. */
export const getAccount = (scope: string): string =>
  scope.endsWith(SUFFIX) ? scope.slice(0, -SUFFIX.length) : scope;

/** The scope of an account with a destination. */
export const scopeSql = (account: string, destination: string): string =>
  `(${account} || CASE ${destination} WHEN '${SIMULATOR}' THEN '${SUFFIX}' ELSE '' END)`;

/** The scope of a row of `messages`. */
export const scopeOfMessage = (message: string): string =>
  `(${message}.account || CASE ${message}.simulated WHEN 1 THEN '${SUFFIX}' ELSE '' END)`;

/** Condition on a scope to be one of the account's. */
export const isOfAccount = (scope: string, account: string): string =>
  `${scope} IN (${account}, ${account} || '${SUFFIX}')`;
