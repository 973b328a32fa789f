/** What a connection test looks at. */
export type CheckId = "settings" | "proxy" | "name" | "connect" | "tls" | "sign-in" | "token" | "scope";

/** `skipped` was not looked at, because it is not set up or something before it failed. */
export type CheckState = "ok" | "warning" | "failed" | "skipped";

/** One thing that a connection test looked at, and what it found, by ids that stand for texts. */
export interface CheckResult {
  readonly check: CheckId;
  readonly state: CheckState;
  /** What was found; with `check` the key of a text. */
  readonly code: string;
  /** What it is about: a host, the address of a proxy without credentials, or a scope. */
  readonly about: string;
  /** What else is known, in the words of whoever said it; may be empty. Holds no secret. */
  readonly detail: string;
}

export const checkResult = (
  check: CheckId,
  state: CheckState,
  code: string,
  about = "",
  detail = "",
): CheckResult => ({ check, state, code, about, detail });
