import type { IncomingMessage, ServerResponse } from "node:http";

/** Bytes of an unwanted body that are taken in nevertheless. */
const MOST = 1024 * 1024;
/** ms for it. */
const PATIENCE = 2_000;

/**
 * Ends a connection on which the answer is written but the request is not yet read. Closing at once would make the
 * system drop what the other side has not fetched, and with it the answer; so the rest of the request is thrown
 * away for a while.
 */
export function discardRest(req: IncomingMessage, res: ServerResponse): void {
  let left = MOST;
  const take = (chunk: Buffer | string): void => {
    left -= chunk.length;
    if (left < 0) {
      // No more is read, but the other side keeps its time to fetch the answer.
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
    // Ending alone would wait for as long as the other side does not fetch the answer.
    req.destroy();
  }, PATIENCE);
  // A connection that breaks now is nobody's concern; the listener stays, for errors that come after the end.
  req.on("error", () => {});
  req.on("data", take).on("end", end).on("close", end).resume();
}
