/** The steps of a connection test. The runtime checks the default `application` id and the `storage` of messages. */
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

/** `skipped`: not checked, because it is not set up or an earlier step failed. */
export type CheckState = "ok" | "warning" | "failed" | "skipped";

/** The result of one step of a connection test, by ids that stand for texts. */
export interface CheckResult {
  readonly check: CheckId;
  readonly state: CheckState;
  /** The finding; together with `check` the key of a text. */
  readonly code: string;
  /** The subject: a host, the address of a proxy without credentials, a scope, or the path of a file. */
  readonly about: string;
  /** Details from the service or Node.js; may be empty. Holds no secret. */
  readonly detail: string;
}

export const checkResult = (
  check: CheckId,
  state: CheckState,
  code: string,
  about = "",
  detail = "",
): CheckResult => ({ check, state, code, about, detail });
