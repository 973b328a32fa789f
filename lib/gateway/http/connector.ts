import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { buildConnector } from "undici";
import { say } from "../../texts/say";
import type { TlsOptions } from "../contract/settings";
import { guardSocketEnd } from "./guard-socket-end";
import type { ProxyRoute } from "./proxy-choice";
import { skipContinue } from "./skip-continue";
import type { CancelSignal } from "./cancel-signal";

type Callback = Parameters<buildConnector.connector>[1];

/** Its code is never one of undici, which retries some of its own codes without end. */
class ConnectError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

function plainCode({ code = "" }: Error & { code?: string }): string {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    // undici handles this code separately and loses count of its requests.
    return "HOSTNAME_MISMATCH";
  }
  return code === "" || (code.startsWith("UND_ERR_") && code !== "UND_ERR_CONNECT_TIMEOUT")
    ? "CONNECT_FAILED"
    : code;
}

const plainError = (error: Error): ConnectError => new ConnectError(plainCode(error), error.message);
const closed = (): ConnectError => new ConnectError("CONNECT_FAILED", "closing");

const guarded = <Connection extends Socket>(socket: Connection): Connection =>
  skipContinue(guardSocketEnd(socket));

/** `timeout` in ms covers look-up, TCP and TLS. `closing` also ends connecting sockets. */
function directConnector(tls: TlsOptions, timeout: number, closing: CancelSignal): buildConnector.connector {
  // undici's type hides the returned socket, which must be ended before it is connected.
  const connect = buildConnector({ ...tls, timeout, allowH2: false }) as unknown as (
    ...args: Parameters<buildConnector.connector>
  ) => Socket;
  return (options, callback) => {
    if (closing.stopped) {
      callback(closed(), null);
      return;
    }
    const socket = connect(options, (...[error, connected]) => {
      if (error === null) {
        callback(null, guarded(connected));
      } else {
        callback(plainError(error), null);
      }
    });
    const release = closing.onStop(() => socket.destroy(closed()));
    socket.once("close", release);
  };
}

function openTunnel(
  proxy: ProxyRoute,
  target: string,
  timeout: number,
  closing: CancelSignal,
  callback: Callback,
): void {
  if (closing.stopped) {
    callback(closed(), null);
    return;
  }
  const request = (proxy.url.protocol === "https:" ? httpsRequest : httpRequest)(proxy.url, {
    method: "CONNECT",
    path: target,
    agent: false,
    headers: {
      host: target,
      ...(proxy.authorization !== null && { "proxy-authorization": proxy.authorization }),
    },
  });
  let settled = false;
  const settle = (error: ConnectError | null, socket: Socket | null): void => {
    if (settled) {
      socket?.destroy();
      return;
    }
    settled = true;
    clearTimeout(timer);
    release();
    if (error === null && socket !== null) {
      callback(null, socket);
    } else {
      request.destroy();
      callback(error ?? closed(), null);
    }
  };
  const fail = (message: string, code = "PROXY_FAILED"): void =>
    settle(new ConnectError(code, message), null);
  const timer = setTimeout(() => fail(say("service.proxy.timeout", { ms: timeout })), timeout);
  const release = closing.onStop(() => settle(closed(), null));
  request.on("error", (error: Error & { code?: string }) => fail(error.message || (error.code ?? "error")));
  request.on("close", () => fail(say("service.proxy.closed")));
  request.on("connect", ({ statusCode = 0 }, socket: Socket) => {
    if (statusCode >= 200 && statusCode < 300) {
      settle(null, socket);
    } else {
      socket.destroy();
      fail(
        say("service.proxy.answered", { status: statusCode }),
        statusCode === 407 ? "PROXY_DENIED" : "PROXY_FAILED",
      );
    }
  });
  request.end();
}

/** Connects directly or through a proxy tunnel, with TLS to the service inside. */
export function connectorFor(
  route: ProxyRoute | null,
  tls: TlsOptions,
  timeout: number,
  closing: CancelSignal,
): buildConnector.connector {
  const secure = directConnector(tls, timeout, closing);
  if (route === null) {
    return secure;
  }
  return (options, callback) => {
    const { hostname, port, protocol } = options;
    const target = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
    openTunnel(route, target, timeout, closing, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
      } else if (protocol === "https:") {
        try {
          secure({ ...options, httpSocket: socket }, callback);
        } catch (fault) {
          // Unusable TLS material thrown from here would end the process.
          socket.destroy();
          callback(plainError(fault as Error), null);
        }
      } else {
        const release = closing.onStop(() => socket.destroy(closed()));
        socket.once("close", release);
        callback(null, guarded(socket));
      }
    });
  };
}
