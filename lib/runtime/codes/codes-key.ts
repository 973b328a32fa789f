import { randomBytes } from "node:crypto";
import type { Account } from "../account/account";

const keys = new WeakMap<Account, Buffer>();

/** The key of an account's hashes. */
export async function codesKey(account: Account): Promise<Buffer> {
  const key = keys.get(account) ?? randomBytes(32);
  keys.set(account, key);
  return key;
}
