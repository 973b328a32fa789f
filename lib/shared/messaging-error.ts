import { sanitiseText } from "./sanitise-text";

/** Characters of an error text. */
const MAX_LENGTH = 4_000;
/** Characters of a field's path. */
const MAX_FIELD = 400;

/** A stable code, and one line without secrets for the log. */
export class MessagingError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(sanitiseText(message, MAX_LENGTH));
    this.name = new.target.name;
    this.code = code;
  }

  /** Node-RED shows this text, so it has no class name. */
  override toString(): string {
    return this.message;
  }
}

/** The badge has a short text for each. */
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
  /** Neither message nor account has an application id. */
  | "NO_APPLICATION"
  | "FILE_UNREADABLE"
  | "FILE_TOO_LARGE"
  | "UNKNOWN_MESSAGE";

export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** `parameter`: the field of the service, if any. */
export interface FieldName {
  readonly label: string;
  readonly parameter: string | null;
}

/** Returns null if the field has no other name. */
export type NameOf = (field: string) => FieldName | null;

interface FieldErrorParts {
  readonly label?: string;
  readonly others?: readonly FieldProblem[];
  readonly more?: string;
  /** Whether the source of the field has no value. */
  readonly isMissing?: boolean;
}

/** One sentence a field, then the parameters of the service in brackets. */
function fieldSentences(problems: readonly FieldProblem[], more: string, nameOf: NameOf): string {
  const named = problems.map(({ field, problem }) => ({ field, problem, name: nameOf(field) }));
  const sentences = named.map(
    ({ field, problem, name }) => `${name?.label ?? sanitiseText(field, MAX_FIELD)} ${problem}`,
  );
  const parameters = named.flatMap(({ name }) => name?.parameter ?? []);
  const shown = [...new Set(parameters)].map((each) => sanitiseText(each, MAX_FIELD)).join(", ");
  return `${sentences.join("; ")}${more}${shown === "" ? "" : ` (${shown})`}`;
}

const NO_NAME: NameOf = () => null;

/** `field` is the service's field, or the node's property for delivery rules. */
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
    this.field = sanitiseText(field, MAX_FIELD);
    this.#problem = problem;
    this.#parts = parts;
    this.#isNamed = nameOf !== NO_NAME;
  }

  get isMissing(): boolean {
    return this.#parts.isMissing === true;
  }

  named(nameOf: NameOf): FieldError {
    return this.#isNamed ? this : new FieldError(this.code, this.field, this.#problem, this.#parts, nameOf);
  }
}
