import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import { REFUSALS } from "./gates/refusals";
import type { Receiver } from "./receiver";
import { SELF_TEST_HEADER, type SelfTestEnd } from "./receiver-parts";
import type { WebhookAuth } from "./gates/authenticate";
import { sanitiseText } from "../shared/sanitise-text";

export type SelfTestReason =
  | SelfTestEnd
  | "no-connection"
  | "name-unknown"
  | "tls"
  | "timeout"
  | "answer-lost"
  | "redirected"
  | "not-found"
  | "other-server"
  | "other-process"
  | "answer-changed"
  | "node-red-auth"
  | "blocked-before";

export interface SelfTestCheck {
  readonly where: "local" | "public";
  readonly url: string;
  readonly passed: boolean;
  readonly reason: SelfTestReason;
  readonly httpStatus: number | null;
  readonly detail: string | null;
  readonly ms: number;
}

export interface SelfTestTarget {
  readonly where: "local" | "public";
  readonly url: string;
  /** Node-RED requires its own authentication for HTTP nodes. */
  readonly signInBefore: boolean;
  /** Ms for the whole test, 10 seconds by default. */
  readonly timeout?: number;
}

const TIMEOUT = 10_000;
/** Bytes. An acknowledgement has about 20. */
const MAX_READ = 4096;
const MAX_LOCATION = 500;
const NAME_FAULTS = new Set(["ENOTFOUND", "EAI_AGAIN", "ERR_INVALID_URL"]);
const TLS_FAULT = /CERT|TLS|SSL|SIGNATURE|SELF_SIGNED|UNABLE_TO|ALTNAME/;

/** Posts an event that passes every gate and is not emitted. @param auth credentials as shown to the service */
export async function runSelfTest(
  receiver: Receiver,
  auth: WebhookAuth,
  { where, url, signInBefore, timeout = TIMEOUT }: SelfTestTarget,
): Promise<SelfTestCheck> {
  const token = randomBytes(16).toString("hex");
  let ended: SelfTestEnd | null = null;
  receiver.selfTests.set(token, (end) => {
    ended = end;
  });
  const { query, headers } = getCredentials(auth);
  // The certificate is issued for the public name, not for loopback.
  const agent = new Agent({ connect: { rejectUnauthorized: where === "public", timeout } });
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
      headersTimeout: timeout,
      bodyTimeout: timeout,
      signal: AbortSignal.timeout(timeout),
    });
    const { statusCode } = answer;
    const mayBeRight = ended === "passed" && statusCode === 200;
    const body = await readStart(answer.body, mayBeRight ? MAX_READ : 0);
    const isRight = body !== null && mayBeRight && isAcknowledgement(body);
    const reason = ended ?? getReason(statusCode, signInBefore);
    return check(
      reason === "passed" && !isRight ? "answer-changed" : reason,
      statusCode,
      getLocation(answer.headers.location),
    );
  } catch (error) {
    if (ended !== null && ended !== "passed") {
      return check(ended, null, null);
    }
    const [reason, detail] = getFailure(error, ended === "passed");
    return check(reason, null, detail);
  } finally {
    receiver.selfTests.delete(token);
    void agent.destroy();
  }
}

async function readStart(stream: Readable, most: number): Promise<string | null> {
  // An early close raises an error event, which would end the process without a listener.
  stream.on("error", () => {});
  if (most === 0) {
    stream.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) {
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function getCredentials(auth: WebhookAuth): { query: string; headers: Record<string, string> } {
  if (auth.method === "query" && auth.secrets[0] !== undefined) {
    return { query: `?secret=${encodeURIComponent(auth.secrets[0])}`, headers: {} };
  }
  if (auth.method === "header" && auth.secrets[0] !== undefined) {
    // Headers carry bytes, and the receiver expects UTF-8.
    return { query: "", headers: { [auth.name]: Buffer.from(auth.secrets[0]).toString("latin1") } };
  }
  const user = auth.method === "basic" ? auth.users[0] : undefined;
  if (user !== undefined) {
    const pair = Buffer.from(`${user.username}:${user.password}`).toString("base64");
    return { query: "", headers: { authorization: `Basic ${pair}` } };
  }
  return { query: "", headers: {} };
}

/** True if the service would accept the response. */
function isAcknowledgement(body: string): boolean {
  try {
    return (JSON.parse(body) as { statusCode?: unknown } | null)?.statusCode === 2000;
  } catch {
    return false;
  }
}

function getReason(httpStatus: number, signInBefore: boolean): SelfTestReason {
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

function getLocation(location: string | string[] | undefined): string | null {
  const first = [location ?? []].flat()[0];
  return first === undefined ? null : sanitiseText(first.split(/[?#]/, 1)[0] ?? "", MAX_LOCATION);
}

/** @param cameIn the webhook accepted the call, so only its response is missing */
function getFailure(
  error: unknown,
  cameIn: boolean,
): readonly [reason: SelfTestReason, detail: string | null] {
  const { name, code } = error as NodeJS.ErrnoException;
  // The code of a DOMException is a meaningless number.
  const known = typeof code === "string" ? code : name;
  const isTimeout = name === "TimeoutError" || /TIMEOUT|ETIMEDOUT/.test(known);
  const detail = isTimeout ? null : known;
  if (cameIn || isTimeout) {
    return [cameIn ? "answer-lost" : "timeout", detail];
  }
  if (NAME_FAULTS.has(known)) {
    return ["name-unknown", detail];
  }
  return [TLS_FAULT.test(known) ? "tls" : "no-connection", detail];
}
