import { connect } from "node:net";
import { FORM, LEGACY_BASIC } from "./service-client";

/** The bytes of a valid SMS by form, for tests of the connection itself; `start` replaces the first lines. */
export function rawSms(
  start: readonly string[] = ["POST /rest/smsmessaging/simple HTTP/1.1", "host: 127.0.0.1"],
): string {
  const body = "recipientAddressList=41790000000&messageContent=x";
  const headers = [`authorization: ${LEGACY_BASIC}`, `content-type: ${FORM}`];
  return [...start, ...headers, `content-length: ${body.length}`, "", body].join("\r\n");
}

/** Writes bytes to a port of this machine. Returns what comes back, and the code of the error that ends it. */
export function rawExchange(port: number, bytes: string): Promise<{ bytes: string; error: string | null }> {
  return new Promise((resolve) => {
    const result = { bytes: "", error: null as string | null };
    const socket = connect(port, "127.0.0.1");
    socket.on("data", (chunk) => {
      result.bytes += chunk.toString("latin1");
    });
    socket.on("error", (cause: NodeJS.ErrnoException) => {
      result.error = cause.code ?? "";
    });
    socket.on("close", () => resolve(result));
    socket.write(bytes);
  });
}
