import { APPLICATION_ID } from "../sign-in/credentials";
import { isUuid } from "../util/formats";
import { putBounded } from "../util/put-bounded";

const MAX_APPLICATIONS = 1000;

/** The sending applications of one account. */
export class Applications {
  readonly #ids = new Map<string, true>();

  /** Throws a TypeError if the id is not a UUID. */
  add(applicationId: unknown): string {
    if (typeof applicationId !== "string" || !isUuid(applicationId)) {
      throw new TypeError("applicationId: must be a UUID");
    }
    putBounded(this.#ids, applicationId.toLowerCase(), true, MAX_APPLICATIONS);
    return applicationId.toLowerCase();
  }

  has(applicationId: string): boolean {
    const id = applicationId.toLowerCase();
    return id === APPLICATION_ID || this.#ids.has(id);
  }

  list(): string[] {
    return [APPLICATION_ID, ...this.#ids.keys()];
  }

  /** Removes all except the built-in one. */
  clear(): void {
    this.#ids.clear();
  }
}
