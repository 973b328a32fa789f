import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP server on a free port of 127.0.0.1. */
export interface LocalServer {
  readonly port: number;
  /** Without a slash at the end. */
  readonly url: string;
  /** Connections that are open now. */
  readonly connections: () => Promise<number>;
  /** Breaks its connections and ends. */
  readonly stop: () => Promise<void>;
}

export async function startLocalServer(handler: RequestListener): Promise<LocalServer> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
