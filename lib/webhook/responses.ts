import type { IncomingMessage, ServerResponse } from "node:http";
import { REFUSALS, type Refusal, type RefusalReason } from "./gates/refusals";

interface PreparedResponse {
  readonly httpStatus: number;
  /** Node.js writes a text together with the head, but bytes separately. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

function prepared(
  httpStatus: number,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): PreparedResponse {
  const body = JSON.stringify(value);
  return {
    httpStatus,
    body,
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...more },
  };
}

const ACKNOWLEDGEMENT = prepared(200, { statusCode: 2000, statusMessage: "OK" });
// The shortest time, because most reasons end soon.
const SOON = { "retry-after": "1" };
const REDELIVER = prepared(503, { error: "The event was not taken; please deliver it again." }, SOON);
const UNAVAILABLE = prepared(503, { error: "The webhook cannot be reached now; please try again." }, SOON);
const REFUSED = Object.fromEntries(
  Object.entries(REFUSALS as Readonly<Record<string, Refusal>>).map(
    ([reason, { httpStatus, explanation }]) => [reason, prepared(httpStatus, { error: explanation })],
  ),
) as Readonly<Record<RefusalReason, PreparedResponse>>;

/** Bytes of a refused body that are read, and ms for it. */
const MAX_DISCARDED = 1024 * 1024;
const MAX_DISCARD_MS = 2_000;

export function acknowledge(res: ServerResponse): void {
  send(res, ACKNOWLEDGEMENT);
}

export function redeliver(res: ServerResponse): void {
  send(res, REDELIVER);
}

export function unavailable(res: ServerResponse): void {
  send(res, UNAVAILABLE);
}

/** An aborted request loses its connection. @param challenge WWW-Authenticate */
export function refuse(res: ServerResponse, reason: RefusalReason, challenge: string | null = null): void {
  if (reason === "aborted") {
    res.destroy();
    return;
  }
  const refusal = REFUSED[reason];
  const challenges = refusal.httpStatus === 401 && challenge !== null;
  const headers = { ...refusal.headers, ...(challenges && { "www-authenticate": challenge }) };
  send(res, { ...refusal, headers });
}

function send(res: ServerResponse, given: PreparedResponse): void {
  if (isUnread(res.req)) {
    // Most bodies are complete in the next tick, so only other connections are closed.
    setImmediate(() => write(res, given));
  } else {
    write(res, given);
  }
}

function write(res: ServerResponse, { httpStatus, headers, body }: PreparedResponse): void {
  if (res.headersSent || res.destroyed) {
    return;
  }
  const { req } = res;
  if (!isUnread(req)) {
    res.writeHead(httpStatus, headers).end(body);
    return;
  }
  res.writeHead(httpStatus, { ...headers, connection: "close" }).flushHeaders();
  res.write(body);
  discardRest(req, res);
}

/** Node.js discards the rest of a body when the response ends. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0);
}

/** Closing at once would reset the connection and lose the response. */
function discardRest(req: IncomingMessage, res: ServerResponse): void {
  let remaining = MAX_DISCARDED;
  const take = (chunk: Buffer | string): void => {
    remaining -= chunk.length;
    if (remaining < 0) {
      req.off("data", take).pause();
    }
  };
  const end = (): void => {
    clearTimeout(timer);
    req.off("data", take).off("end", end).off("close", end);
    res.end();
  };
  const timer = setTimeout(() => {
    end();
    req.destroy();
  }, MAX_DISCARD_MS);
  // A broken connection needs no handling. The listener stays for later errors.
  req.on("error", () => {});
  req.on("data", take).on("end", end).on("close", end).resume();
}

/** Reports whether the complete response reached the system before the connection closed. */
export function whenSent(res: ServerResponse, notify: (written: boolean) => void): void {
  // A response that waits for an earlier one has no socket, unlike its request.
  const { socket } = res.req;
  if (res.destroyed || socket.destroyed) {
    notify(false);
    return;
  }
  const finish = (): void => end(true);
  const close = (): void => end(res.writableFinished);
  const end = (written: boolean): void => {
    res.off("finish", finish);
    socket.off("close", close);
    notify(written);
  };
  res.on("finish", finish);
  socket.on("close", close);
}
