import type { Socket } from "node:net";
import { answer } from "../support/http/fault-server";
import type { Fault, Scene } from "./fault";
import type { Exchange } from "./fault-proxy";

/** Seconds are enough for what the node has to wait out, and not for a busy machine to look like a fault. */
const PATIENT = { answerTimeout: 10 };
/** Long enough for all connections to be in use at the same time on a busy machine. */
export const IMPATIENT = { answerTimeout: 4 };

const reset = (socket: Socket): void => void socket.resetAndDestroy();

/** Forwards, then treats the gateway's answer badly. */
const afterwards =
  (treat: (answer: Buffer, exchange: Exchange) => void) =>
  async (exchange: Exchange): Promise<void> =>
    treat(await exchange.forward(), exchange);

/** Writes the beginning of an answer and ends the connection. */
const cutAt =
  (position: (answer: Buffer) => number) =>
  (bytes: Buffer, { socket }: Exchange): void =>
    void socket.end(bytes.subarray(0, position(bytes)));

const headEnd = (bytes: Buffer): number => bytes.indexOf("\r\n\r\n");

function byteByByte(bytes: Buffer, { socket, answer: whole }: Exchange): void {
  let at = 0;
  const next = (): void => {
    if (at === bytes.length - 1) {
      whole(bytes.subarray(at));
    } else if (!socket.destroyed) {
      socket.write(bytes.subarray(at, ++at));
      setTimeout(next, 1);
    }
  };
  next();
}

/** Does something for a part of a second, again and again. */
async function onAndOff({ pass }: Scene, once: () => Promise<void>): Promise<void> {
  for (let time = 0; time < 4; time++) {
    await once();
    await pass(4);
  }
}

export const GATEWAY_FAULTS: readonly Fault[] = [
  {
    name: "connection refused, on and off",
    effect: "mixed",
    during: (scene) => onAndOff(scene, () => scene.gateway.away(() => scene.pass(4))),
  },
  {
    name: "gateway away for 60 s and back",
    effect: "mixed",
    during: async ({ gateway, pass }) => {
      await pass(2);
      await gateway.away(() => pass(60));
    },
  },
  {
    name: "answers late",
    effect: "none",
    account: PATIENT,
    disturbance: {
      every: 4,
      onRequest: afterwards((bytes, exchange) => void setTimeout(() => exchange.answer(bytes), 50)),
    },
  },
  {
    name: "reset at the first bytes of a request",
    effect: "unknown",
    disturbance: { every: 5, onHead: ({ socket }) => reset(socket) },
  },
  {
    name: "reset before the request is forwarded",
    effect: "unknown",
    disturbance: { every: 5, onRequest: ({ socket }) => reset(socket) },
  },
  {
    name: "reset after the request was forwarded",
    effect: "unknown",
    disturbance: { every: 5, onRequest: afterwards((_bytes, { socket }) => reset(socket)) },
  },
  {
    name: "closed after the request was forwarded",
    effect: "unknown",
    disturbance: { every: 5, onRequest: afterwards((_bytes, { socket }) => void socket.end()) },
  },
  {
    name: "cut in the header of the answer",
    effect: "unknown",
    disturbance: { every: 5, onRequest: afterwards(cutAt((bytes) => headEnd(bytes) - 10)) },
  },
  {
    name: "cut in the body of the answer",
    effect: "unknown",
    disturbance: { every: 5, onRequest: afterwards(cutAt((bytes) => headEnd(bytes) + 14)) },
  },
  {
    name: "half open: silent before forwarding",
    effect: "unknown",
    account: IMPATIENT,
    disturbance: { every: 16, onRequest: () => {} },
  },
  {
    name: "half open: silent after forwarding",
    effect: "unknown",
    account: IMPATIENT,
    disturbance: { every: 16, onRequest: afterwards(() => {}) },
  },
  {
    name: "garbage after forwarding",
    effect: "unknown",
    disturbance: {
      every: 5,
      onRequest: afterwards((_bytes, { socket }) => void socket.end("\0\x01\x02 nonsense\r\n\r\n")),
    },
  },
  {
    name: "a page of something else after forwarding",
    effect: "unknown",
    disturbance: {
      every: 5,
      onRequest: afterwards((_bytes, { mislead }) =>
        mislead(answer(200, "<html>Please sign in</html>", { "content-type": "text/html" })),
      ),
    },
  },
  {
    name: "bare 503 after forwarding",
    effect: "unknown",
    disturbance: { every: 5, onRequest: afterwards((_bytes, { mislead }) => mislead(answer(503, ""))) },
  },
  {
    name: "bare 503 without forwarding, agreed to mean refused",
    effect: "retried",
    account: { refusedAt503: true, attempts: 12 },
    disturbance: { every: 5, onRequest: ({ answer: whole }) => whole(answer(503, "")) },
  },
  {
    name: "bare 429 without forwarding",
    effect: "retried",
    account: { attempts: 12 },
    disturbance: { every: 40, onRequest: ({ answer: whole }) => whole(answer(429, "")) },
  },
  {
    name: "kept connections closed in the race",
    effect: "raced",
    disturbance: {
      every: 3,
      onRequest: afterwards((bytes, { endInRace, answer: whole }) => {
        whole(bytes);
        setTimeout(endInRace, Math.random() * 3);
      }),
    },
  },
  {
    name: "every answer byte by byte",
    effect: "none",
    account: PATIENT,
    disturbance: { every: 4, onRequest: afterwards(byteByByte) },
  },
  {
    name: "the same answer twice",
    effect: "none",
    disturbance: {
      every: 4,
      onRequest: afterwards((bytes, { answer: whole }) => whole(Buffer.concat([bytes, bytes]))),
    },
  },
  {
    name: "an expired certificate, on and off",
    effect: "mixed",
    tls: true,
    during: (scene) =>
      onAndOff(scene, () => scene.gateway.pretend(scene.certificates.expired, () => scene.pass(4))),
  },
  {
    name: "a certificate of another host, on and off",
    effect: "mixed",
    tls: true,
    during: (scene) =>
      onAndOff(scene, () => scene.gateway.pretend(scene.certificates.otherHost, () => scene.pass(4))),
  },
  {
    name: "no TLS any more, on and off",
    effect: "mixed",
    tls: true,
    during: (scene) => onAndOff(scene, () => scene.gateway.pretend("plain", () => scene.pass(4))),
  },
];
