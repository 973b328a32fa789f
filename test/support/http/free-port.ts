import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Below the range from which systems take ports for outgoing connections, so that none of those gets in between. */
const FROM = 20_000;
const TO = 30_000;
const TRIES = 100;
/**
 * A file for each port that was given out: a program takes seconds until it listens, and several processes of tests look for ports, in one place,
 * also where their other temporary files are apart.
 */
const GIVEN = join(process.env.TEST_PORTS ?? tmpdir(), "messaging-test-ports");
const own = new Set<string>();

/** Whether a port of this computer can be listened on right now. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Whether the process that a port was given to still runs. */
function isHeld(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch {
    return false;
  }
}

/** Whether the port is from now on this process's, of all processes of tests. */
function take(port: number): boolean {
  const file = join(GIVEN, String(port));
  mkdirSync(GIVEN, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    if (!isHeld(file)) {
      // Its process was killed. Whoever looks next may have it.
      rmSync(file, { force: true });
    }
    return false;
  }
  if (own.size === 0) {
    process.once("exit", () => {
      for (const each of own) rmSync(each, { force: true });
    });
  }
  own.add(file);
  return true;
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
    if (take(port) && (await isFree(port))) {
      return port;
    }
  }
  throw new Error("no free port was found");
}
