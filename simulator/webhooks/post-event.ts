import { type Agent, type ClientRequest, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type Judgement, judgeAcknowledgement } from "./judge-acknowledgement";

/** Most bytes of an answer that are read. */
const LONGEST_ANSWER = 65_536;
const NO_ANSWER = { httpStatus: null, statusCode: null } as const;

/** When a connection is cut: as soon as the event is written, or when the first byte of the answer is there. */
export type Cut = "after-writing" | "at-answer";

export interface EventPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly agent: Agent;
  /** Milliseconds. */
  readonly timeout: number;
  readonly cut: Cut | null;
}

/**
 * Tries once to hand over an event; follows no redirection. Never a reason for the process to stay alive.
 * @param done called once, but not after the returned function was called, which gives up the try
 */
export function postEvent(post: EventPost, done: (judgement: Judgement) => void): () => void {
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
  const end = (judgement: Judgement) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    done(judgement);
  };
  const stop = (problem: Judgement["problem"]) => {
    if (over) return;
    end({ ...NO_ANSWER, problem });
    request.destroy();
  };
  const timer = setTimeout(() => stop("timeout"), post.timeout).unref();
  if (cut) arrangeCut(request, cut, () => stop("cut"));
  request.on("socket", (socket) => socket.unref());
  request.on("error", () => stop("connection"));
  // Whatever else may end it, such as an upgrade that nobody asked for.
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
  // In front of the listener that would read an acknowledgement from the same bytes.
  else request.once("socket", (socket) => socket.prependOnceListener("data", act));
}

function readAnswer(
  response: IncomingMessage,
  end: (judgement: Judgement) => void,
  broken: () => void,
): void {
  const httpStatus = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("error", broken);
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= LONGEST_ANSWER) return;
    end({ httpStatus, statusCode: null, problem: "wrong-answer" });
    response.destroy();
  });
  response.on("end", () =>
    end(
      judgeAcknowledgement(
        httpStatus,
        response.headers["content-type"] ?? "",
        Buffer.concat(chunks).toString(),
      ),
    ),
  );
}
