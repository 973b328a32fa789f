/**
 * Outcomes without a status code of the service: HTTP statuses alone, and faults found on this side. The columns are
 * those of the status codes in `lib/shared/outcomes.ts`; `lib/texts` has the words. docs/service.md, Assumptions.
 */
import type { Outcome, Retry, Throttle } from "../../shared/outcomes";

export interface LocalOutcome {
  readonly name: string;
  /** The fault found on this side; null for an HTTP status or code of the service. */
  readonly fault: LocalFault | null;
  /** Where its meaning and its advice stand in the catalogues, such as `local.QUEUE_FULL`. */
  readonly text: string;
  /** Where its advice stands instead, where several rows share it. */
  readonly adviceText?: string;
  readonly outcome: Outcome;
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** For a request that its node stopped: whether that was before or after it left. Null for all others. */
  readonly stopped: "unsent" | "sent" | null;
  /** Whether a guard of the account has held recipients back, so that no request was made for them. */
  readonly held: boolean;
}

type Row = readonly [
  outcome: Outcome,
  retry: Retry,
  more?: Partial<Pick<LocalOutcome, "adviceText" | "throttle" | "stopped" | "held">>,
];

const named = (
  name: string,
  text: string,
  [outcome, retry, more]: Row,
  fault: LocalFault | null = null,
): LocalOutcome => ({
  name,
  fault,
  text,
  outcome,
  retry,
  throttle: "none",
  stopped: null,
  held: false,
  ...more,
});

const FAULT_ROWS = {
  FIELD_INVALID: ["rejected", "never"],
  FIELD_UNRESOLVED: ["rejected", "never"],
  TEXT_NOT_LATIN1: ["rejected", "never"],
  // The account is to be completed; the message itself is right.
  NO_APPLICATION: ["denied", "never"],
  RECIPIENTS_MISSING: ["rejected", "never"],
  RECIPIENTS_INVALID: ["rejected", "never"],
  NO_DEFAULT_COUNTRY: ["rejected", "never"],
  COUNTRY_NOT_ALLOWED: ["rejected", "never", { held: true }],
  NUMBER_TYPE_NOT_ALLOWED: ["rejected", "never", { held: true }],
  ALREADY_SENT: ["rejected", "never", { held: true }],
  KEY_REUSED: ["rejected", "never", { held: true }],
  OPTED_OUT: ["rejected", "never", { held: true }],
  // The account's limit is the same for a retry.
  LIMIT_REACHED: ["retry-later", "never", { held: true }],
  OUTSIDE_HOURS: ["retry-later", "never", { held: true }],
  TOO_LATE: ["rejected", "never", { held: true }],
  // A retry fills the queue further.
  QUEUE_FULL: ["retry-later", "never"],
  // The node is gone before a retry is due.
  CLOSING: ["retry-later", "never", { stopped: "unsent" }],
  // A person wanted it not to be sent, so nothing but a person sends it again.
  CANCELLED: ["retry-later", "never"],
  NAME_LOOKUP_FAILED: ["retry-later", "back-off"],
  CONNECT_FAILED: ["retry-later", "back-off"],
  CONNECT_TIMEOUT: ["retry-later", "back-off"],
  TLS_FAILED: ["retry-later", "back-off"],
  PROXY_FAILED: ["retry-later", "back-off"],
  PROXY_DENIED: ["denied", "never"],
  TOKEN_UNAVAILABLE: ["retry-later", "back-off"],
  TOKEN_REFUSED: ["denied", "client"],
  CONNECTION_LOST: ["unknown", "reads"],
  NO_ANSWER: ["unknown", "reads"],
  // Not even a read: another attempt brings the same answer, and of a large file the same amount.
  ANSWER_UNREADABLE: ["unknown", "never"],
  ANSWER_CONTRADICTORY: ["unknown", "never"],
  FILE_UNREADABLE: ["rejected", "never"],
  FILE_CHANGED: ["unknown", "reads"],
  FILE_TOO_LARGE: ["rejected", "never"],
  FILE_EXISTS: ["rejected", "never"],
  FILE_UNWRITABLE: ["denied", "never"],
  INTERNAL_FAULT: ["unknown", "reads"],
  STOPPED_WAITING: ["unknown", "reads", { stopped: "sent" }],
  // A retry meets the same disk or database.
  STORE_UNAVAILABLE: ["retry-later", "never"],
  STORE_UNCERTAIN: ["unknown", "reads"],
  PROCESS_ENDED: ["unknown", "reads"],
  // The text is lost: only a new message can be sent.
  TEXT_NOT_STORED: ["retry-later", "never"],
} as const satisfies Readonly<Record<string, Row>>;

export type LocalFault = keyof typeof FAULT_ROWS;

/** Faults found on this side. The key is the `statusName` of the result. */
export const LOCAL_FAULTS = Object.fromEntries(
  Object.entries(FAULT_ROWS).map(([name, row]) => [
    name,
    named(name, `local.${name}`, row, name as LocalFault),
  ]),
) as Readonly<Record<LocalFault, LocalOutcome>>;

/** An answer that is the file or the id of the file, without a code of the service. */
export const MOVED_FILE: LocalOutcome = named("OK", "local.MOVED_FILE", ["sent", "never"]);

/** A request whose answer nobody knows, and on which the service has reported since. */
export const PROVEN: LocalOutcome = named("OK", "local.PROVEN", ["sent", "never"]);

const CHECK_SET_UP = { adviceText: "http.check-set-up" } as const;

/** First match wins: single statuses before their ranges. `written` is how texts name the group. */
const BARE_ROWS: readonly (readonly [written: string, from: number, to: number, ...row: Row])[] = [
  ["3xx", 300, 399, "denied", "never", CHECK_SET_UP],
  ["401", 401, 401, "denied", "sign-in", CHECK_SET_UP],
  ["403", 403, 403, "denied", "sign-in-twice", CHECK_SET_UP],
  ["404, 405", 404, 405, "denied", "never", CHECK_SET_UP],
  ["407", 407, 407, "denied", "never", CHECK_SET_UP],
  ["408", 408, 408, "unknown", "reads"],
  ["409", 409, 409, "unknown", "reads"],
  ["429", 429, 429, "retry-later", "back-off", { throttle: "origin" }],
  ["4xx", 400, 499, "rejected", "never"],
  ["5xx", 500, 599, "unknown", "reads"],
];

/** A 503 where the account's setting says that it means not accepted. */
const REFUSED_503: Row = ["retry-later", "back-off"];

/** Outcome of an HTTP status without a status code. @param refusedAt503 the account says that a bare 503 means not accepted */
export function findBareStatus(httpStatus: number, refusedAt503 = false): LocalOutcome {
  const name = `HTTP_${httpStatus}`;
  if (httpStatus === 503 && refusedAt503) {
    return named(name, "http.503", REFUSED_503);
  }
  const found = BARE_ROWS.find(([, from, to]) => httpStatus >= from && httpStatus <= to);
  if (found === undefined) {
    return LOCAL_FAULTS.ANSWER_UNREADABLE;
  }
  const [written, , , ...row] = found;
  return named(name, `http.${written}`, row);
}

/** What a status code means that the service does not list. Its range decides. */
export function unlistedCode(code: number): LocalOutcome {
  const name = `CODE_${code}`;
  return code >= 4000 && code <= 4999
    ? named(name, "unlisted.rejected", ["rejected", "never"])
    : named(name, "unlisted.unknown", ["unknown", "reads"]);
}
