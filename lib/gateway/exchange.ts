import type { Dispatcher } from "undici";
import type { LocalFault } from "../shared/plain-outcomes";
import type { StopGates } from "./stop-gate";

/** One HTTP request as it goes out. `path` holds the query; nothing in here may be logged: it holds secrets. */
export interface HttpRequest {
  readonly origin: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
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
  /** ms from handing the request to a ready connection to the answer's last byte. */
  readonly answerTimeout: number;
  /** ms from asking for a connection to having one; a second line behind the connector's own timeout. */
  readonly readyTimeout: number;
  /** Bytes of the answer's body. */
  readonly maxBody: number;
}

type NodeError = Error & { code?: string };

const TLS_CODES =
  /^(ERR_(TLS|SSL|OSSL)|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH|ERROR_IN_C|EPROTO$)/;

/** Name of a fault that came before the request was handed to a connection: nothing has left. */
function faultBefore({ code = "" }: NodeError): LocalFault {
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
): Promise<Exchange> {
  return new Promise((resolve) => {
    if (gates.halt.stopped || gates.kill.stopped) {
      resolve({ fault: "CLOSING", detail: "stopped" });
      return;
    }
    let controller: Dispatcher.DispatchController | null = null;
    let settled = false;
    let timer = setTimeout(
      () => end("CONNECT_TIMEOUT", "no connection became ready in time"),
      limits.readyTimeout,
    );
    let status = 0;
    let headers: HttpAnswer["headers"] = {};
    const chunks: Buffer[] = [];
    let size = 0;

    const settle = (result: Exchange): void => {
      if (!settled) {
        settled = true;
        clearTimeout(timer);
        releaseHalt();
        releaseKill();
        resolve(result);
      }
    };
    const end = (fault: LocalFault, detail: string): void => {
      settle({ fault, detail });
      controller?.abort(new Error(detail));
    };
    const stop = (): void => end(controller === null ? "CLOSING" : "STOPPED_WAITING", "stopped");
    const releaseHalt = gates.halt.onStop(() => controller === null && stop());
    const releaseKill = gates.kill.onStop(stop);

    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method,
        path: request.path,
        headers: request.headers as Record<string, string>,
        body: request.body,
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
          clearTimeout(timer);
          timer = setTimeout(
            () => end("NO_ANSWER", `no complete answer within ${limits.answerTimeout} ms`),
            limits.answerTimeout,
          );
        },
        onResponseStart(_control, code, received) {
          if (code >= 200) {
            status = code;
            headers = received;
          }
        },
        onResponseData(_control, chunk) {
          size += chunk.length;
          if (size > limits.maxBody) {
            end("ANSWER_UNREADABLE", `the answer is larger than ${limits.maxBody} bytes`);
          } else {
            chunks.push(chunk);
          }
        },
        onResponseEnd() {
          settle({ answer: { status, headers, body: Buffer.concat(chunks, size) } });
        },
        onResponseError(_control, error: NodeError) {
          const fault = controller === null ? faultBefore(error) : faultAfter(error);
          settle({ fault, detail: detailOf(error) });
        },
      },
    );
  });
}
