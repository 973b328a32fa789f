import type { IncomingMessage, ServerResponse } from "node:http";
import { discardRest } from "./discard-rest";
import { REFUSALS, type Refusal, type RefusalReason } from "./refusals";

interface Answer {
  readonly httpStatus: number;
  /** A text: Node.js writes it together with the head, bytes by themselves. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

function prepared(httpStatus: number, value: unknown, more: Readonly<Record<string, string>> = {}): Answer {
  const body = JSON.stringify(value);
  return {
    httpStatus,
    body,
    headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...more },
  };
}

const ACKNOWLEDGEMENT = prepared(200, { statusCode: 2000, statusMessage: "OK" });
// The shortest time that can be asked for: what keeps us from taking an event is over soon, or not at all.
const SOON = { "retry-after": "1" };
const REDELIVER = prepared(503, { error: "The event was not taken; please deliver it again." }, SOON);
const UNAVAILABLE = prepared(503, { error: "The webhook cannot be reached now; please try again." }, SOON);
const REFUSED = Object.fromEntries(
  Object.entries(REFUSALS as Readonly<Record<string, Refusal>>).map(
    ([reason, { httpStatus, explanation }]) => [
      reason,
      prepared(httpStatus, { error: explanation }, httpStatus === 405 ? { allow: "POST" } : {}),
    ],
  ),
) as Readonly<Record<RefusalReason, Answer>>;

const NOTHING_MORE = {};

/** Tells the service that the event arrived and need not come again. */
export function acknowledge(res: ServerResponse): void {
  answer(res, ACKNOWLEDGEMENT);
}

/**
 * Asks the service to deliver the event again.
 * @param req where its body may be unread
 */
export function redeliver(res: ServerResponse, req: IncomingMessage = res.req): void {
  answer(res, REDELIVER, req);
}

/** Says that something else on this server kept the request from its webhook. */
export function unavailable(res: ServerResponse, req: IncomingMessage = res.req): void {
  answer(res, UNAVAILABLE, req);
}

/**
 * Says why a request is refused, as JSON; does nothing where nobody is left to hear it.
 * @param challenge what to bring, for those who brought no credentials or wrong ones
 */
export function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  reason: RefusalReason,
  challenge: string | null = null,
): void {
  if (reason === "aborted") {
    res.destroy();
    return;
  }
  const refusal = REFUSED[reason];
  const more =
    refusal.httpStatus === 401 && challenge !== null ? { "www-authenticate": challenge } : NOTHING_MORE;
  answer(res, refusal, req, more);
}

function answer(
  res: ServerResponse,
  given: Answer,
  req: IncomingMessage = res.req,
  more: Readonly<Record<string, string>> = NOTHING_MORE,
): void {
  if (isUnread(req)) {
    // Most bodies come along with their head and are there by the next turn; only for others the connection ends.
    setImmediate(() => write(req, res, given, more));
  } else {
    write(req, res, given, more);
  }
}

function write(
  req: IncomingMessage,
  res: ServerResponse,
  { httpStatus, headers, body }: Answer,
  more: Readonly<Record<string, string>>,
): void {
  if (res.headersSent || res.destroyed) {
    return;
  }
  const content = req.method === "HEAD" ? null : body;
  if (!isUnread(req)) {
    // Mostly nothing is added, and a copy for each answer would cost more than it.
    res.writeHead(httpStatus, more === NOTHING_MORE ? headers : { ...headers, ...more }).end(content);
    return;
  }
  res.writeHead(httpStatus, { ...headers, ...more, connection: "close" }).flushHeaders();
  if (content !== null) {
    res.write(content);
  }
  discardRest(req, res);
}

/** Whether there is more to come of a request. What came is discarded by Node.js when the answer ends. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0);
}
