import { Account, type AccountOptions } from "./account";

const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Limit for accounts that controls create; programs may create any number. */
const MAX_ACCOUNTS_BY_CONTROL = 200;

export interface Located {
  readonly id: string | null;
  readonly account: Account | null;
  readonly path: string;
}

export class Accounts {
  readonly main: Account;
  readonly #byId = new Map<string, Account>();

  constructor(
    private readonly origin: string,
    private readonly options: AccountOptions,
  ) {
    this.main = new Account(origin, options);
  }

  get(id: string): Account {
    if (!ACCOUNT_ID.test(id))
      throw new TypeError("account id: 1 to 64 letters, digits, dots, dashes, underscores");
    let account = this.#byId.get(id);
    if (!account) {
      account = new Account(`${this.origin}/account/${id}`, this.options);
      this.#byId.set(id, account);
    }
    return account;
  }

  close(): void {
    for (const account of [this.main, ...this.#byId.values()]) account.callbacks.close();
  }

  forControl({ id, account }: Located): Account | null {
    if (account || id === null) return account;
    return ACCOUNT_ID.test(id) && this.#byId.size < MAX_ACCOUNTS_BY_CONTROL ? this.get(id) : null;
  }

  /** Finds the account that a path addresses. Creates none, so that unknown callers leave nothing behind. */
  locate(path: string): Located {
    const [, id, rest = "/"] = /^\/account\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (id === undefined) return { id: null, account: this.main, path };
    return { id, account: this.#byId.get(id) ?? null, path: rest };
  }
}
