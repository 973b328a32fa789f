import type { Retention } from "../../store/retention";

/** True if the flows have the account, running or disabled. */
export type IsInFlows = (account: string) => boolean;

export interface OpenAccount {
  readonly account: string;
  /** Milliseconds. */
  readonly keepFor: number;
}

/** Deletes a slice by the longest period of all accounts, because the removed ones are unknown. @throws StoreError */
export async function deleteRemoved(
  retention: Pick<Retention, "accounts" | "deleteRemoved">,
  open: ReadonlySet<OpenAccount>,
  isInFlows: IsInFlows,
): Promise<boolean> {
  const accounts = [...open];
  // If open accounts are not in the flows, the list of flows is incomplete.
  if (accounts.length === 0 || !accounts.every(({ account }) => isInFlows(account))) {
    return false;
  }
  const longest = Math.max(...accounts.map(({ keepFor }) => keepFor));
  const removed = (await retention.accounts()).filter((account) => !isInFlows(account));
  let more = false;
  for (const account of removed) {
    more = (await retention.deleteRemoved(account, longest)) || more;
  }
  return more;
}
