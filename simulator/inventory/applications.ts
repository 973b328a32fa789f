import { APPLICATION_ID } from "../sign-in/credentials";
import { isUuid } from "../util/formats";
import { putBounded } from "../util/put-bounded";

const MAX_APPLICATIONS = 1000;

export class Applications {
  readonly #ids = new Map<string, true>();

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

  clear(): void {
    this.#ids.clear();
  }
}
