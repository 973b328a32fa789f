import type { Socket } from "node:net";

type Read = Socket["read"];
type Unshift = Socket["unshift"];
type Push = Socket["push"];
type Emit = (event: string | symbol, ...parameters: unknown[]) => boolean;

const broken = (message: string): Error => Object.assign(new Error(message), { code: "CONNECTION_RESET" });

/**
 * Guards a connection against two errors of undici on Node.js 20 (undici issue 5360).
 * A `connection: close` while the reader pauses ends the process. A reset makes a short response look complete.
 * The guard delays the end of the connection while data is unread, and gives a reset another code.
 */
export function guardSocketEnd<Connection extends Socket>(socket: Connection): Connection {
  let paused = false;
  let endDelayed = false;
  let failed = false;
  const read: Read = socket.read.bind(socket);
  const unshift: Unshift = socket.unshift.bind(socket);
  const push: Push = socket.push.bind(socket);
  const emit: Emit = socket.emit.bind(socket);

  const announceEnd = (): void => {
    if (!socket.destroyed) {
      socket.push(null);
      socket.read(0);
    }
  };
  const guard: { read: Read; unshift: Unshift; push: Push; emit: Emit } = {
    unshift: (chunk, encoding) => {
      paused = true;
      unshift(chunk, encoding);
    },
    push: (chunk: unknown, encoding) => {
      if (chunk === null && (paused || socket.readableLength > 0)) {
        endDelayed = true;
        return false;
      }
      return push(chunk, encoding);
    },
    read: (size) => {
      const wantsAll = size === undefined;
      paused &&= !wantsAll;
      const piece: unknown = read(size);
      if (piece === null && wantsAll && endDelayed) {
        endDelayed = false;
        // Runs after the client has read its data. If the client pauses again, the end is delayed again.
        process.nextTick(announceEnd);
      }
      return piece;
    },
    emit: (event, ...parameters) => {
      if (event === "error") {
        failed = true;
        const [error] = parameters as [Error & { code?: string }];
        return emit(event, error.code === "ECONNRESET" ? broken(error.message) : error);
      }
      if (event === "close" && paused && !failed) {
        emit("error", broken("closed"));
      }
      return emit(event, ...parameters);
    },
  };
  return Object.assign(socket, guard);
}
