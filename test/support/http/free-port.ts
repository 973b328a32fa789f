import { createServer } from "node:net";

/** Below the range from which systems take ports for outgoing connections, so that none of those gets in between. */
const FROM = 20_000;
const TO = 30_000;
const TRIES = 100;
const given = new Set<number>();

/** Whether a port of this computer can be listened on right now. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/**
 * A port of this computer that nobody listens on: the wanted one, or any. None is given out twice.
 * @throws Error where the wanted one is taken
 */
export async function freePort(wanted = 0): Promise<number> {
  if (wanted > 0) {
    if (await isFree(wanted)) {
      return wanted;
    }
    throw new Error(`port ${wanted} is taken`);
  }
  for (let tried = 0; tried < TRIES; tried++) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM));
    if (!given.has(port) && (await isFree(port))) {
      given.add(port);
      return port;
    }
  }
  throw new Error("no free port was found");
}
