import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import type { Decision } from "./decide";
import { bodyLength, headBytes, type Reply } from "../endpoints/reply";

/** Most of a body that goes out before it is cut off. */
const MOST_CUT_OFF = 1_048_576;
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
  if (!reply.generated) {
    response.end(reply.body);
    return;
  }
  // A caller that leaves in the middle is its own affair; there is nobody left to tell.
  pipeline(Readable.from(reply.generated.chunks()), response, () => {});
}

function lengthHeader(reply: Reply): Record<string, string> {
  const { httpStatus } = reply;
  return httpStatus === 204 || httpStatus === 304 ? {} : { "content-length": String(bodyLength(reply)) };
}

/** The answer up to the middle of its header or of its body. */
function part(reply: Reply, where: "header" | "body"): Buffer {
  const head = headBytes(reply);
  if (where === "header") return head.subarray(0, Math.floor(head.length / 2));
  const half = Math.min(MOST_CUT_OFF, Math.floor(bodyLength(reply) / 2));
  const chunks = reply.generated ? [...reply.generated.chunks(half)] : [reply.body.subarray(0, half)];
  return Buffer.concat([head, ...chunks]);
}

function writeAndDestroy(socket: Socket, bytes: Buffer, delivered: Delivered): Delivered {
  socket.write(bytes, () => socket.destroy());
  return delivered;
}
