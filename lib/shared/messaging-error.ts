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
  "UNRESOLVED_VARIABLE",
  "BAD_TLS",
  "BAD_PROXY",
  "NO_SECRET",
  "PATH_TAKEN",
  "NO_HTTP",
  "UNSUPPORTED_EXPRESS",
  "TEXTS_NOT_KEPT",
  "SENT_BACK",
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
  /** Neither the message nor the account has an application id. */
  | "NO_APPLICATION"
  | "FILE_UNREADABLE"
  | "FILE_TOO_LARGE"
  /** The account has not sent the message, or has forgotten it. */
  | "UNKNOWN_MESSAGE";

/** A field and what is wrong with it: the rest of a sentence that begins with the field. */
export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** What people call a field, and which parameter of the service it is; null for a field that is none. */
export interface FieldName {
  readonly label: string;
  readonly parameter: string | null;
}

/** Finds the name of a field by its path; null where people have no other name for it. */
export type NameOf = (field: string) => FieldName | null;

/** What else an error of a field has. */
interface FieldErrorParts {
  /** What the text calls the field, where no dialog has it. */
  readonly label?: string;
  /** Further fields that are wrong. */
  readonly others?: readonly FieldProblem[];
  /** Stands behind the problems. */
  readonly more?: string;
  /** Whether the source of the field has no value. */
  readonly isMissing?: boolean;
}

/** A sentence for each field, and at its end the parameters of the service in brackets. */
function fieldSentences(problems: readonly FieldProblem[], more: string, nameOf: NameOf): string {
  const named = problems.map(({ field, problem }) => ({ field, problem, name: nameOf(field) }));
  const sentences = named.map(
    ({ field, problem, name }) => `${name?.label ?? sanitiseText(field, LONGEST_FIELD)} ${problem}`,
  );
  const parameters = named.flatMap(({ name }) => name?.parameter ?? []);
  const shown = [...new Set(parameters)].map((each) => sanitiseText(each, LONGEST_FIELD)).join(", ");
  return `${sentences.join("; ")}${more}${shown === "" ? "" : ` (${shown})`}`;
}

const NO_NAME: NameOf = () => null;

/** One field of a message breaks a rule; `field` is the service's own field name, or the property of the node for its delivery rules. */
export class FieldError extends MessagingError {
  readonly field: string;
  readonly #problem: string;
  readonly #parts: FieldErrorParts;
  readonly #isNamed: boolean;

  declare readonly code: FieldFault;

  constructor(
    code: FieldFault,
    field: string,
    problem: string,
    parts: FieldErrorParts = {},
    nameOf: NameOf = NO_NAME,
  ) {
    const { label, others = [], more = "" } = parts;
    const own = label === undefined ? nameOf : (): FieldName => ({ label, parameter: null });
    super(code, fieldSentences([{ field, problem }, ...others], more, own));
    this.field = sanitiseText(field, LONGEST_FIELD);
    this.#problem = problem;
    this.#parts = parts;
    this.#isNamed = nameOf !== NO_NAME;
  }

  /** Whether the source of the field has no value; false where it could not be read. */
  get isMissing(): boolean {
    return this.#parts.isMissing === true;
  }

  /** The same error in the words that people know its fields by; those that it has already stay. */
  named(nameOf: NameOf): FieldError {
    return this.#isNamed ? this : new FieldError(this.code, this.field, this.#problem, this.#parts, nameOf);
  }
}
