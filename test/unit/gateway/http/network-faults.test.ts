import assert from "node:assert/strict";
import type { Socket } from "node:net";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { brief, type Reply, useGateway } from "../../../support/gateway/use-gateway";
import { newGates, sms } from "../../../support/gateway/gateway-settings";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import { ACCEPTED, answer, type FaultPlan, type FaultServer } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { breathe } from "../../../support/virtual-timing";
import { waitFor } from "../../../support/wait-for";

const GOOD = answer(200, ACCEPTED);
const CHUNKED = "transfer-encoding: chunked\r\n\r\n";

/** Writes one piece a turn of the event loop, so that each arrives by itself. */
function inPieces(socket: Socket, [first, ...rest]: readonly string[], then: () => unknown = () => {}): void {
  if (first === undefined) {
    then();
  } else {
    socket.write(first, () => setImmediate(inPieces, socket, rest, then));
  }
}

describe("gateway network faults", () => {
  const { serve, clientOf, send, ask } = useGateway();
  let certificates: Certificates;

  before(() => {
    certificates = makeCertificates();
  });

  describe("before the request has a connection: not sent", () => {
    const notSent = (verdict: Verdict, name: RegExp, detail = /./): void => {
      const { statusName, statusMessage, outcome, httpStatus } = verdict;
      assert.match(statusName, name, statusMessage);
      assert.match(statusMessage, detail);
      assert.deepEqual([outcome, httpStatus], ["retry-later", null]);
    };
    const asTls = ({ url }: FaultServer): string => url.replace("http:", "https:");

    it("a closed port", async () => {
      const verdict = await ask(`http://127.0.0.1:${await freePort()}`);
      notSent(verdict, /^CONNECT_FAILED$/, /ECONNREFUSED/);
    });

    it("a name that does not exist", async () => {
      const verdict = await ask("https://no-such-host.invalid", { connectTimeout: 20_000 });
      notSent(verdict, /^NAME_LOOKUP_FAILED$/);
    });

    for (const [what, identity, trusted, detail] of [
      ["a self-signed certificate", "authority", false, /SELF_SIGNED/],
      ["a certificate without a trusted authority", "good", false, /UNABLE_TO_|SELF_SIGNED/],
      ["an expired certificate, although vouched for", "expired", true, /CERT_HAS_EXPIRED/],
      ["a certificate of another host, although vouched for", "otherHost", true, /HOSTNAME_MISMATCH/],
    ] as const) {
      it(what, async () => {
        const server = await serve(null, { tls: certificates[identity] });
        const tls = trusted ? { ca: certificates.authority.cert } : null;
        const client = clientOf(server.url, { tls, connections: 1 });
        // Several at once and one after the other: none may be left waiting.
        const verdicts = await Promise.all([send(client), send(client), send(client)]);
        for (const verdict of [...verdicts, await send(client)]) {
          notSent(verdict, /^TLS_FAILED$/, detail);
        }
        assert.equal(server.heads.length, 0);
      });
    }

    for (const [what, onData, name] of [
      ["a server that speaks no TLS", (socket) => socket.end(answer(400, "")), /^TLS_FAILED$/],
      [
        "a reset in the middle of the TLS handshake",
        (socket) => socket.resetAndDestroy(),
        /^(CONNECT|TLS)_FAILED$/,
      ],
    ] as readonly [string, (socket: Socket) => unknown, RegExp][]) {
      it(what, async () => {
        const onConnection = (socket: Socket): boolean =>
          socket.once("data", () => onData(socket)) === socket;
        notSent(await ask(asTls(await serve(null, { onConnection }))), name);
      });
    }

    it("a TLS handshake without an answer", async () => {
      const server = await serve(null, { onConnection: () => true });
      notSent(await ask(asTls(server), { connectTimeout: 100 }), /^CONNECT_TIMEOUT$/);
    });
  });

  describe("after the request has a connection: unknown, and at most one request arrives", () => {
    interface Case {
      readonly name: "CONNECTION_LOST" | "ANSWER_UNREADABLE" | "NO_ANSWER";
      readonly reply?: Reply;
      readonly plan?: FaultPlan;
      readonly answerTimeout?: number;
      /** Whole requests that the server saw. */
      readonly seen?: number;
      /** Given up by us: undici then makes a new connection, yet must send nothing on it. */
      readonly givenUp?: boolean;
    }
    const lost = (reply: Reply): Case => ({ name: "CONNECTION_LOST", reply });
    const unreadable = (reply: Reply): Case => ({ name: "ANSWER_UNREADABLE", reply });
    const noAnswer = (answerTimeout: number, reply: Reply): Case => ({
      name: "NO_ANSWER",
      reply,
      answerTimeout,
      givenUp: true,
    });
    /** Says so much and closes the connection. */
    const saying =
      (...pieces: string[]): Reply =>
      (socket) =>
        inPieces(socket, pieces, () => socket.end());

    const cases: Readonly<Record<string, Case>> = {
      "reset before the request is read": {
        name: "CONNECTION_LOST",
        seen: 0,
        plan: {
          onConnection: (socket) => socket.once("readable", () => socket.resetAndDestroy()) === socket,
        },
      },
      "reset after the whole request": lost((socket) => socket.resetAndDestroy()),
      "closed after the whole request": lost((socket) => socket.end()),
      "cut in the headers": lost(saying("HTTP/1.1 200 OK\r\ncontent-le")),
      "cut in the body": lost(saying(GOOD.slice(0, -5))),
      "cut between chunks, of a connection announced as the last": lost(
        saying(`HTTP/1.1 200 OK\r\nconnection: close\r\n${CHUNKED}`, "f\r\nstatusCode=2000\r\n"),
      ),
      "garbage instead of an answer": unreadable(saying("\0\x01\x02 nonsense \r\n\r\n")),
      "a body without end": {
        ...unreadable((socket) => {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n");
          const more = (): void => void socket.write("x".repeat(65_536), () => !socket.destroyed && more());
          more();
        }),
        givenUp: true,
      },
      silence: noAnswer(80, () => {}),
    };
    for (const [what, { name, reply, plan, answerTimeout, seen = 1, givenUp = false }] of Object.entries(
      cases,
    )) {
      it(what, async () => {
        const server = await serve(reply, plan);
        const client = clientOf(server.url, answerTimeout === undefined ? {} : { answerTimeout });
        const verdict = await send(client);
        assert.equal(brief(verdict), `unknown ${name}`, verdict.statusMessage);
        // Nothing more may come when the connection is long gone.
        await waitFor("the connection to close", () =>
          givenUp ? server.connections === 2 && server.sockets.size === 1 : server.sockets.size === 0,
        );
        await breathe();
        const counts = (): number[] => [server.heads.length, server.requests.length, server.connections];
        assert.deepEqual(counts(), [seen, seen, givenUp ? 2 : 1]);
        await client.destroy();
        await waitFor("every connection to close", () => server.sockets.size === 0);
        assert.deepEqual(counts().slice(0, 2), [seen, seen]);
      });
    }
  });

  describe("unusual responses", () => {
    const pieces =
      (...all: string[]): Reply =>
      (socket) =>
        inPieces(socket, all);
    const good: Readonly<Record<string, Reply>> = {
      "byte by byte": pieces(...GOOD),
      "in chunks with a trailer": `HTTP/1.1 200 OK\r\n${CHUNKED}${ACCEPTED.length.toString(16)}\r\n${ACCEPTED}\r\n0\r\nx: y\r\n\r\n`,
      "followed by a reset": (socket) => socket.write(GOOD, () => socket.resetAndDestroy()),
    };
    const sent = async (server: FaultServer, changed?: Partial<GatewaySettings>): Promise<void> => {
      const verdict = await ask(server.url, changed);
      assert.equal(verdict.outcome, "sent", verdict.statusMessage);
      assert.equal(verdict.transferId, "00670eb55d00349e1111");
      assert.equal(server.requests.length, 1);
    };
    for (const [how, reply] of Object.entries(good)) {
      it(how, async () => sent(await serve(reply)));
    }

    it("through TLS with the account's own authority", async () => {
      const server = await serve(null, { tls: certificates.good });
      await sent(server, { tls: { ca: certificates.authority.cert } });
      assert.equal(server.connections, 1);
    });
  });

  describe("reused connections", () => {
    it("reuses a connection and opens a new one after the server closed it", async () => {
      const server = await serve();
      const client = clientOf(server.url, { connections: 1 });
      assert.deepEqual([brief(await send(client)), brief(await send(client))], ["sent OK", "sent OK"]);
      assert.equal(server.connections, 1);
      for (const socket of server.sockets) {
        socket.end();
      }
      await waitFor("the connection to close", () => server.sockets.size === 0);
      assert.equal((await send(client)).outcome, "sent");
      assert.deepEqual([server.connections, server.requests.length], [2, 3]);
    });

    for (const [how, cut] of Object.entries({
      FIN: (socket: Socket): unknown => socket.end(),
      RST: (socket: Socket): unknown => socket.resetAndDestroy(),
    })) {
      it(`closed by ${how} in the race: each request is seen once at most, and what was seen is not called unsent`, async () => {
        const bodies = new Map<string, number>();
        const server = await serve((socket, { body, connection }) => {
          bodies.set(String(body), (bodies.get(String(body)) ?? 0) + 1);
          // Every third connection ends just behind its answer, when the next request may be on its way.
          socket.write(GOOD, () => connection % 3 === 0 && cut(socket));
        });
        const client = clientOf(server.url, { connections: 2 });
        const verdicts = new Map<string, Verdict>();
        const line = async (name: string, worker: number): Promise<void> => {
          for (let at = 0; at < 150; at++) {
            const verdict = await send(client, sms(`${name}${at}`), {}, newGates(), worker);
            verdicts.set(`${name}${at}`, verdict);
            if (at % 5 === 0) {
              server.sockets.forEach(cut);
            }
          }
        };
        await Promise.all([line("a", 0), line("b", 1)]);
        for (const [text, verdict] of verdicts) {
          const seen = bodies.get(`recipientAddressList=41791234567&messageContent=${text}`) ?? 0;
          const allowed = { sent: [1], unknown: [0, 1] }[verdict.outcome as string] ?? [0];
          assert.ok(allowed.includes(seen), `${text}: ${brief(verdict)}, seen ${seen} times`);
        }
      });
    }

    it("does not use an unrequested response for the next request", async () => {
      const server: FaultServer = await serve((socket) =>
        socket.write(server.requests.length === 1 ? GOOD + answer(200, "statusCode=4002") : GOOD),
      );
      const client = clientOf(server.url, { connections: 1 });
      assert.deepEqual([brief(await send(client)), brief(await send(client))], ["sent OK", "sent OK"]);
      assert.deepEqual([server.connections, server.requests.length], [2, 2]);
    });
  });
});
