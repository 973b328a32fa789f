import type { IncomingMessage, ServerResponse } from "node:http";
import { discardRest } from "./discard-rest";
import { REFUSALS, type Refusal, type RefusalReason } from "./gates/refusals";

interface Answer {
  readonly httpStatus: number;
  /** A text, because Node.js writes a text together with the head, but bytes separately. */
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
// The shortest time: most reasons for not accepting an event are over soon.
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

/** Acknowledges: the service does not deliver the event again. */
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

/** Answers a request that did not reach its webhook because of another fault of this server. */
export function unavailable(res: ServerResponse, req: IncomingMessage = res.req): void {
  answer(res, UNAVAILABLE, req);
}

/**
 * Answers with the reason of a refusal, as JSON. Closes the connection of an aborted request.
 * @param challenge value of WWW-Authenticate for missing or wrong credentials
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
    // Most bodies arrive with their head and are complete by the next turn. Only for others the connection is closed.
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
    // Most answers add no header, so the prepared headers are not copied.
    res.writeHead(httpStatus, more === NOTHING_MORE ? headers : { ...headers, ...more }).end(content);
    return;
  }
  res.writeHead(httpStatus, { ...headers, ...more, connection: "close" }).flushHeaders();
  if (content !== null) {
    res.write(content);
  }
  discardRest(req, res);
}

/** Whether a part of the request body has yet to arrive. Node.js discards what arrived when the answer ends. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0);
}
