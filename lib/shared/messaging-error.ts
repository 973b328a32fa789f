/** Base of every error this package raises. `code` is stable and upper-case; the text never holds a secret. */
export class MessagingError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }

  /** Node-RED shows an error by this: the sentence alone, without the name of a class. */
  override toString(): string {
    return this.message;
  }
}

/** The account or a node is set up in a way that cannot work; found before anything is sent. */
export class SetupError extends MessagingError {}

/** One field of a message breaks a rule; `field` is the service's own field name. */
export class FieldError extends MessagingError {
  readonly field: string;

  constructor(
    code: "FIELD_INVALID" | "FIELD_UNRESOLVED" | "TEXT_NOT_LATIN1",
    field: string,
    problem: string,
  ) {
    super(code, `${field} ${problem}`);
    this.field = field;
  }
}
