import { connect, createServer, type Socket } from "node:net";

/** What a proxy does once it has the head of a CONNECT request. */
export type ProxyReply = (head: string, socket: Socket) => unknown;

/** An HTTP proxy on the loopback address. */
export interface TestProxy {
  readonly url: string;
  /** Of every CONNECT request, in order. */
  readonly heads: readonly string[];
  /** Connections of clients that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Opens the tunnel to 127.0.0.1, whatever host was requested. */
export function tunnel(head: string, socket: Socket, status = "200 Connection established"): void {
  const port = Number(/^CONNECT \S+:(\d+) /.exec(head)?.[1]);
  const onward = connect(port, "127.0.0.1", () => {
    socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
    socket.pipe(onward).pipe(socket);
  });
  onward.on("error", () => socket.destroy());
  socket.on("close", () => onward.destroy());
}

/** Starts a proxy that opens tunnels, or does as `reply` says. */
export async function startProxy(reply: ProxyReply = tunnel): Promise<TestProxy> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let text = "";
    const onData = (chunk: Buffer): void => {
      text += chunk.toString("latin1");
      if (text.includes("\r\n\r\n")) {
        socket.off("data", onData);
        heads.push(text);
        reply(text, socket);
      }
    };
    socket.on("data", onData);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    heads,
    sockets,
    close: () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
