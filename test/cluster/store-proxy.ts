import { connect, createServer, type Server, type Socket } from "node:net";

/** One connection through the proxy. */
interface Passing {
  readonly client: Socket;
  readonly onward: Socket;
}

/** Stands between one Node-RED and PostgreSQL, and cuts or holds back their connections. */
export class StoreProxy {
  /** Local ports of every connection that this proxy made to the server. */
  readonly ports = new Set<number>();
  readonly #passing = new Set<Passing>();
  #server: Server | null = null;
  #stalled = false;
  #port = 0;

  private constructor(private readonly target: number) {}

  /** @param target port of PostgreSQL on 127.0.0.1 */
  static async start(target: number): Promise<StoreProxy> {
    const proxy = new StoreProxy(target);
    await proxy.restore();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Local ports of the connections that are open. */
  get openPorts(): readonly number[] {
    return [...this.#passing].map(({ onward }) => onward.localPort ?? 0);
  }

  /** Resets every connection, and refuses new ones until `restore`. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve();
      else server.close(() => resolve());
    });
    for (const { client, onward } of this.#passing) {
      client.resetAndDestroy();
      onward.destroy();
    }
    await closed;
  }

  /** Takes connections, the second time on the same port as before. */
  async restore(): Promise<void> {
    const server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#server = server;
    this.#port = (server.address() as { port: number }).port;
  }

  /** Holds every byte back, in both directions, until `flow`: neither side gets an answer or an error. */
  stall(): void {
    this.#stalled = true;
    for (const { client, onward } of this.#passing) {
      client.pause();
      onward.pause();
    }
  }

  flow(): void {
    this.#stalled = false;
    for (const { client, onward } of this.#passing) {
      client.resume();
      onward.resume();
    }
  }

  #accept(client: Socket): void {
    const onward = connect(this.target, "127.0.0.1");
    const passing = { client, onward };
    this.#passing.add(passing);
    const end = (): void => {
      this.#passing.delete(passing);
      client.destroy();
      onward.destroy();
    };
    for (const socket of [client, onward]) {
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", end);
    }
    onward.on("connect", () => {
      this.ports.add(onward.localPort ?? 0);
      client.on("data", (bytes) => onward.write(bytes));
      onward.on("data", (bytes) => client.write(bytes));
      if (this.#stalled) {
        client.pause();
        onward.pause();
      } else {
        client.resume();
      }
    });
  }
}
