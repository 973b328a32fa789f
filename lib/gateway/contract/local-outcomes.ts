/** Outcomes without a status code of the service (docs/service.md, Assumptions). */
import type { Outcome, Retry, Throttle } from "../../shared/outcomes";

export interface LocalOutcome {
  readonly name: string;
  readonly fault: LocalFault | null;
  /** The key of its texts, such as `local.QUEUE_FULL`. */
  readonly text: string;
  /** The key of advice that several rows share. */
  readonly adviceText?: string;
  readonly outcome: Outcome;
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** Whether the node stopped the request before or after it was sent. */
  readonly stopped: "unsent" | "sent" | null;
  /** True if a policy check blocked the recipient, so that no request was made. */
  readonly blocked: boolean;
}

type Row = readonly [
  outcome: Outcome,
  retry: Retry,
  more?: Partial<Pick<LocalOutcome, "adviceText" | "throttle" | "stopped" | "blocked">>,
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
  blocked: false,
  ...more,
});

const FAULT_ROWS = {
  FIELD_INVALID: ["rejected", "never"],
  FIELD_UNRESOLVED: ["rejected", "never"],
  TEXT_NOT_LATIN1: ["rejected", "never"],
  // The account is incomplete, but the message is right.
  NO_APPLICATION: ["denied", "never"],
  RECIPIENTS_MISSING: ["rejected", "never"],
  RECIPIENTS_INVALID: ["rejected", "never"],
  NO_DEFAULT_COUNTRY: ["rejected", "never"],
  COUNTRY_NOT_ALLOWED: ["rejected", "never", { blocked: true }],
  NUMBER_TYPE_NOT_ALLOWED: ["rejected", "never", { blocked: true }],
  ALREADY_SENT: ["rejected", "never", { blocked: true }],
  KEY_REUSED: ["rejected", "never", { blocked: true }],
  OPTED_OUT: ["rejected", "never", { blocked: true }],
  // The limit is the same for a retry.
  LIMIT_REACHED: ["retry-later", "never", { blocked: true }],
  OUTSIDE_HOURS: ["retry-later", "never", { blocked: true }],
  TOO_LATE: ["rejected", "never", { blocked: true }],
  QUEUE_FULL: ["retry-later", "never"],
  CLOSING: ["retry-later", "never", { stopped: "unsent" }],
  // A user stopped it, so only a user sends it again.
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
  // A read also gets the same response again.
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
  TEXT_NOT_STORED: ["retry-later", "never"],
} as const satisfies Readonly<Record<string, Row>>;

export type LocalFault = keyof typeof FAULT_ROWS;

/** The key is the `statusName` of the result. */
export const LOCAL_FAULTS = Object.fromEntries(
  Object.entries(FAULT_ROWS).map(([name, row]) => [
    name,
    named(name, `local.${name}`, row, name as LocalFault),
  ]),
) as Readonly<Record<LocalFault, LocalOutcome>>;

export const MOVED_FILE: LocalOutcome = named("OK", "local.MOVED_FILE", ["sent", "never"]);

/** An unknown outcome that a later report of the service settled. */
export const PROVEN: LocalOutcome = named("OK", "local.PROVEN", ["sent", "never"]);

const CHECK_SET_UP = { adviceText: "http.check-set-up" } as const;

/** The first match decides. */
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

const REFUSED_503: Row = ["retry-later", "back-off"];

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

/** The range decides. */
export function unlistedCode(code: number): LocalOutcome {
  const name = `CODE_${code}`;
  return code >= 4000 && code <= 4999
    ? named(name, "unlisted.rejected", ["rejected", "never"])
    : named(name, "unlisted.unknown", ["unknown", "reads"]);
}
