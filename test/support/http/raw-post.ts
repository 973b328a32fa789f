import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A POST whose connection is in the caller's hands, to be cut at any moment. */
export class RawPost {
  private constructor(private readonly socket: Socket) {
    socket.on("error", () => {});
  }

  /** Sends a whole request and waits for nothing. */
  static async send(url: string, body: unknown): Promise<RawPost> {
    const { hostname, port, pathname, search } = new URL(url);
    const socket = connect(Number(port), hostname);
    const post = new RawPost(socket);
    await once(socket, "connect");
    const bytes = Buffer.from(JSON.stringify(body));
    socket.write(
      `POST ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes);
    return post;
  }

  /** By what the other side knows the connection. */
  get localPort(): number {
    return this.socket.localPort ?? 0;
  }

  /** Cuts the connection before any answer. */
  async cut(): Promise<void> {
    const closed = once(this.socket, "close");
    this.socket.destroy();
    await closed;
  }

  /** HTTP status of the answer. */
  async status(): Promise<number> {
    const [bytes] = (await once(this.socket, "data")) as [Buffer];
    this.socket.destroy();
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString("latin1"))?.[1]);
  }
}
