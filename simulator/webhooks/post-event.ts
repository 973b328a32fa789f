import { type Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { DeliveryAttempt } from "./webhook-records";

const MAX_ANSWER = 65_536;
const NO_ANSWER = { httpStatus: null, statusCode: null } as const;

export type AcknowledgementResult = Pick<DeliveryAttempt, "httpStatus" | "statusCode" | "problem">;

export type Cut = "after-writing" | "at-answer";

export interface EventPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly agent: Agent;
  readonly timeout: number;
  readonly cut: Cut | null;
}

/** @returns a function that aborts the attempt; `done` is not called after that */
export function postEvent(post: EventPost, done: (result: AcknowledgementResult) => void): () => void {
  const { url, body, agent, cut } = post;
  const open = url.protocol === "https:" ? httpsRequest : httpRequest;
  const headers = {
    ...post.headers,
    accept: "application/json",
    "content-type": "application/json;charset=UTF-8",
    "content-length": String(body.length),
  };
  const request = open(url, { method: "POST", headers, agent });
  let over = false;
  const end = (result: AcknowledgementResult) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    done(result);
  };
  const stop = (problem: AcknowledgementResult["problem"]) => {
    if (over) return;
    end({ ...NO_ANSWER, problem });
    request.destroy();
  };
  const timer = setTimeout(() => stop("timeout"), post.timeout).unref();
  if (cut) arrangeCut(request, cut, () => stop("cut"));
  request.on("socket", (socket) => socket.unref());
  request.on("error", () => stop("connection"));
  // Any other end, such as an unexpected upgrade.
  request.on("close", () => stop("connection"));
  request.on("response", (response) => readAnswer(response, end, () => stop("connection")));
  request.end(body);
  return () => {
    over = true;
    clearTimeout(timer);
    request.destroy();
  };
}

function arrangeCut(request: ClientRequest, cut: Cut, act: () => void): void {
  if (cut === "after-writing") request.once("finish", act);
  // Runs before the listener that would read an acknowledgement from the same bytes.
  else request.once("socket", (socket) => socket.prependOnceListener("data", act));
}

function readAnswer(
  response: IncomingMessage,
  end: (result: AcknowledgementResult) => void,
  broken: () => void,
): void {
  const httpStatus = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("error", broken);
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= MAX_ANSWER) return;
    end({ httpStatus, statusCode: null, problem: "wrong-answer" });
    response.destroy();
  });
  response.on("end", () => {
    const statusCode = readStatusCode(response.headers["content-type"] ?? "", Buffer.concat(chunks));
    const acknowledged = httpStatus === 200 && statusCode === 2000;
    end({ httpStatus, statusCode, problem: acknowledged ? null : "wrong-answer" });
  });
}

function readStatusCode(contentType: string, body: Buffer): number | null {
  if (!/^application\/json *(;|$)/i.test(contentType)) return null;
  try {
    const { statusCode } = Object(JSON.parse(body.toString()));
    return Number.isSafeInteger(statusCode) ? statusCode : null;
  } catch {
    return null;
  }
}
