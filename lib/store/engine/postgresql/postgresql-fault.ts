import type { PostgresqlTarget } from "./postgresql-url";
import { OpenError } from "../open-error";
import type { StoreFault } from "../store-error";

/** SQLSTATE codes, and classes of them by their first two characters. A code counts before its class. */
const FAULTS: Readonly<Record<string, StoreFault>> = {
  "08": "STORE_UNREACHABLE",
  "0A000": "STORE_REFUSED",
  "25006": "STORE_READ_ONLY",
  "25P03": "STORE_SLOW",
  "25P04": "STORE_SLOW",
  "28": "STORE_PASSWORD",
  "3D000": "STORE_NO_DATABASE",
  "40": "STORE_SLOW",
  "42501": "STORE_NO_RIGHTS",
  "53": "STORE_UNREACHABLE",
  "53100": "STORE_FULL",
  "55P03": "STORE_SLOW",
  "57": "STORE_UNREACHABLE",
  "57014": "STORE_SLOW",
  "58": "STORE_IO",
  XX001: "STORE_DAMAGED",
  XX002: "STORE_DAMAGED",
};

/** Codes of a certificate that is not trusted, and of a TLS handshake that failed. */
const TLS =
  /^(?:ERR_(?:TLS|SSL|OSSL)|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH)/;
/** What the driver says itself about TLS; it has no codes. */
const TLS_WORDS = /SSL connection/;
const TIMEOUT_WORDS = /\btimeout\b/;
const STRANGE_WORDS = /received invalid response|unknown authenticationOk/i;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Nothing has happened, and the next attempt may succeed: a deadlock, a conflict, a row that was locked for too long. */
const REPEATABLE = ["40P01", "40001", "55P03"];
/** A prepared statement is gone or no longer fits its tables. */
const STALE = ["26000", "0A000"];
/** Classes of errors that concern nothing but a statement. */
const STATEMENT = /^(?:0[^8]|2[1-46-9A-F]|34|3[89B]|42|44|P0)/;

/** An error that the server reports, as the driver has it. */
export interface ServerError extends Error {
  readonly code: string;
  /** In the language of the server. */
  readonly severity: string | undefined;
}

const codeOf = (error: unknown): string => {
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  return typeof code === "string" ? code : errors?.[0] === undefined ? "" : codeOf(errors[0]);
};

const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && "severity" in error && SQLSTATE.test(codeOf(error));

/** Whether the server says so itself; otherwise the connection failed. A pooler says so with class 08, in place of the server. */
export const isFromServer = (error: unknown): error is ServerError =>
  isServerError(error) && !error.code.startsWith("08");

/** Whether a statement that was answered so surely changed nothing: the connection and the server go on. */
export const isCertain = (error: unknown): boolean =>
  isFromServer(error) && (error.severity === "ERROR" || STATEMENT.test(error.code) || isRepeatable(error));

export const isRepeatable = (error: unknown): boolean =>
  isServerError(error) && REPEATABLE.includes(error.code);

export const isStale = (error: unknown): boolean => isServerError(error) && STALE.includes(error.code);

/** Whether the connection is as good as before. */
export const isHarmless = (error: unknown): boolean =>
  isServerError(error) &&
  (isRepeatable(error) || error.code === "57014" || (STATEMENT.test(error.code) && !isStale(error)));

/** What an error of the server, the network or TLS means. */
export function postgresqlFault(error: unknown): StoreFault {
  if (error instanceof OpenError) {
    return error.fault;
  }
  if (isServerError(error)) {
    return FAULTS[error.code] ?? FAULTS[error.code.slice(0, 2)] ?? "STORE_REFUSED";
  }
  const { message } = error as Error;
  if (TLS.test(codeOf(error)) || TLS_WORDS.test(message)) {
    return "STORE_TLS";
  }
  if (STRANGE_WORDS.test(message)) {
    return "STORE_NOT_POSTGRESQL";
  }
  return TIMEOUT_WORDS.test(message) ? "STORE_SLOW" : "STORE_UNREACHABLE";
}

/** Why a database cannot be opened, without secrets. */
export const toOpenError = (error: unknown, target: PostgresqlTarget): OpenError =>
  error instanceof OpenError ? error : new OpenError(postgresqlFault(error), detailOf(error, target));

/** What was said, in one line without user, password and values of a statement. */
export function detailOf(error: unknown, { user, password }: PostgresqlTarget): string {
  const { message, errors } = error as AggregateError;
  const said = message || errors?.[0]?.message || codeOf(error);
  // Values are behind a colon, and in quotation marks where they are in the middle.
  const short = isServerError(error) && STATEMENT.test(error.code) ? said.replace(/: ".*$/s, "") : said;
  const text = short.replaceAll(`"${user}"`, '"…"').replace(/\s+/g, " ").trim();
  if (password !== "" && text.includes(password)) {
    return codeOf(error);
  }
  return isServerError(error) ? `${text} [${error.code}]` : text;
}
