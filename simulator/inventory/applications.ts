import { APPLICATION_ID } from "../sign-in/credentials";
import { isUuid } from "../util/formats";
import { putBounded } from "../util/put-bounded";

const MOST_APPLICATIONS = 1000;

/** The sending applications of one account. */
export class Applications {
  readonly #ids = new Map<string, true>();

  /** Throws a TypeError for an id that is no uuid. */
  add(applicationId: unknown): string {
    if (typeof applicationId !== "string" || !isUuid(applicationId)) {
      throw new TypeError("applicationId: must be a uuid");
    }
    putBounded(this.#ids, applicationId.toLowerCase(), true, MOST_APPLICATIONS);
    return applicationId.toLowerCase();
  }

  has(applicationId: string): boolean {
    const id = applicationId.toLowerCase();
    return id === APPLICATION_ID || this.#ids.has(id);
  }

  list(): string[] {
    return [APPLICATION_ID, ...this.#ids.keys()];
  }

  /** Leaves the one that every account has. */
  clear(): void {
    this.#ids.clear();
  }
}
