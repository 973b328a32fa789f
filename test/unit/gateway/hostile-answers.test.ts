import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { GatewayClient } from "../../../lib/gateway/gateway-client";
import type { OperationId } from "../../../lib/gateway/operations";
import type { GatewaySettings } from "../../../lib/gateway/settings";
import { REAL_TIMING } from "../../../lib/gateway/timing";
import type { Transfer } from "../../../lib/gateway/transfer";
import type { Verdict } from "../../../lib/gateway/verdict";
import { ACCEPTED, answer, type FaultPlan, FaultServer, type SeenRequest } from "../../support/fault-server";
import { waitFor } from "../../support/wait-for";
import { newGates, PASSWORD, settingsFor, sms, whatsapp } from "./gateway-settings";

/**
 * A gateway that means harm, or is somebody else: whatever it answers ends as one outcome, takes a bounded amount of
 * memory and time, and gets nothing that it did not have.
 */

const MIB = 1024 * 1024;
/** Memory that an answer may need while it is read, buffers of the test's own side included. */
const MOST = 32 * MIB;
const HUGE = 100 * MIB;
const ZEROS = Buffer.alloc(HUGE);
const TOKEN = JSON.stringify({ access_token: "t0ken-of-the-service", expires_in: 300 });

type OnRequest = NonNullable<FaultPlan["onRequest"]>;

/** The head of an answer whose body has no announced length. */
const CHUNKED = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Writes a piece again and again, at the reader's pace, until enough was written or the connection is gone. */
function pour(socket: Socket, head: string, piece: string | Buffer, most = Infinity): void {
  let written = 0;
  const more = (): void => {
    if (!socket.destroyed && written < most) {
      written += piece.length;
      socket.write(piece, more);
    }
  };
  socket.write(head, more);
}

const pouring =
  (head: string, piece: string | Buffer, most?: number): OnRequest =>
  (_request, socket) =>
    pour(socket, head, piece, most);

const saying =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): OnRequest =>
  (_request, socket) => {
    socket.write(answer(status, "", { "content-length": String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of memory that are still needed, in the heap and beside it, where the pieces of answers stand. */
function inUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe("a hostile gateway", function () {
  this.timeout(30_000);
  const closers: (() => Promise<unknown>)[] = [];
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

  /** Serves tokens, and everything else by `onRequest`. */
  const serveWithTokens = (onRequest: OnRequest): Promise<FaultServer> =>
    serve({
      onRequest: (request, socket) =>
        request.target.endsWith("/oauth/token")
          ? socket.write(answer(200, TOKEN))
          : onRequest(request, socket),
    });

  function clientOf(address: string, changed: Partial<GatewaySettings> = {}): GatewayClient {
    const client = new GatewayClient(settingsFor(address, changed), REAL_TIMING);
    closers.push(() => client.destroy());
    return client;
  }

  interface Asked {
    readonly operation: OperationId;
    readonly fields: Readonly<Record<string, unknown>>;
  }
  const DOWNLOAD: Asked = {
    operation: "media-download",
    fields: { mediaId: "123e4567-e89b-12d3-a456-426614174000" },
  };

  const ask = (client: GatewayClient, { operation, fields }: Asked, transfer?: Transfer): Promise<Verdict> =>
    client.attempt(client.prepare(operation, fields), newGates(), transfer);

  const named = ({ outcome, statusName }: Verdict): string => `${outcome} ${statusName}`;
  const whole = (request: SeenRequest): string => `${request.head}\r\n\r\n${request.body.toString()}`;

  describe("answers without end", () => {
    interface Case {
      readonly what: string;
      readonly asked?: Asked;
      readonly onRequest: OnRequest;
      readonly ends: string;
      readonly transfer?: Transfer;
      /** ms; for what only time can end. */
      readonly answerTimeout?: number;
    }
    const announced = (status: number): string =>
      `HTTP/1.1 ${status} Words\r\ncontent-length: ${HUGE}\r\n\r\n`;
    const piece = "x".repeat(64 * 1024);
    const padded = "y".repeat(60 * 1024);
    const cases: readonly Case[] = [
      {
        what: "a body of 100 MB, with its length",
        onRequest: pouring(announced(200), piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a body of 100 MB, in chunks",
        onRequest: pouring(CHUNKED, `10000\r\n${piece}\r\n`, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a body of 100 MB, to be ended by closing",
        onRequest: pouring("HTTP/1.1 200 OK\r\n\r\n", piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a body of 100 MB with a refusal",
        onRequest: pouring(announced(400), piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a refused download's body of 100 MB",
        asked: DOWNLOAD,
        transfer: { limit: 1000 },
        onRequest: pouring(announced(404), piece, HUGE),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a file larger than allowed, without its length",
        asked: DOWNLOAD,
        transfer: { limit: MIB },
        onRequest: pouring(CHUNKED, `10000\r\n${piece}\r\n`, HUGE),
        ends: "rejected FILE_TOO_LARGE",
      },
      {
        what: "100 MB around a body of 1,700 bytes",
        onRequest: pouring(CHUNKED, `1;${padded}\r\na\r\n`, HUGE),
        answerTimeout: 4_000,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "a body in chunks of a byte",
        onRequest: pouring(CHUNKED, "1\r\na\r\n".repeat(10_000)),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "a chunk whose length is followed by words",
        onRequest: pouring(`${CHUNKED}5;`, piece),
        answerTimeout: 300,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "a status line",
        onRequest: pouring("HTTP/1.1 200 ", piece),
        answerTimeout: 300,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "one header",
        onRequest: pouring("HTTP/1.1 200 OK\r\nx: ", piece),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "many short headers",
        onRequest: pouring("HTTP/1.1 200 OK\r\n", "a:b\r\n".repeat(1_000)),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "trailers",
        onRequest: pouring(`${CHUNKED}0\r\n`, "a:b\r\n".repeat(1_000)),
        ends: "unknown ANSWER_UNREADABLE",
      },
      {
        what: "provisional answers",
        onRequest: pouring("", "HTTP/1.1 102 Processing\r\nx: y\r\n\r\n".repeat(100)),
        answerTimeout: 300,
        ends: "unknown NO_ANSWER",
      },
      {
        what: "offers to change the protocol",
        onRequest: pouring("", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
        ends: "unknown CONNECTION_LOST",
      },
    ];
    for (const { what, asked = sms(), onRequest, ends, transfer, answerTimeout } of cases) {
      it(`${what}: ${ends}`, async () => {
        const server = await serveWithTokens(onRequest);
        const client = clientOf(server.url, answerTimeout === undefined ? {} : { answerTimeout });
        const before = inUse();
        let most = before;
        const watch = setInterval(() => {
          most = Math.max(most, inUse());
        }, 100);
        const verdict = await ask(client, asked, transfer).finally(() => clearInterval(watch));
        assert.equal(named(verdict), ends, verdict.statusMessage);
        assert.ok(most - before < MOST, `${(most - before) / MIB} MiB more were in use`);
        const sends = server.requests.filter(({ target }) => !target.endsWith("/oauth/token"));
        assert.equal(sends.length, 1);
        await client.destroy();
        await waitFor("the connection to close", () => server.sockets.size === 0);
      });
    }
  });
});
