import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { acknowledge, redeliver, refuse } from "../../../lib/webhook/responses";
import { REFUSALS, type RefusalReason } from "../../../lib/webhook/gates/refusals";
import { type LocalServer, startLocalServer } from "../../support/http/local-server";
import { sendRaw, waitForQuick } from "./raw-connection";

const HEAD = "POST / HTTP/1.1\r\nHost: x\r\n";

/** With an answer of their own: who breaks off reads none. */
const REASONS = Object.entries(REFUSALS).filter(([reason]) => reason !== "aborted");

describe("responses of a webhook", () => {
  let server: LocalServer;
  const serve = async (handler: RequestListener): Promise<void> => {
    server = await startLocalServer(handler);
  };
  const ask = async (bytes = `${HEAD}Content-Length: 2\r\n\r\n{}`) => {
    const { answers, closed } = await sendRaw(server.port, { bytes, answers: 1 });
    return { ...answers[0]!, closed };
  };
  afterEach(() => server.stop());

  it("acknowledges with the words of the service", async () => {
    await serve((_req, res) => acknowledge(res));
    const { status, headers, body } = await ask();
    assert.deepEqual([status, headers["content-type"]], [200, "application/json"]);
    assert.equal(body, '{"statusCode":2000,"statusMessage":"OK"}');
  });

  it("requests redelivery", async () => {
    await serve((_req, res) => redeliver(res));
    const { status, headers, body } = await ask();
    assert.deepEqual([status, headers["retry-after"]], [503, "1"]);
    assert.match(JSON.parse(body).error, /deliver it again/);
  });

  it("refuses each reason with its status and keeps the connection of a read body", async () => {
    let reason: RefusalReason = "empty";
    await serve((_req, res) => refuse(res, reason, "Basic x"));
    for (const [each, { httpStatus, explanation }] of REASONS) {
      reason = each as RefusalReason;
      const { status, headers, body } = await ask();
      assert.equal(status, httpStatus, each);
      assert.deepEqual(JSON.parse(body), { error: explanation });
      assert.equal(headers["www-authenticate"], httpStatus === 401 ? "Basic x" : undefined);
      assert.equal(headers.connection, "keep-alive");
    }
  });

  it("reaches a caller that continues to send", async () => {
    let taken = 0;
    await serve((req, res) => {
      refuse(res, "too-large");
      req.on("data", (chunk: Buffer) => {
        taken += chunk.length;
      });
    });
    const socket = connect({ port: server.port, host: "127.0.0.1" });
    socket.on("error", () => {});
    socket.pause();
    socket.write(`${HEAD}Content-Length: 100000000\r\n\r\n`);
    const piece = Buffer.alloc(64 * 1024, " ");
    Readable.from(Array.from({ length: 1500 }, () => piece)).pipe(socket);
    await waitForQuick("the server to stop reading", () => taken > 1024 * 1024);
    const answered = once(socket, "data");
    socket.resume();
    const answer = String((await answered)[0]);
    for (const part of [/^HTTP\/1\.1 413 /, /\r\nconnection: close\r\n/i, /larger than allowed/]) {
      assert.match(answer, part);
    }
    socket.destroy();
    assert.ok(taken < 3 * 1024 * 1024, `${taken} bytes were read`);
  });
});
