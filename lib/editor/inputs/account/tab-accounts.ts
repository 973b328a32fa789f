import { enabledAccounts } from "../../dialog/enabled-accounts";
import type { EditedNode } from "../../dialog/node-definition";

export const accountsOnTab = (tab: unknown): readonly EditedNode[] =>
  enabledAccounts().filter(({ users = [] }) => (users as readonly EditedNode[]).some(({ z }) => z === tab));

/** Excludes accounts of other tabs. */
export const accountsForTab = (tab: unknown): readonly EditedNode[] =>
  enabledAccounts().filter(({ z }) => !z || z === tab);
