import { sanitiseText } from "./sanitise-text";

/** Characters of the longest error text. */
const LONGEST = 4_000;
/** Characters of the path of a field. */
const LONGEST_FIELD = 400;

/**
 * Base of every error this package raises. `code` is stable and upper-case; the text never holds a secret and is one
 * line, with any quoted value in it, because it goes to the log.
 */
export class MessagingError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(sanitiseText(message, LONGEST));
    this.name = new.target.name;
    this.code = code;
  }

  /** Node-RED shows the result of this: the sentence alone, without a class name. */
  override toString(): string {
    return this.message;
  }
}

/** Faults in the set-up of an account or a node. The badge has a short text for each. */
export const SETUP_FAULTS = [
  "NO_ACCOUNT",
  "ACCOUNT_CLOSED",
  "BAD_ADDRESS",
  "INSECURE_ADDRESS",
  "BAD_PATH",
  "BAD_SETTING",
  "BAD_CREDENTIALS",
  "NO_CREDENTIALS",
  "NO_APPLICATION",
  "UNRESOLVED_VARIABLE",
  "BAD_TLS",
  "BAD_PROXY",
  "NO_SECRET",
  "PATH_TAKEN",
  "NO_HTTP",
  "NO_STORE",
] as const;
export type SetupFault = (typeof SETUP_FAULTS)[number];

/** The account or a node is set up in a way that cannot work; found before anything is sent. */
export class SetupError extends MessagingError {
  declare readonly code: SetupFault;

  constructor(code: SetupFault, message: string) {
    super(code, message);
  }
}

export type FieldFault =
  | "FIELD_INVALID"
  | "FIELD_UNRESOLVED"
  | "TEXT_NOT_LATIN1"
  | "FILE_UNREADABLE"
  | "FILE_TOO_LARGE"
  /** The account has not sent the message, or has forgotten it. */
  | "UNKNOWN_MESSAGE";

/** One field of a message breaks a rule; `field` is the service's own field name, or the property of the node for its delivery rules. */
export class FieldError extends MessagingError {
  readonly field: string;

  declare readonly code: FieldFault;

  /** @param label what the text calls the field, where people know another name of it */
  constructor(code: FieldFault, field: string, problem: string, label = field) {
    super(code, `${sanitiseText(label, LONGEST_FIELD)} ${problem}`);
    this.field = sanitiseText(field, LONGEST_FIELD);
  }
}
