import type { Socket } from "node:net";

type Read = Socket["read"];
type Unshift = Socket["unshift"];
type Push = Socket["push"];
type Emit = (event: string | symbol, ...parameters: unknown[]) => boolean;

/** The error of a broken connection, with a code that the HTTP client does not treat specially. */
const broken = (message: string): Error => Object.assign(new Error(message), { code: "CONNECTION_RESET" });

/**
 * Guards a connection against two faults of the HTTP client (undici issue 5360, not mended in the versions that run
 * on Node.js 20). When the other side ends an answer with `connection: close` while its reader has paused it, the
 * client throws an error that cannot be caught, and the process ends. And an answer without a length that is cut off by
 * a reset counts as whole.
 *
 * The client pauses by putting back what it has not parsed yet, and goes on by reading. In between, and while
 * there is anything left to read, the end of the connection is kept from it. A reset gets another code.
 */
export function guardSocketEnd<Connection extends Socket>(socket: Connection): Connection {
  let paused = false;
  let endHeld = false;
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
        endHeld = true;
        return false;
      }
      return push(chunk, encoding);
    },
    read: (size) => {
      const wantsAll = size === undefined;
      paused &&= !wantsAll;
      const piece: unknown = read(size);
      if (piece === null && wantsAll && endHeld) {
        endHeld = false;
        // Once the client has worked off what it has; should it pause again by then, the end is held again.
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
