import type { Dispatcher } from "undici";
import type { LocalFault } from "../shared/plain-outcomes";
import { AnswerBody } from "./answer-body";
import { Deadline } from "./deadline";
import { requestBody } from "./request-body";
import type { StopGates } from "./stop-gate";
import { type ByteSource, isSource, type Transfer, transferFault } from "./transfer";

/** One HTTP request as it goes out. `path` holds the query; nothing in here may be logged: it holds secrets. */
export interface HttpRequest {
  readonly origin: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A source needs the header `content-length`, and is opened only when the request is handed to a connection. */
  readonly body: string | Uint8Array | ByteSource | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** What came of it: an answer, or a fault that says by its name whether the request had left. */
export type Exchange =
  | { readonly answer: HttpAnswer; readonly fault?: never }
  | { readonly answer?: never; readonly fault: LocalFault; readonly detail: string };

export interface ExchangeLimits {
  /**
   * ms from handing the request to a ready connection to the answer's last byte. A file that moves may take longer:
   * then it is the longest standstill.
   */
  readonly answerTimeout: number;
  /** ms from asking for a connection to having one; a second line behind the connector's own timeout. */
  readonly readyTimeout: number;
  /** Bytes of the answer's body. */
  readonly maxBody: number;
}

type NodeError = Error & { code?: string };

/** Bytes that may be on their way through buffers and wires when the last of a body was handed over, and their pace. */
const IN_BUFFERS = 4 * 1024 * 1024;
const SLOW_LINE = 32 * 1024;

/** ms more for the answer to a body of this length, for what a slow line has yet to carry. */
const timeInBuffers = (length: number): number => (Math.min(length, IN_BUFFERS) / SLOW_LINE) * 1000;

const TLS_CODES =
  /^(ERR_(TLS|SSL|OSSL)|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH|ERROR_IN_C|EPROTO$)/;

/** Name of a fault that came before the request was handed to a connection: nothing has left. */
export function faultBefore({ code = "" }: NodeError): LocalFault {
  if (code === "ENOTFOUND" || code.startsWith("EAI_")) {
    return "NAME_LOOKUP_FAILED";
  }
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    return "CONNECT_TIMEOUT";
  }
  if (code === "PROXY_FAILED" || code === "PROXY_DENIED") {
    return code;
  }
  return TLS_CODES.test(code) ? "TLS_FAILED" : "CONNECT_FAILED";
}

/** Name of a fault that came after: nobody can tell what the service did. */
function faultAfter({ name, code, message }: NodeError): LocalFault {
  // undici's parser gives its errors no code. At an early end what came was fine, only not all of it.
  const unreadable = name === "HTTPParserError" && !/\bEOF\b/.test(message);
  return unreadable || code === "UND_ERR_HEADERS_OVERFLOW" ? "ANSWER_UNREADABLE" : "CONNECTION_LOST";
}

/** What is said of an error besides its name: a code says it all, except for the proxy's. */
const detailOf = ({ code = "", message }: NodeError): string =>
  code === "" || code.startsWith("PROXY_") ? message : code;

/**
 * Sends one request once and tells exactly whether it had been handed to a ready connection when something
 * went wrong. Never rejects, never repeats, never follows a redirect. Ends at once when `halt` is stopped before
 * the request was handed over, and when `kill` is stopped.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
  gates: StopGates,
  transfer: Transfer = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    if (gates.halt.stopped || gates.kill.stopped) {
      resolve({ fault: "CLOSING", detail: "stopped" });
      return;
    }
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    /** Of the answer once the request has left; before that, where it has to wait, of a connection. */
    let deadline: Deadline | null = null;
    let status = 0;
    let headers: HttpAnswer["headers"] = {};

    let waiting = true;
    const stopWaiting = (): void => {
      if (waiting) {
        waiting = false;
        deadline?.stop();
        releaseHalt();
        releaseKill();
      }
    };
    const settle = (result: Exchange): void => {
      if (settled) {
        return;
      }
      settled = true;
      stopWaiting();
      // What was taken of an answer that does not become whole is cleared away before anybody hears of it.
      const clearing = result.answer === undefined ? answerBody.discard() : null;
      if (clearing === null) {
        resolve(result);
      } else {
        void clearing.finally(() => resolve(result));
      }
    };
    const end = (fault: LocalFault, detail: string): void => {
      settle({ fault, detail });
      controller?.abort(new Error(detail));
    };
    const stop = (): void => end(controller === null ? "CLOSING" : "STOPPED_WAITING", "stopped");
    const releaseHalt = gates.halt.onStop(() => controller === null && stop());
    const releaseKill = gates.kill.onStop(stop);
    const { body } = request;
    const answerBody = new AnswerBody(limits.maxBody, transfer, end);
    const late = (): void => {
      const time = `within ${limits.answerTimeout} ms`;
      if (answerBody.waitsForSink) {
        end("FILE_UNWRITABLE", `the disk took no more ${time}`);
      } else {
        const moves = transfer.limit !== undefined || isSource(body);
        end("NO_ANSWER", moves ? `nothing more ${time}, or too slowly` : `no complete answer ${time}`);
      }
    };
    let moved = 0;
    const follow = (source: ByteSource): AsyncIterable<Uint8Array> =>
      requestBody(source, {
        moved: (bytes) => {
          moved += bytes;
          deadline?.progress(bytes);
          transfer.progress?.(moved, source.length);
        },
        sent: () => deadline?.restart(limits.answerTimeout + timeInBuffers(source.length)),
        failed: end,
      });

    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method,
        path: request.path,
        headers: request.headers as Record<string, string>,
        body: isSource(body) ? (follow(body) as never) : body,
        // Never let the HTTP client believe that it may repeat a request, whatever the method.
        idempotent: false,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(control) {
          if (settled) {
            // Given up while waiting for a connection: ended here, before a byte is written.
            control.abort(new Error("given up before a connection was ready"));
            return;
          }
          if (controller !== null) {
            // It left once already and may not leave again, whatever the HTTP client thinks of it.
            settle({ fault: "CONNECTION_LOST", detail: "the HTTP client was about to send it again" });
            control.abort(new Error("sent before"));
            return;
          }
          controller = control;
          deadline?.stop();
          deadline = new Deadline(limits.answerTimeout, late);
        },
        onResponseStart(_control, code, received) {
          if (code >= 200) {
            status = code;
            headers = received;
            answerBody.begin(code, received);
          }
        },
        onResponseData(control, chunk) {
          if (transfer.limit !== undefined && !settled) {
            deadline?.progress(chunk.length);
          }
          answerBody.take(chunk, control);
        },
        onResponseEnd() {
          if (settled) {
            return;
          }
          // All of it is here: from now on neither gate nor deadline makes another answer of it.
          stopWaiting();
          const whole = answerBody.finish();
          const answered = (kept: Buffer): void => settle({ answer: { status, headers, body: kept } });
          if (whole instanceof Promise) {
            whole.then(answered, (error: unknown) => settle(transferFault(error)));
          } else {
            answered(whole);
          }
        },
        onResponseError(_control, error: NodeError) {
          const fault = controller === null ? faultBefore(error) : faultAfter(error);
          settle({ fault, detail: detailOf(error) });
        },
      },
    );
    // Mostly a connection is free, and the request has left by now.
    if (controller === null && !settled) {
      deadline = new Deadline(limits.readyTimeout, () =>
        end("CONNECT_TIMEOUT", "no connection became ready in time"),
      );
    }
  });
}
