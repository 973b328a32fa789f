import { Account, type AccountOptions } from "./account";

const ACCOUNT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Accounts that controls make: a program may have as many as it likes. */
const MOST_BY_CONTROL = 200;

/** Where a path leads: an account, and the rest of the path below its address. */
export interface Located {
  /** Stands in the path; null for the main account. */
  readonly id: string | null;
  /** null: there is none with this id. */
  readonly account: Account | null;
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

  /** The account with this id, made when a program first asks for it. Throws a TypeError for an id that can't stand in a path. */
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

  /** The account of a control: made where there is none; null for an impossible id, and for one too many. */
  forControl({ id, account }: Located): Account | null {
    if (account || id === null) return account;
    return ACCOUNT_ID.test(id) && this.#byId.size < MOST_BY_CONTROL ? this.get(id) : null;
  }

  /** Finds the account that a request path belongs to. Makes none: a stray caller leaves nothing behind. */
  locate(path: string): Located {
    const [, id, rest = "/"] = /^\/account\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (id === undefined) return { id: null, account: this.main, path };
    return { id, account: this.#byId.get(id) ?? null, path: rest };
  }
}
