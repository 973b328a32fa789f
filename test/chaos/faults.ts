import type { Socket } from "node:net";
import { answer } from "../support/http/fault-server";

/** `tell` writes a whole response, or its last bytes, which tells the client what the service did. */
export type Exchange = Readonly<{
  socket: Socket;
  forward: () => Promise<Buffer>;
  tell: (bytes: Buffer | string, whole?: Buffer) => void;
}>;

export interface Fault {
  /** The fault starts at the header of the request. */
  readonly atHead?: true;
  readonly treat: (exchange: Exchange) => void | Promise<void>;
}

const reset = ({ socket }: Exchange): void => void socket.resetAndDestroy();

const afterwards = (treat: (bytes: Buffer, exchange: Exchange) => void): Fault => ({
  treat: async (exchange) => treat(await exchange.forward(), exchange),
});

const cutAt = (position: (bytes: Buffer) => number): Fault =>
  afterwards((bytes, { socket }) => void socket.end(bytes.subarray(0, position(bytes))));

function writeByteByByte(bytes: Buffer, { socket, tell }: Exchange): void {
  let at = 0;
  const next = (): void => {
    if (at === bytes.length - 1) tell(bytes.subarray(at), bytes);
    else if (!socket.destroyed) {
      socket.write(bytes.subarray(at, ++at));
      setTimeout(next, 1);
    }
  };
  next();
}

const refusedToken = answer(401, "", { "www-authenticate": 'Bearer error="invalid_token"' });

export const NETWORK_FAULTS: Readonly<Record<string, Fault>> = {
  "reset at the first bytes of a request": { atHead: true, treat: reset },
  "reset before the request is forwarded": { treat: reset },
  "reset after the request was forwarded": afterwards((_bytes, exchange) => reset(exchange)),
  "closed after the request was forwarded": afterwards((_bytes, { socket }) => void socket.end()),
  "cut in the header of the response": cutAt((bytes) => bytes.indexOf("\r\n\r\n") - 10),
  "cut in the body of the response": cutAt((bytes) => bytes.indexOf("\r\n\r\n") + 14),
  "garbage after forwarding": afterwards((_bytes, { socket }) => void socket.end("\0\x01 nonsense\r\n\r\n")),
  "page of something else after forwarding": afterwards(
    (_bytes, { socket }) => void socket.end(answer(200, "<html>Please sign in</html>")),
  ),
  "bare 503 after forwarding": afterwards((_bytes, { socket }) => void socket.end(answer(503, ""))),
  "bare 429 without forwarding": { treat: ({ tell }) => tell(answer(429, "")) },
  "token refused": { treat: ({ tell }) => tell(refusedToken) },
  "silent before forwarding": { treat: () => {} },
  "silent after forwarding": afterwards(() => {}),
  "late response": afterwards((bytes, { tell }) => void setTimeout(tell, 700, bytes)),
  "response byte by byte": afterwards(writeByteByByte),
  "response twice": afterwards((bytes, { tell }) => tell(Buffer.concat([bytes, bytes]))),
};

export const REFUSED = "connections refused";
export const NO_TOKENS = "token service away";
