import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import type { PlannedResponse } from "./plan-response";
import { bodyLength, headBytes, type Reply } from "../endpoints/reply";

const MAX_CUT_OFF = 1_048_576;
const NOT_HTTP = Buffer.from("\x00\x01\x02 this is no HTTP \xff\xfe\r\n\r\n", "latin1");

export interface WrittenResponse {
  readonly httpStatus: number | null;
  readonly statusCode: number | null;
}

const NOTHING: WrittenResponse = { httpStatus: null, statusCode: null };

/** @param done called once: when the response is written, or when the caller disconnects before that */
export function writeResponse(
  planned: PlannedResponse,
  request: IncomingMessage,
  response: ServerResponse,
  reset: (socket: Socket) => void,
  done: (written: WrittenResponse) => void,
): void {
  const act = () => done(write(planned, request.socket, response, reset));
  if (planned.delayMs === 0) {
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
  }, planned.delayMs).unref();
  response.once("close", abandon);
}

function write(
  { reply, connection }: PlannedResponse,
  socket: Socket,
  response: ServerResponse,
  reset: (socket: Socket) => void,
): WrittenResponse {
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

export function writeReply(reply: Reply, response: ServerResponse): void {
  response.writeHead(reply.httpStatus, { ...reply.headers, ...lengthHeader(reply) });
  if (!reply.generated) {
    response.end(reply.body);
    return;
  }
  pipeline(Readable.from(reply.generated.chunks()), response, () => {});
}

function lengthHeader(reply: Reply): Record<string, string> {
  const { httpStatus } = reply;
  return httpStatus === 204 || httpStatus === 304 ? {} : { "content-length": String(bodyLength(reply)) };
}

function part(reply: Reply, where: "header" | "body"): Buffer {
  const head = headBytes(reply);
  if (where === "header") return head.subarray(0, Math.floor(head.length / 2));
  const half = Math.min(MAX_CUT_OFF, Math.floor(bodyLength(reply) / 2));
  const chunks = reply.generated ? [...reply.generated.chunks(half)] : [reply.body.subarray(0, half)];
  return Buffer.concat([head, ...chunks]);
}

function writeAndDestroy(socket: Socket, bytes: Buffer, written: WrittenResponse): WrittenResponse {
  socket.write(bytes, () => socket.destroy());
  return written;
}
