import { MessagingError } from "../../shared/messaging-error";
import { say } from "../../texts/say";
import { PATTERN_LIMIT } from "./pattern-matcher";

/** A reply could not be compared with the pattern of its node within the limit, so it counts as another one. Code `PATTERN_TOO_SLOW`. */
export class PatternError extends MessagingError {
  constructor() {
    super("PATTERN_TOO_SLOW", say("waits.pattern.slow", { limit: PATTERN_LIMIT }));
  }
}
