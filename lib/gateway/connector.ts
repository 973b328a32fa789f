import { type RequestOptions, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { buildConnector } from "undici";
import type { ProxyRoute } from "./proxy-choice";

/** TLS material as `tls.connect` takes it; from Node-RED's own TLS configuration node. */
export type TlsOptions = Readonly<Record<string, unknown>>;

/**
 * A connection that never came about. Its code is always one of ours or of Node.js: undici retries some of its
 * own codes for ever without telling anybody, so none of them may come out of a connector.
 */
class ConnectError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const plainCode = (error: Error & { code?: string }): string => {
  const code = error.code ?? "";
  return code === "" || (code.startsWith("UND_ERR_") && code !== "UND_ERR_CONNECT_TIMEOUT")
    ? "CONNECT_FAILED"
    : code;
};

/** Connects straight to the service. `timeout` in ms covers look-up, TCP and TLS. */
export function directConnector(tls: TlsOptions, timeout: number): buildConnector.connector {
  const connect = buildConnector({ ...tls, timeout, allowH2: false });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error === null) {
        callback(null, socket);
      } else {
        callback(new ConnectError(plainCode(error), error.message), null);
      }
    });
}

/** Opens a tunnel through an HTTP proxy (CONNECT), then TLS to the service inside it. */
export function proxyConnector(
  proxy: ProxyRoute,
  tls: TlsOptions,
  timeout: number,
): buildConnector.connector {
  const secure = directConnector(tls, timeout);
  return (options, callback) => {
    const host = `${options.hostname.includes(":") ? `[${options.hostname}]` : options.hostname}:${options.port || (options.protocol === "https:" ? 443 : 80)}`;
    const settings: RequestOptions = {
      method: "CONNECT",
      path: host,
      agent: false,
      headers: { host, ...(proxy.authorization !== null && { "proxy-authorization": proxy.authorization }) },
    };
    const request = (proxy.url.protocol === "https:" ? httpsRequest : httpRequest)(proxy.url, settings);
    let settled = false;
    const timer = setTimeout(
      () => fail("UND_ERR_CONNECT_TIMEOUT", "the proxy did not answer in time"),
      timeout,
    );
    const fail = (code: string, message: string): void => {
      if (!settled) {
        settled = true;
        clearTimeout(timer);
        request.destroy();
        callback(new ConnectError(code, message), null);
      }
    };
    request.on("error", (error) => fail("PROXY_FAILED", error.message));
    request.on("close", () => fail("PROXY_FAILED", "the proxy closed the connection"));
    request.on("response", (answer) =>
      fail("PROXY_FAILED", `the proxy answered with HTTP ${answer.statusCode}`),
    );
    request.on("connect", (answer, socket: Socket) => {
      if (answer.statusCode !== 200) {
        socket.destroy();
        fail(
          answer.statusCode === 407 ? "PROXY_DENIED" : "PROXY_FAILED",
          `the proxy answered with HTTP ${answer.statusCode}`,
        );
        return;
      }
      if (settled) {
        socket.destroy();
        return;
      }
      settled = true;
      clearTimeout(timer);
      if (options.protocol === "https:") {
        secure({ ...options, httpSocket: socket }, callback);
      } else {
        callback(null, socket);
      }
    });
    request.end();
  };
}
