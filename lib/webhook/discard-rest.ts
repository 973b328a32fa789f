import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes of a refused body that are still read. */
const MOST = 1024 * 1024;
/** ms for reading them. */
const PATIENCE = 2_000;

/**
 * Ends a connection on which the answer is written but the request is not yet read. Closing at once would
 * reset the connection and lose the answer, so the rest of the request is read and discarded for a while.
 */
export function discardRest(req: IncomingMessage, res: ServerResponse): void {
  let left = MOST;
  const take = (chunk: Buffer | string): void => {
    left -= chunk.length;
    if (left < 0) {
      // Reading stops, but the caller still has time to read the answer.
      req.off("data", take).pause();
    }
  };
  const end = (): void => {
    clearTimeout(timer);
    req.off("data", take).off("end", end).off("close", end);
    res.end();
  };
  const timer = setTimeout(() => {
    end();
    // `end` alone would wait until the caller has read the answer.
    req.destroy();
  }, PATIENCE);
  // A broken connection needs no handling here; the listener stays for errors after the end.
  req.on("error", () => {});
  req.on("data", take).on("end", end).on("close", end).resume();
}
