import { enabledAccounts } from "../../dialog/enabled-accounts";
import type { EditedNode } from "../../dialog/node-definition";

/** Every account that nodes on a tab, or in a subflow, use. The editor keeps the users of each account. */
export const accountsOnTab = (tab: unknown): readonly EditedNode[] =>
  enabledAccounts().filter(({ users = [] }) => (users as readonly EditedNode[]).some(({ z }) => z === tab));

/** The accounts that nodes on a tab can use: those of other tabs cannot. */
export const accountsForTab = (tab: unknown): readonly EditedNode[] =>
  enabledAccounts().filter(({ z }) => !z || z === tab);
