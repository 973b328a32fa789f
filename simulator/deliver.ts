import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Decision } from "./decide";
import { type Reply, replyBytes } from "./reply";

const NOT_HTTP = Buffer.from("\x00\x01\x02 this is no HTTP \xff\xfe\r\n\r\n", "latin1");

/** What was written in the end. */
export interface Delivered {
  /** null when no status line went out whole. */
  readonly httpStatus: number | null;
  readonly statusCode: number | null;
}

const NOTHING: Delivered = { httpStatus: null, statusCode: null };

/**
 * Carries out a decision on the connection, after its delay.
 * @param reset closes a connection with RST instead of FIN
 * @param done called once: at the moment of writing, or when the caller has gone before that
 */
export function deliver(
  decision: Decision,
  request: IncomingMessage,
  response: ServerResponse,
  reset: (socket: Socket) => void,
  done: (delivered: Delivered) => void,
): void {
  const act = () => done(write(decision, request.socket, response, reset));
  if (decision.delayMs === 0) {
    act();
    return;
  }
  const abandon = () => {
    clearTimeout(timer);
    done(NOTHING);
  };
  const timer = setTimeout(() => {
    response.off("close", abandon);
    act();
  }, decision.delayMs).unref();
  response.once("close", abandon);
}

function write(
  { reply, connection }: Decision,
  socket: Socket,
  response: ServerResponse,
  reset: (socket: Socket) => void,
): Delivered {
  switch (connection) {
    case null:
      writeReply(reply, response);
      return { httpStatus: reply.httpStatus, statusCode: reply.statusCode };
    case "reset-before-accept":
      reset(socket);
      return NOTHING;
    case "drop-after-accept":
      socket.destroy();
      return NOTHING;
    case "stall":
      return NOTHING;
    case "cut-header":
      return writeAndDestroy(socket, part(reply, "header"), NOTHING);
    case "cut-body":
      return writeAndDestroy(socket, part(reply, "body"), { ...NOTHING, httpStatus: reply.httpStatus });
    case "garbage":
      return writeAndDestroy(socket, NOT_HTTP, NOTHING);
  }
}

/** Writes a whole answer; the connection stays open for the next request. */
export function writeReply(reply: Reply, response: ServerResponse): void {
  response.writeHead(reply.httpStatus, { ...reply.headers, ...lengthHeader(reply) });
  response.end(reply.body);
}

function lengthHeader({ httpStatus, body }: Reply): Record<string, string> {
  return httpStatus === 204 || httpStatus === 304 ? {} : { "content-length": String(body.length) };
}

/** The answer up to the middle of its header or of its body. */
function part(reply: Reply, where: "header" | "body"): Buffer {
  const bytes = replyBytes(reply);
  const bodyStart = bytes.length - reply.body.length;
  const end = where === "header" ? bodyStart / 2 : bodyStart + reply.body.length / 2;
  return bytes.subarray(0, Math.floor(end));
}

function writeAndDestroy(socket: Socket, bytes: Buffer, delivered: Delivered): Delivered {
  socket.write(bytes, () => socket.destroy());
  return delivered;
}
