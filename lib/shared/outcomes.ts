/** Status codes with their outcomes (docs/service.md, Status codes). */

/** Codes 4001 and 4034 differ between the two. */
export type Style = "legacy" | "oauth";

export type Outcome = "sent" | "queued" | "rejected" | "denied" | "retry-later" | "unknown";

/**
 * When the queue repeats a request.
 * - `reads`: after a pause, if it changes nothing at the service
 * - `back-off`: after a pause that grows with each attempt
 * - `sign-in`: when the service accepts its sign-in again, unless the account turns this off
 * - `client`: as `sign-in`, for all scopes of the OAuth client
 * - `sign-in-twice`: as `sign-in`, after a second message got the same response
 */
export type Retry = "never" | "reads" | "back-off" | "sign-in" | "client" | "sign-in-twice";

export type SignIn = "legacy" | "client" | "whatsapp" | "rcs";

/** `origin`: all requests to the same service address pause. */
export type Throttle = "none" | "origin";

export type ContentGroup = "text" | "media" | "template" | "rcs";

export interface StatusCode {
  readonly style: Style;
  readonly code: number;
  readonly name: string;
  /** The key of its texts, such as `legacy.4031`. */
  readonly text: string;
  readonly narrower?: readonly ContentGroup[];
  readonly outcome: Outcome;
  readonly retry: Retry;
  readonly throttle: Throttle;
  /** True if the code counts only together with a transferId. */
  readonly withTransferId?: boolean;
}

export interface OutcomeFacts {
  readonly outcome: Outcome;
  readonly portOf4: 0 | 1 | 2 | 3;
  readonly portOf6: number;
  readonly failure: boolean;
  readonly resend: "no" | "after-change" | "yes" | "check-first";
}

export const OUTCOMES: Readonly<Record<Outcome, OutcomeFacts>> = {
  sent: { outcome: "sent", portOf4: 0, portOf6: 0, failure: false, resend: "no" },
  queued: { outcome: "queued", portOf4: 0, portOf6: 1, failure: false, resend: "no" },
  rejected: { outcome: "rejected", portOf4: 1, portOf6: 2, failure: true, resend: "after-change" },
  denied: { outcome: "denied", portOf4: 1, portOf6: 3, failure: true, resend: "after-change" },
  "retry-later": { outcome: "retry-later", portOf4: 2, portOf6: 4, failure: true, resend: "yes" },
  unknown: { outcome: "unknown", portOf4: 3, portOf6: 5, failure: true, resend: "check-first" },
};

/** Rules that a user set skip these messages, which is no failure. */
export const SKIPS = ["ALREADY_SENT", "OPTED_OUT", "LIMIT_REACHED", "OUTSIDE_HOURS"] as const;

export type ShownOutcome = Outcome | "skipped";

export const SHOWN_OUTCOMES: readonly ShownOutcome[] = [...(Object.keys(OUTCOMES) as Outcome[]), "skipped"];

const SKIPPED: ReadonlySet<string | null> = new Set(SKIPS);

/** @param statusName null for none */
export const isSkipped = (statusName: string | null): statusName is (typeof SKIPS)[number] =>
  SKIPPED.has(statusName);

export const shownOutcome = (outcome: Outcome, statusName: string | null): ShownOutcome =>
  isSkipped(statusName) ? "skipped" : outcome;

type Row = readonly [
  code: number,
  name: string,
  outcome: Outcome,
  more?: Partial<Pick<StatusCode, "narrower" | "withTransferId" | "retry" | "throttle">>,
];

const RETRY_READS = { retry: "reads" } as const;
const RETRY = { retry: "back-off" } as const;
const SIGN_IN = { retry: "sign-in" } as const;
const RETRY_AND_THROTTLE = { retry: "back-off", throttle: "origin" } as const;

const LEGACY_ROWS: readonly Row[] = [
  [2000, "OK", "sent"],
  [2001, "OK_QUEUED", "queued"],
  [4001, "INVALID_CREDENTIALS", "denied", SIGN_IN],
  [4002, "INVALID_RECIPIENT", "rejected"],
  [4003, "INVALID_SENDER", "rejected"],
  [4004, "INVALID_MESSAGE_TYPE", "rejected"],
  [4008, "INVALID_MESSAGE_ID", "rejected"],
  [4009, "INVALID_TEXT", "rejected"],
  // Not retried, because the limit outlasts a back-off.
  [4013, "MSG_LIMIT_EXCEEDED", "retry-later"],
  [4014, "UNAUTHORIZED_IP", "denied", SIGN_IN],
  [4015, "INVALID_MESSAGE_PRIORITY", "rejected"],
  [4016, "INVALID_COD_RETURNADDRES", "rejected"],
  [4019, "PARAMETER_MISSING", "rejected"],
  [4021, "INVALID_ACCOUNT", "denied", SIGN_IN],
  [4022, "ACCESS_DENIED", "denied", SIGN_IN],
  [4023, "THROTTLING_SPAMMING_IP", "retry-later", RETRY_AND_THROTTLE],
  [4025, "THROTTLING_TOO_MANY_RECIPIENTS", "rejected"],
  [4026, "MAX_SMS_PER_MESSAGE_EXCEEDED", "rejected"],
  [4027, "INVALID_MESSAGE_SEGMENT", "rejected"],
  [4031, "RECIPIENTS_BLACKLISTED", "rejected"],
  [4032, "NO_DEVICE_ENABLED", "rejected"],
  [4033, "WHATSAPP_DISABLED", "denied"],
  [4034, "INVALID_ATTACHMENT", "rejected"],
  [4035, "SMS_DISABLED", "denied"],
  [4040, "INVALID_CONTENT_CATEGORY", "rejected"],
  [4041, "INVALID_VALIDITY_PERIODE", "rejected"],
  [5000, "INTERNAL_ERROR", "unknown", RETRY_READS],
  [5003, "SERVICE_UNAVAILABLE", "retry-later", RETRY],
];

const OAUTH_ROWS: readonly Row[] = [
  [2000, "OK", "sent"],
  [2001, "OK_QUEUED", "queued", { withTransferId: true }],
  [4001, "INVALID_APPLICATION", "denied"],
  [4002, "INVALID_RECIPIENT", "rejected"],
  [4008, "INVALID_MESSAGE_ID", "rejected"],
  [4009, "INVALID_TEXT", "rejected"],
  // Not retried, because the limit outlasts a back-off.
  [4013, "MSG_LIMIT_EXCEEDED", "retry-later"],
  [4014, "UNAUTHORIZED_IP", "denied", SIGN_IN],
  [4023, "THROTTLING_SPAMMING_IP", "retry-later", RETRY_AND_THROTTLE],
  [4028, "INVALID_CONTENT", "rejected", { narrower: ["text", "media", "template", "rcs"] }],
  [4029, "RECIPIENTS_NOT_ALLOWED", "rejected"],
  [4031, "RECIPIENTS_BLACKLISTED", "rejected"],
  [4034, "INVALID_MEDIA", "rejected"],
  [4400, "SESSION_EXPIRED", "rejected"],
  [4401, "INVALID_LOCALIZABLE_PARAMS", "rejected"],
  [5000, "INTERNAL_ERROR", "unknown", RETRY_READS],
  [5003, "SERVICE_UNAVAILABLE", "retry-later", RETRY],
];

const toStatusCode =
  (style: Style) =>
  ([code, name, outcome, more]: Row): StatusCode => ({
    style,
    code,
    name,
    text: `${style}.${code}`,
    outcome,
    retry: "never",
    throttle: "none",
    ...more,
  });

export const STATUS_CODES: readonly StatusCode[] = [
  ...LEGACY_ROWS.map(toStatusCode("legacy")),
  ...OAUTH_ROWS.map(toStatusCode("oauth")),
];

const byStyleAndCode = new Map(STATUS_CODES.map((entry) => [`${entry.style} ${entry.code}`, entry]));

export function findStatusCode(style: Style, code: number, hasTransferId = true): StatusCode | undefined {
  const found = byStyleAndCode.get(`${style} ${code}`);
  return found?.withTransferId && !hasTransferId ? undefined : found;
}
