import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { GatewayClient } from "../../../../lib/gateway/client/gateway-client";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { type Certificates, makeCertificates } from "../../../support/http/certificates";
import { ACCEPTED, answer, type FaultPlan, FaultServer } from "../../../support/http/fault-server";
import { freePort } from "../../../support/http/free-port";
import { waitFor } from "../../../support/wait-for";
import { breathe } from "../../../support/virtual-timing";
import { newGates, settingsFor, sms } from "../../../support/gateway/gateway-settings";

const GOOD = answer(200, ACCEPTED);

/** Writes one piece a turn of the event loop, so that each arrives by itself. */
function inPieces(socket: Socket, pieces: readonly string[], then: () => void): void {
  const [first, ...rest] = pieces;
  if (first === undefined) {
    then();
    return;
  }
  socket.write(first, () => setImmediate(() => inPieces(socket, rest, then)));
}

describe("gateway network faults", () => {
  const closers: (() => Promise<unknown>)[] = [];
  let certificates: Certificates;

  before(() => {
    certificates = makeCertificates();
  });

  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
  });

  async function serve(plan: FaultPlan): Promise<FaultServer> {
    const server = await FaultServer.start(plan);
    closers.push(() => server.close());
    return server;
  }

  function clientOf(address: string, changed: Partial<GatewaySettings> = {}): GatewayClient {
    const client = new GatewayClient(settingsFor(address, changed), REAL_TIMING);
    closers.push(() => client.destroy());
    return client;
  }

  const send = (client: GatewayClient, text?: string): Promise<Verdict> => {
    const { operation, fields } = sms(text);
    return client.attempt(client.prepare(operation, fields), newGates());
  };

  const ask = (address: string, changed?: Partial<GatewaySettings>): Promise<Verdict> =>
    send(clientOf(address, changed));

  describe("before the request was handed over: surely not sent", () => {
    const notSent = (verdict: Verdict, ...names: string[]): void => {
      assert.ok(names.includes(verdict.statusName), `${verdict.statusName}: ${verdict.statusMessage}`);
      assert.equal(verdict.outcome, "retry-later");
      assert.equal(verdict.httpStatus, null);
    };

    it("a closed port", async () => {
      const port = await freePort();
      const verdict = await ask(`http://127.0.0.1:${port}`);
      notSent(verdict, "CONNECT_FAILED");
      assert.match(verdict.statusMessage, /ECONNREFUSED/);
    });

    it("a name that does not exist", async function () {
      this.timeout(30_000);
      notSent(await ask("https://no-such-host.invalid", { connectTimeout: 20_000 }), "NAME_LOOKUP_FAILED");
    });

    const tlsPlans: readonly [what: string, plan: () => FaultPlan, detail: RegExp][] = [
      ["a self-signed certificate", () => ({ tls: certificates.authority }), /SELF_SIGNED/],
      [
        "a certificate without a trusted authority",
        () => ({ tls: certificates.good }),
        /UNABLE_TO_|SELF_SIGNED/,
      ],
    ];
    for (const [what, plan, detail] of tlsPlans) {
      it(what, async () => {
        const server = await serve(plan());
        const verdict = await ask(server.url);
        notSent(verdict, "TLS_FAILED");
        assert.match(verdict.statusMessage, detail);
        assert.equal(server.heads.length, 0);
      });
    }

    it("an expired certificate, and one of another host, although vouched for", async () => {
      const tls = { ca: certificates.authority.cert };
      for (const [identity, detail] of [
        [certificates.expired, /CERT_HAS_EXPIRED/],
        [certificates.otherHost, /HOSTNAME_MISMATCH/],
      ] as const) {
        const server = await serve({ tls: identity });
        const client = clientOf(server.url, { tls, connections: 1 });
        // Several at once and one after the other: none may be left waiting.
        const verdicts = await Promise.all([send(client), send(client), send(client)]);
        for (const verdict of [...verdicts, await send(client)]) {
          notSent(verdict, "TLS_FAILED");
          assert.match(verdict.statusMessage, detail);
        }
        assert.equal(server.heads.length, 0);
      }
    });

    it("TLS material that cannot be used", async () => {
      const server = await serve({ tls: certificates.good });
      notSent(await ask(server.url, { tls: { ca: "nonsense", cert: "nonsense" } }), "TLS_FAILED");
    });

    it("a server that speaks no TLS", async () => {
      const server = await serve({
        onConnection: (socket) => {
          socket.once("data", () => socket.end(answer(400, "")));
          return true;
        },
      });
      notSent(await ask(server.url.replace("http:", "https:")), "TLS_FAILED");
    });

    it("a reset in the middle of the TLS handshake", async () => {
      const server = await serve({
        onConnection: (socket) => {
          socket.once("data", () => socket.resetAndDestroy());
          return true;
        },
      });
      notSent(await ask(server.url.replace("http:", "https:")), "CONNECT_FAILED", "TLS_FAILED");
    });

    it("a TLS handshake without an answer", async () => {
      const server = await serve({ onConnection: () => true });
      notSent(await ask(server.url.replace("http:", "https:"), { connectTimeout: 100 }), "CONNECT_TIMEOUT");
    });
  });

  describe("after it was handed over: unknown, and at most one request was seen", () => {
    interface Case {
      readonly what: string;
      readonly name: string;
      readonly plan: FaultPlan;
      readonly settings?: Partial<GatewaySettings>;
      /** Whole requests that the server saw. */
      readonly seen?: number;
      /** Given up by us: undici then makes a new connection, yet must send nothing on it. */
      readonly givenUp?: boolean;
    }
    const reply =
      (...pieces: string[]): NonNullable<FaultPlan["onRequest"]> =>
      (_request, socket) =>
        inPieces(socket, pieces, () => socket.end());
    const cases: readonly Case[] = [
      {
        what: "reset before the request is read",
        name: "CONNECTION_LOST",
        seen: 0,
        plan: {
          onConnection: (socket) => {
            socket.once("readable", () => socket.resetAndDestroy());
            return true;
          },
        },
      },
      {
        what: "reset after the whole request",
        name: "CONNECTION_LOST",
        plan: { onRequest: (_request, socket) => socket.resetAndDestroy() },
      },
      {
        what: "closed after the whole request",
        name: "CONNECTION_LOST",
        plan: { onRequest: (_request, socket) => socket.end() },
      },
      { what: "cut in the status line", name: "CONNECTION_LOST", plan: { onRequest: reply("HTTP/1.1 2") } },
      {
        what: "cut in the headers",
        name: "CONNECTION_LOST",
        plan: { onRequest: reply("HTTP/1.1 200 OK\r\ncontent-le") },
      },
      { what: "cut in the body", name: "CONNECTION_LOST", plan: { onRequest: reply(GOOD.slice(0, -5)) } },
      {
        what: "cut in the body of a connection announced as the last",
        name: "CONNECTION_LOST",
        plan: {
          onRequest: reply(answer(200, ACCEPTED, { connection: "close" }).slice(0, -5)),
        },
      },
      {
        what: "cut in a chunk",
        name: "CONNECTION_LOST",
        plan: {
          onRequest: reply("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "ff\r\nstatusCode=2000&"),
        },
      },
      {
        what: "cut between chunks, of a connection announced as the last",
        name: "CONNECTION_LOST",
        plan: {
          onRequest: reply(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n",
            "f\r\nstatusCode=2000\r\n",
          ),
        },
      },
      {
        what: "garbage instead of an answer",
        name: "ANSWER_UNREADABLE",
        plan: { onRequest: reply("\0\x01\x02 nonsense \r\n\r\n") },
      },
      {
        what: "headers without end",
        name: "ANSWER_UNREADABLE",
        plan: {
          onRequest: (_request, socket) => {
            socket.write(`HTTP/1.1 200 OK\r\n${"x-more: yes yes yes yes yes\r\n".repeat(2_000)}`);
          },
        },
      },
      {
        what: "a body without end",
        givenUp: true,
        name: "ANSWER_UNREADABLE",
        plan: {
          onRequest: (_request, socket) => {
            socket.write("HTTP/1.1 200 OK\r\ncontent-length: 99999999\r\n\r\n");
            const more = (): void => void socket.write("x".repeat(65_536), () => !socket.destroyed && more());
            more();
          },
        },
      },
      {
        what: "silence",
        givenUp: true,
        name: "NO_ANSWER",
        settings: { answerTimeout: 80 },
        plan: { onRequest: () => {} },
      },
      {
        what: "one byte at a time, past the deadline",
        givenUp: true,
        name: "NO_ANSWER",
        settings: { answerTimeout: 150 },
        plan: {
          onRequest: (_request, socket) => {
            let at = 0;
            const next = (): void => void (!socket.destroyed && socket.write(GOOD[at++ % GOOD.length] ?? ""));
            const pace = setInterval(next, 10);
            socket.on("close", () => clearInterval(pace));
          },
        },
      },
      {
        what: "a switch to another protocol",
        name: "CONNECTION_LOST",
        plan: { onRequest: reply("HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n") },
      },
    ];
    for (const { what, name, plan, settings, seen = 1, givenUp = false } of cases) {
      it(what, async () => {
        const server = await serve(plan);
        const client = clientOf(server.url, settings);
        const verdict = await send(client);
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, `unknown ${name}`, verdict.statusMessage);
        // Nothing more may come when the connection is long gone.
        await waitFor("the connection to close", () =>
          givenUp ? server.connections === 2 && server.sockets.size === 1 : server.sockets.size === 0,
        );
        await breathe();
        const { heads, requests, connections } = server;
        assert.deepEqual([heads.length, requests.length, connections], [seen, seen, givenUp ? 2 : 1]);
        await client.destroy();
        await waitFor("every connection to close", () => server.sockets.size === 0);
        assert.deepEqual([server.heads.length, server.requests.length], [seen, seen]);
      });
    }
  });

  describe("odd, yet an answer", () => {
    const sent = async (plan: FaultPlan, changed?: Partial<GatewaySettings>): Promise<FaultServer> => {
      const server = await serve(plan);
      const verdict = await ask(server.url, changed);
      assert.equal(verdict.outcome, "sent", verdict.statusMessage);
      assert.equal(verdict.transferId, "00670eb55d00349e1111");
      assert.equal(server.requests.length, 1);
      return server;
    };

    it("after an unrequested 'continue'", () =>
      sent({
        onRequest: (_request, socket) => inPieces(socket, ["HTTP/1.1 100 Continue\r\n\r\n", GOOD], () => {}),
      }));

    it("after provisional ones", () =>
      sent({
        onRequest: (_request, socket) =>
          inPieces(
            socket,
            ["HTTP/1.1 102 Processing\r\n\r\n", "HTTP/1.1 103 Hints\r\nx: y\r\n\r\n", GOOD],
            () => {},
          ),
      }));

    it("byte by byte", () =>
      sent({ onRequest: (_request, socket) => inPieces(socket, [...GOOD], () => {}) }));

    it("in HTTP/1.0, ended by closing", () =>
      sent({ onRequest: (_request, socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${ACCEPTED}`) }));

    it("in chunks with a trailer", () =>
      sent({
        onRequest: (_request, socket) =>
          socket.write(
            `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${ACCEPTED.length.toString(16)}\r\n${ACCEPTED}\r\n0\r\nx: y\r\n\r\n`,
          ),
      }));

    it("followed by a reset", () =>
      sent({ onRequest: (_request, socket) => socket.write(GOOD, () => socket.resetAndDestroy()) }));

    it("through TLS with the account's own authority", async () => {
      const server = await sent(
        { tls: certificates.good },
        {
          tls: { ca: certificates.authority.cert },
        },
      );
      assert.equal(server.connections, 1);
    });

    it("before the request was fully sent", async () => {
      const server = await serve({
        onHead: (_request, socket) => {
          socket.pause();
          socket.write(answer(413, "too large"), () => setImmediate(() => socket.resume()));
        },
      });
      const client = clientOf(server.url);
      const data = Buffer.alloc(8_000_000);
      const request = client.prepare("attachment-create", { file: { data, name: "a", type: "a/b" } });
      const verdict = await client.attempt(request, newGates());
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "rejected HTTP_413");
      assert.equal(server.heads.length, 1);
    });

    it("cut where only closing ends it: a shortened code is no code of the contract", async () => {
      for (let length = 0; length < "statusCode=4002".length; length++) {
        const body = "statusCode=4002".slice(0, length);
        const server = await serve({
          onRequest: (_request, socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${body}`),
        });
        const { outcome } = await ask(server.url);
        assert.equal(outcome, "unknown", body);
      }
    });

    for (const status of [301, 302, 303, 307, 308]) {
      it(`a redirect by ${status}, which is not followed and gets no credentials`, async () => {
        const other = await serve({});
        const server = await serve({
          onRequest: (_request, socket) =>
            socket.write(answer(status, "", { location: `${other.url}/rest/smsmessaging/simple` })),
        });
        const verdict = await ask(server.url);
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, `denied HTTP_${status}`);
        assert.deepEqual([server.requests.length, other.connections], [1, 0]);
      });
    }
  });

  describe("kept connections", () => {
    it("are used again, and a new one is made after the server closed it", async () => {
      const server = await serve({});
      const client = clientOf(server.url, { connections: 1 });
      assert.equal((await send(client)).outcome, "sent");
      assert.equal((await send(client)).outcome, "sent");
      assert.equal(server.connections, 1);
      for (const socket of server.sockets) {
        socket.end();
      }
      await waitFor("the connection to close", () => server.sockets.size === 0);
      assert.equal((await send(client)).outcome, "sent");
      assert.deepEqual([server.connections, server.requests.length], [2, 3]);
    });

    for (const [how, cut] of [
      ["FIN", (socket: Socket) => void socket.end()],
      ["RST", (socket: Socket) => socket.resetAndDestroy()],
    ] as const) {
      it(`closed by ${how} in the race: each request is seen once at most, and what was seen is not called unsent`, async () => {
        const bodies = new Map<string, number>();
        const server = await serve({
          onRequest: (request, socket) => {
            const text = request.body.toString();
            bodies.set(text, (bodies.get(text) ?? 0) + 1);
            // Every third connection ends just behind its answer, when the next request may be on its way.
            socket.write(GOOD, () => request.connection % 3 === 0 && cut(socket));
          },
        });
        const client = clientOf(server.url, { connections: 2 });
        const verdicts = new Map<string, Verdict>();
        const line = async (name: string): Promise<void> => {
          for (let at = 0; at < 150; at++) {
            verdicts.set(`${name}${at}`, await send(client, `${name}${at}`));
            if (at % 5 === 0) {
              for (const socket of server.sockets) {
                cut(socket);
              }
            }
          }
        };
        await Promise.all([line("a"), line("b")]);
        for (const [text, { outcome, statusName }] of verdicts) {
          const seen = bodies.get(`recipientAddressList=41791234567&messageContent=${text}`) ?? 0;
          const allowed = outcome === "sent" ? [1] : outcome === "unknown" ? [0, 1] : [0];
          assert.ok(allowed.includes(seen), `${text}: ${outcome} ${statusName}, seen ${seen} times`);
        }
      });
    }

    it("an unrequested answer does not become that of the next request", async () => {
      let first = true;
      const server = await serve({
        onRequest: (_request, socket) => {
          socket.write(first ? GOOD + answer(200, "statusCode=4002") : GOOD);
          first = false;
        },
      });
      const client = clientOf(server.url, { connections: 1 });
      assert.equal((await send(client)).outcome, "sent");
      assert.equal((await send(client)).outcome, "sent");
      assert.deepEqual([server.connections, server.requests.length], [2, 2]);
    });
  });
});
