import { connect } from "node:net";
import { SECRET, SECRET_HEADER } from "./webhook-secret";

/** A connection that posts events to a webhook, as little work as possible. */
export interface EventSocket {
  /** Only after the answer to the one before. */
  readonly post: (event: object) => void;
  readonly close: () => void;
}

const BLANK = "\r\n\r\n";

/**
 * @param ready called when it is connected, and with each answer
 * @param failed called when the connection ends with an error
 */
export function openEventSocket(
  url: string,
  ready: (socket: EventSocket, accepted: boolean | null) => void,
  failed: (error: Error) => void,
): void {
  const { hostname, port, host, pathname } = new URL(url);
  const connection = connect(Number(port), hostname);
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${SECRET_HEADER}: ${SECRET}\r\ncontent-length: `;
  const socket: EventSocket = {
    post: (event) => {
      const body = JSON.stringify(event);
      connection.write(`${head}${body.length}${BLANK}${body}`);
    },
    close: () => connection.destroy(),
  };
  let pending = "";
  connection.setNoDelay(true).setEncoding("latin1");
  connection.on("connect", () => ready(socket, null));
  connection.on("error", failed);
  connection.on("data", (text: string) => {
    pending += text;
    const end = pending.indexOf(BLANK);
    if (end < 0) {
      return;
    }
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, end))?.[1] ?? 0);
    const whole = end + BLANK.length + length;
    if (pending.length < whole) {
      return;
    }
    const accepted = /^HTTP\/1\.1 20\d /.test(pending);
    pending = pending.slice(whole);
    ready(socket, accepted);
  });
}
