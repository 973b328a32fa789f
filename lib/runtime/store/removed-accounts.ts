import type { Retention } from "../../store/retention";

/** Whether the flows have an account of this id, running or disabled. */
export type IsInFlows = (account: string) => boolean;

/** An account that has the store open. */
export interface OpenAccount {
  readonly account: string;
  /** ms for which it keeps messages. */
  readonly keepFor: number;
}

/**
 * Deletes one slice of what accounts have left that the flows no longer have. It is kept as long as the account that keeps its
 * messages longest: nobody knows how long they themselves would have.
 * @returns whether there may be more
 * @throws StoreError
 */
export async function deleteRemoved(
  retention: Pick<Retention, "accounts" | "deleteRemoved">,
  open: ReadonlySet<OpenAccount>,
  isInFlows: IsInFlows,
): Promise<boolean> {
  const accounts = [...open];
  // Whoever does not find the open accounts would not find the others either.
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
