import type { IncomingMessage, ServerResponse } from "node:http";
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
    ([reason, { httpStatus, explanation }]) => [reason, prepared(httpStatus, { error: explanation })],
  ),
) as Readonly<Record<RefusalReason, Answer>>;

/** Bytes of a refused body that are still read, and ms for reading them. */
const MOST_DISCARDED = 1024 * 1024;
const PATIENCE = 2_000;

/** Acknowledges: the service does not deliver the event again. */
export function acknowledge(res: ServerResponse): void {
  answer(res, ACKNOWLEDGEMENT);
}

/** Asks the service to deliver the event again. */
export function redeliver(res: ServerResponse): void {
  answer(res, REDELIVER);
}

/** Answers a request that did not reach its webhook because of another fault of this server. */
export function unavailable(res: ServerResponse): void {
  answer(res, UNAVAILABLE);
}

/** Refuses, as JSON; an aborted request loses its connection. @param challenge WWW-Authenticate for missing or wrong credentials */
export function refuse(res: ServerResponse, reason: RefusalReason, challenge: string | null = null): void {
  if (reason === "aborted") {
    res.destroy();
    return;
  }
  const refusal = REFUSED[reason];
  const challenges = refusal.httpStatus === 401 && challenge !== null;
  const headers = { ...refusal.headers, ...(challenges && { "www-authenticate": challenge }) };
  answer(res, { ...refusal, headers });
}

function answer(res: ServerResponse, given: Answer): void {
  if (isUnread(res.req)) {
    // Most bodies arrive with their head and are complete in the next tick. The connection is closed only for others.
    setImmediate(() => write(res, given));
  } else {
    write(res, given);
  }
}

function write(res: ServerResponse, { httpStatus, headers, body }: Answer): void {
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

/** Whether a part of the request body has yet to arrive. Node.js discards what arrived when the answer ends. */
function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0);
}

/** Reads and discards the rest of a request for a while: closing at once would reset the connection and lose the answer. */
function discardRest(req: IncomingMessage, res: ServerResponse): void {
  let left = MOST_DISCARDED;
  const take = (chunk: Buffer | string): void => {
    left -= chunk.length;
    if (left < 0) {
      // Reading stops, but the caller still has time to read the answer.
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
    // `end` alone would wait until the caller has read the answer.
    req.destroy();
  }, PATIENCE);
  // A broken connection needs no handling here; the listener stays for errors after the end.
  req.on("error", () => {});
  req.on("data", take).on("end", end).on("close", end).resume();
}

/** Calls back once: whether all of the answer was handed to the system before the connection closed. */
export function whenAnswered(res: ServerResponse, tell: (written: boolean) => void): void {
  // An answer that waits for an earlier one on the same connection has no socket yet; its request has.
  const { socket } = res.req;
  if (res.destroyed || socket.destroyed) {
    tell(false);
    return;
  }
  const finish = (): void => end(true);
  const close = (): void => end(res.writableFinished);
  const end = (written: boolean): void => {
    res.off("finish", finish);
    socket.off("close", close);
    tell(written);
  };
  res.on("finish", finish);
  socket.on("close", close);
}
