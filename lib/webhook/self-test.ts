import { randomBytes } from "node:crypto";
import { Agent, request } from "undici";
import { REFUSALS, type RefusalReason } from "./refusals";
import { type Receiver, SELF_TEST_HEADER } from "./receiver";
import type { WebhookAuth } from "./gates";
import { sanitiseText } from "../shared/sanitise-text";

/** What stopped a self-test: a gate of the webhook, or something on the way to it. */
export type SelfTestReason =
  | RefusalReason
  | "passed"
  | "not-running"
  | "no-connection"
  | "name-unknown"
  | "tls"
  | "timeout"
  | "redirected"
  | "not-found"
  | "other-server"
  | "other-process"
  | "answer-changed"
  | "node-red-auth"
  | "blocked-before";

/** The result of one self-test. The url shows no secret. */
export interface SelfTestCheck {
  readonly where: "local" | "public";
  readonly url: string;
  readonly passed: boolean;
  readonly reason: SelfTestReason;
  /** null where there was no answer. */
  readonly httpStatus: number | null;
  /** What the system or the other side said, in its own words; null where there is nothing to add. */
  readonly detail: string | null;
  readonly ms: number;
}

export interface SelfTestTarget {
  readonly where: "local" | "public";
  /** Without a query. */
  readonly url: string;
  /** Node-RED asks for a sign-in of its own before any webhook. */
  readonly signInBefore: boolean;
}

/** ms for one test. */
const PATIENCE = 10_000;
/** Characters of an address that a redirect leads to. */
const LONGEST_LOCATION = 500;
const NAME_FAULTS = new Set(["ENOTFOUND", "EAI_AGAIN", "ERR_INVALID_URL"]);
const TLS_FAULT = /CERT|TLS|SSL|SIGNATURE|SELF_SIGNED|UNABLE_TO|ALTNAME/;

/**
 * Posts a harmless event to a webhook and tells how far it came. It goes through every gate and no further: the
 * flow never sees it, and no counter counts it.
 * @param auth credentials of the webhook, as the service would show them
 */
export async function runSelfTest(
  receiver: Receiver,
  auth: WebhookAuth,
  { where, url, signInBefore }: SelfTestTarget,
): Promise<SelfTestCheck> {
  const token = randomBytes(16).toString("hex");
  let told: RefusalReason | "passed" | "not-running" | null = null;
  const forget = receiver.expectSelfTest(token, (reason) => {
    told = reason;
  });
  const { query, headers } = credentialsOf(auth);
  // On this machine a certificate is for the name that the world sees, not for the loopback address.
  const agent = new Agent({ connect: { rejectUnauthorized: where === "public", timeout: PATIENCE } });
  const start = performance.now();
  const check = (
    reason: SelfTestReason,
    httpStatus: number | null,
    detail: string | null,
  ): SelfTestCheck => ({
    where,
    url,
    passed: reason === "passed",
    reason,
    httpStatus,
    detail,
    ms: Math.round(performance.now() - start),
  });
  try {
    const answer = await request(url + query, {
      method: "POST",
      dispatcher: agent,
      headers: { ...headers, "content-type": "application/json;charset=UTF-8", [SELF_TEST_HEADER]: token },
      body: '{"selfTest":true}',
      headersTimeout: PATIENCE,
      bodyTimeout: PATIENCE,
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { statusCode } = answer;
    const isRight = statusCode === 200 && isAcknowledgement(await answer.body.text());
    const reason = told ?? reasonOf(statusCode, signInBefore);
    return check(
      reason === "passed" && !isRight ? "answer-changed" : reason,
      statusCode,
      locationOf(answer.headers.location),
    );
  } catch (error) {
    return told === null || told === "passed"
      ? check(faultOf(error), null, (error as NodeJS.ErrnoException).code ?? (error as Error).name)
      : check(told, null, null);
  } finally {
    forget();
    void agent.destroy();
  }
}

function credentialsOf(auth: WebhookAuth): { query: string; headers: Record<string, string> } {
  if (auth.kind === "query" && auth.secrets[0] !== undefined) {
    return { query: `?secret=${encodeURIComponent(auth.secrets[0])}`, headers: {} };
  }
  if (auth.kind === "header" && auth.secrets[0] !== undefined) {
    // A header has bytes, not characters; the receiver takes UTF-8.
    return { query: "", headers: { [auth.name]: Buffer.from(auth.secrets[0]).toString("latin1") } };
  }
  const user = auth.kind === "basic" ? auth.users[0] : undefined;
  if (user !== undefined) {
    const pair = Buffer.from(`${user.username}:${user.password}`).toString("base64");
    return { query: "", headers: { authorization: `Basic ${pair}` } };
  }
  return { query: "", headers: {} };
}

/** Whether the service would take an answer for the one that ends its attempts. */
function isAcknowledgement(body: string): boolean {
  try {
    return (JSON.parse(body) as { statusCode?: unknown } | null)?.statusCode === 2000;
  } catch {
    return false;
  }
}

/** What an answer means that did not come from the webhook. */
function reasonOf(httpStatus: number, signInBefore: boolean): SelfTestReason {
  if (httpStatus === 401 && signInBefore) {
    return "node-red-auth";
  }
  if (httpStatus === 404) {
    return "not-found";
  }
  if (httpStatus === REFUSALS["stray-self-test"].httpStatus) {
    return "other-process";
  }
  if (httpStatus >= 300 && httpStatus < 400) {
    return "redirected";
  }
  return httpStatus < 300 ? "other-server" : "blocked-before";
}

/** Where a redirection leads, without what may be secret in it. */
function locationOf(location: string | string[] | undefined): string | null {
  const first = [location ?? []].flat()[0];
  return first === undefined ? null : sanitiseText(first.split(/[?#]/, 1)[0] ?? "", LONGEST_LOCATION);
}

function faultOf(error: unknown): SelfTestReason {
  const { name, code = "" } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(code)) {
    return "timeout";
  }
  if (NAME_FAULTS.has(code)) {
    return "name-unknown";
  }
  return TLS_FAULT.test(code) ? "tls" : "no-connection";
}
