import type { ServerResponse } from "node:http";

/**
 * Calls back once with whether the answer was written, as far as this process knows: `true` when all of it was handed
 * to the system, `false` when the connection closed before.
 */
export function whenAnswered(res: ServerResponse, tell: (written: boolean) => void): void {
  // An answer that waits for an earlier one on the same connection has no socket yet; its request has.
  const { socket } = res.req;
  if (res.destroyed || socket.destroyed) {
    tell(false);
    return;
  }
  const finish = (): void => end(true);
  const close = (): void => end(res.writableFinished);
  const end = (written: boolean): void => {
    res.off("finish", finish);
    socket.off("close", close);
    tell(written);
  };
  res.on("finish", finish);
  socket.on("close", close);
}
