/** The runtime checks `application` and `storage`. */
export type CheckId =
  | "settings"
  | "proxy"
  | "name"
  | "connect"
  | "tls"
  | "sign-in"
  | "token"
  | "scope"
  | "application"
  | "storage";

/** `skipped`: not set up, or an earlier step failed. */
export type CheckState = "ok" | "warning" | "failed" | "skipped";

export interface CheckResult {
  readonly check: CheckId;
  readonly state: CheckState;
  readonly code: string;
  /** A host, proxy address without credentials, scope or file path. */
  readonly about: string;
  /** From the service or Node.js, without secrets. */
  readonly detail: string;
}

export const checkResult = (
  check: CheckId,
  state: CheckState,
  code: string,
  about = "",
  detail = "",
): CheckResult => ({ check, state, code, about, detail });
