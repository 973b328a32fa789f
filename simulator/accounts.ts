import { Account, type AccountOptions } from "./account";

const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Accounts that come into being by being called, so that a stray caller can't fill the memory. */
const MOST_UNASKED = 200;

/** Where a path leads: an account, and the rest of the path below its address. */
export interface Located {
  readonly account: Account;
  readonly path: string;
}

/** The accounts of one simulator: the main one at the root, each other under `/account/<id>`. */
export class Accounts {
  readonly main: Account;
  readonly #origin: string;
  readonly #options: AccountOptions;
  readonly #byId = new Map<string, Account>();

  /** @param origin address of the simulator without a slash at the end */
  constructor(origin: string, options: AccountOptions) {
    this.#origin = origin;
    this.#options = options;
    this.main = new Account(origin, options);
  }

  /** The account with this id, made on first use. Throws a TypeError for an id that can't stand in a path. */
  get(id: string): Account {
    if (!ACCOUNT_ID.test(id))
      throw new TypeError("account id: 1 to 64 letters, digits, dots, dashes, underscores");
    let account = this.#byId.get(id);
    if (!account) {
      account = new Account(`${this.#origin}/account/${id}`, this.#options);
      this.#byId.set(id, account);
    }
    return account;
  }

  /** Ends all that is under way to webhooks. */
  close(): void {
    for (const account of [this.main, ...this.#byId.values()]) account.callbacks.close();
  }

  /** Finds the account that a request path belongs to; null when there is none and none can be made. */
  locate(path: string): Located | null {
    const [, id, rest = "/"] = /^\/account\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (id === undefined) return { account: this.main, path };
    if (!ACCOUNT_ID.test(id)) return null;
    if (!this.#byId.has(id) && this.#byId.size >= MOST_UNASKED) return null;
    return { account: this.get(id), path: rest };
  }
}
