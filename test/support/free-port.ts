import { createServer } from "node:net";

/** A port of this machine that is free now: the wanted one, or with 0 any. Rejects when the wanted one is taken. */
export function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("the system named no port")),
      );
    });
  });
}
