import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Identity } from "../../../support/http/certificates";

export interface FakeServer {
  readonly url: string;
  /** Connections that came. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Something that is not a usable PostgreSQL server. @param answer gets each connection */
export async function fakeServer(answer: (socket: Socket) => void): Promise<FakeServer> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server: Server = createServer((socket) => {
    count++;
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgresql://somebody:right-password@127.0.0.1:${port}/shop`,
    connections: () => count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function framed(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const message = (type: string, ...parts: readonly (number | string)[]): Buffer =>
  framed(
    type,
    ...parts.map((part) => {
      if (typeof part === "string") return Buffer.from(`${part}\0`);
      const bytes = Buffer.alloc(4);
      bytes.writeInt32BE(part);
      return bytes;
    }),
  );

const READY = Buffer.concat([Buffer.from("Z\0\0\0\x05"), Buffer.from("I")]);

/** One row of texts. */
function rowOf(columns: Readonly<Record<string, string>>): Buffer {
  const count = Buffer.from([0, Object.keys(columns).length]);
  const describe = Object.keys(columns).map((name) =>
    // Table, column, type text, size, modifier, format.
    Buffer.concat([
      Buffer.from(`${name}\0`),
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0]),
    ]),
  );
  const values = Object.values(columns).map((value) => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(value.length);
    return Buffer.concat([length, Buffer.from(value)]);
  });
  return Buffer.concat([framed("T", count, ...describe), framed("D", count, ...values)]);
}

/** Signs anybody in, and gives this row as the answer to everything. */
function speak(socket: Socket, columns: Readonly<Record<string, string>>): void {
  socket.once("data", () => {
    socket.write(Buffer.concat([message("R", 0), READY]));
    socket.on("data", (chunk: Buffer) => {
      const answer = [rowOf(columns), message("C", "SELECT 1"), READY];
      if (String.fromCharCode(chunk[0]!) === "Q") {
        socket.write(Buffer.concat(answer));
      } else if (chunk.subarray(-5).toString("latin1") === "S\0\0\0\x04") {
        // A sync ends a query with parameters.
        socket.write(Buffer.concat([message("1"), message("2"), ...answer]));
      }
    });
  });
}

/** A server of this version. */
export const serverOfVersion = (number: string, name: string): Promise<FakeServer> =>
  fakeServer((socket) =>
    speak(socket, {
      version: number,
      name,
      encoding: "UTF8",
      fsync: "on",
      synchronous_commit: "on",
      read_only: "off",
      standby: "false",
    }),
  );

/** A server with TLS, of a version that is too old. */
export const serverWithTls = ({ key, cert }: Identity): Promise<FakeServer> =>
  fakeServer((socket) => {
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, key, cert });
      secure.on("error", () => {});
      speak(secure, { version: "90600", name: "9.6" });
    });
  });

export interface Pooler extends FakeServer {
  /** The next answer of the server is lost: the client is told that the server's connection has crashed, with this severity. */
  readonly loseAnswer: (severity: "FATAL" | "ERROR") => void;
}

/** A pooler before the server of this port, on which it goes on with what it was sent. */
export async function poolerOf(port: number): Promise<Pooler> {
  let lost: string | null = null;
  const servers: Socket[] = [];
  const { close, ...pooler } = await fakeServer((socket) => {
    const server = connect(port, "127.0.0.1");
    servers.push(server);
    let isLost = false;
    server.on("error", () => {});
    server.on("data", (chunk) => {
      if (lost !== null) {
        isLost = true;
        socket.end(message("E", `S${lost}`, `V${lost}`, "C08P01", "Mserver conn crashed?", ""));
        lost = null;
      } else if (!isLost) {
        socket.write(chunk);
      }
    });
    socket.on("data", (chunk) => server.write(chunk));
  });
  return {
    ...pooler,
    loseAnswer: (severity) => {
      lost = severity;
    },
    close: async () => {
      for (const server of servers) server.destroy();
      await close();
    },
  };
}
