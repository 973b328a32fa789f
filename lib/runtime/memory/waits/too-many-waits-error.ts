import { MessagingError } from "../../../shared/messaging-error";
import { say } from "../../../texts/say";

/** An account without a store waits for as many recipients as it can; nothing more begins until some of them end. */
export class TooManyWaitsError extends MessagingError {
  declare readonly code: "TOO_MANY_WAITS";

  /** @param most recipients */
  constructor(most: number) {
    super("TOO_MANY_WAITS", say("account.TOO_MANY_WAITS", { most }));
  }
}
