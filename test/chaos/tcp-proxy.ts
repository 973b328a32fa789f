import { connect, createServer, type Server, type Socket } from "node:net";

/** Gives each connection to the next of some servers that accepts it, and cuts connections. */
export class TcpProxy {
  readonly ports = new Set<number>();
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #port = 0;
  #next = 0;

  constructor(private readonly targets: readonly number[]) {}

  async listen(): Promise<number> {
    const server = createServer({ pauseOnConnect: true }, (socket) =>
      this.#accept(socket, this.targets.length),
    );
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#server = server;
    this.#port = (server.address() as { port: number }).port;
    return this.#port;
  }

  /** Resets every connection, and refuses new ones until `listen`. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => (this.#server ? this.#server.close(resolve) : resolve(null)));
    this.#server = null;
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  #accept(client: Socket, attempts: number): void {
    const onward = connect(this.targets[this.#next++ % this.targets.length] ?? 0, "127.0.0.1");
    const retry = (): unknown =>
      attempts > 1 ? this.#accept(client, attempts - 1) : client.resetAndDestroy();
    onward.once("error", retry);
    onward.once("connect", () => {
      onward.off("error", retry);
      this.ports.add(onward.localPort ?? 0);
      this.#join(client, onward);
      this.#join(onward, client);
    });
  }

  #join(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => other.destroy());
    socket.once("close", () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  }
}
