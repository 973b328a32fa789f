import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSource, MemorySource } from "../../../../lib/gateway/http/body/byte-sources";
import { releaseBuffer } from "../../../../lib/gateway/http/body/release-buffer";
import { GatewayClient } from "../../../../lib/gateway/client/gateway-client";
import { REAL_TIMING } from "../../../../lib/gateway/http/timing";
import { type AnswerSink, type Transfer, TransferError } from "../../../../lib/gateway/http/body/transfer";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import { answer, type FaultPlan, FaultServer } from "../../../support/http/fault-server";
import { makeCertificates } from "../../../support/http/certificates";
import { waitFor } from "../../../support/wait-for";
import { CLIENT_SECRET, newGates, settingsFor } from "../../../support/gateway/gateway-settings";

const MEDIA = "123e4567-e89b-12d3-a456-426614174000";
const TOKEN = answer(200, `{"access_token":"tok","expires_in":300}`);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A sink that takes its time for each piece and remembers everything. */
class SlowSink implements AnswerSink {
  readonly pieces: Buffer[] = [];
  finished = false;
  discarded = 0;
  constructor(private readonly pace: () => Promise<unknown>) {}
  async write(piece: Uint8Array): Promise<void> {
    await this.pace();
    this.pieces.push(Buffer.from(piece));
  }
  finish(): Promise<void> {
    this.finished = true;
    return Promise.resolve();
  }
  discard(): Promise<void> {
    this.discarded++;
    return Promise.resolve();
  }
  get content(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

describe("gateway transfers", () => {
  const closers: (() => unknown)[] = [];
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "transfer-"));
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) {
      await close();
    }
    rmSync(folder, { recursive: true });
  });

  /** A client at a server that hands out tokens by itself and does with all else whatever a test wants. */
  async function serve(plan: FaultPlan, settings: Parameters<typeof settingsFor>[1] = {}) {
    const server = await FaultServer.start({
      ...plan,
      onRequest: (request, socket) =>
        request.target === "/oauth/token" ? socket.write(TOKEN) : plan.onRequest?.(request, socket),
    });
    closers.push(() => server.close());
    const client = new GatewayClient(settingsFor(server.url, settings), REAL_TIMING);
    closers.push(() => client.destroy());
    return { server, client };
  }

  type Respond = (socket: Socket) => void;

  async function download(
    respond: Respond,
    pace: () => Promise<unknown> = () => sleep(20),
    transfer: Transfer = {},
    settings: Parameters<typeof settingsFor>[1] = {},
  ): Promise<{ verdict: Verdict; sinks: SlowSink[] }> {
    const { client } = await serve({ onRequest: (_request, socket) => respond(socket) }, settings);
    const sinks: SlowSink[] = [];
    const sink = (): Promise<AnswerSink> => {
      const made = new SlowSink(pace);
      sinks.push(made);
      return Promise.resolve(made);
    };
    const request = client.prepare("media-download", { mediaId: MEDIA });
    const verdict = await client.attempt(request, newGates(), { limit: 10_000_000, sink, ...transfer });
    return { verdict, sinks };
  }

  const body = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  const head = (...lines: string[]): string =>
    `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
  const length = `content-length: ${body.length}`;
  const chunk = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

  describe("down, at the pace of a slow sink", () => {
    const whole: Readonly<Record<string, Respond>> = {
      "with a length, kept open": (socket) =>
        void socket.write(Buffer.concat([Buffer.from(head(length)), body])),
      "with a length, closed behind it": (socket) => {
        socket.write(head(length, "connection: close"));
        socket.end(body);
      },
      "with a length, closed behind it without a word": (socket) => {
        socket.write(head(length));
        socket.end(body);
      },
      "ended by closing": (socket) => {
        socket.write(head("connection: close"));
        socket.end(body);
      },
      "in HTTP/1.0": (socket) => {
        socket.write("HTTP/1.0 200 OK\r\n\r\n");
        socket.end(body);
      },
      "in chunks": (socket) => {
        socket.write(head("transfer-encoding: chunked"));
        for (let at = 0; at < body.length; at += 7_000) {
          socket.write(chunk(body.subarray(at, at + 7_000)));
        }
        socket.write("0\r\n\r\n");
      },
      "in chunks, closed behind them": (socket) => {
        socket.write(head("transfer-encoding: chunked", "connection: close"));
        socket.write(chunk(body));
        setTimeout(() => socket.end("0\r\n\r\n"), 30);
      },
      "piece by piece": (socket) => {
        socket.write(head(length));
        const next = (at: number): void => {
          if (at < body.length) {
            socket.write(body.subarray(at, at + 30_000), () => setTimeout(() => next(at + 30_000), 5));
          }
        };
        next(0);
      },
    };
    for (const [how, respond] of Object.entries(whole)) {
      for (const ms of [0, 1, 20]) {
        it(`comes whole: ${how}, ${ms} ms a piece`, async () => {
          const { verdict, sinks } = await download(respond, () => sleep(ms));
          assert.equal(`${verdict.outcome} ${verdict.statusName}`, "sent OK", verdict.statusMessage);
          assert.equal(sinks.length, 1);
          assert.ok(sinks[0]?.content.equals(body));
          assert.deepEqual([sinks[0]?.finished, sinks[0]?.discarded], [true, 0]);
        });
      }
    }

    const part = body.subarray(0, 100_000);
    const broken: Readonly<Record<string, Respond>> = {
      "cut, kept open until then": (socket) => {
        socket.write(head(length));
        socket.end(part);
      },
      "cut, with connection: close": (socket) => {
        socket.write(head(length, "connection: close"));
        socket.end(part);
      },
      "reset, with connection: close": (socket) => {
        socket.write(head(length, "connection: close"));
        socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 30));
      },
      "reset, ended by closing": (socket) => {
        socket.write(head("connection: close"));
        socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 30));
      },
      "reset, kept open until then": (socket) => {
        socket.write(head(length));
        socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 30));
      },
      "chunks without an end": (socket) => {
        socket.write(head("transfer-encoding: chunked", "connection: close"));
        socket.end(chunk(part));
      },
    };
    for (const [how, respond] of Object.entries(broken)) {
      for (const ms of [0, 1, 40]) {
        it(`is discarded and may be asked for again: ${how}, ${ms} ms a piece`, async () => {
          const { verdict, sinks } = await download(respond, () => sleep(ms));
          assert.equal(`${verdict.outcome} ${verdict.statusName}`, "retry-later CONNECTION_LOST");
          assert.deepEqual([sinks[0]?.finished, sinks[0]?.discarded], [false, 1]);
        });
      }
    }

    it("comes whole through TLS", async () => {
      const certificates = makeCertificates();
      const { client } = await serve(
        {
          tls: certificates.good,
          onRequest: (_request, socket) => socket.write(Buffer.concat([Buffer.from(head(length)), body])),
        },
        { tls: { ca: certificates.authority.cert } },
      );
      const sink = new SlowSink(() => sleep(1));
      const request = client.prepare("media-download", { mediaId: MEDIA });
      const transfer = { limit: 1_000_000, sink: () => Promise.resolve(sink) };
      assert.equal((await client.attempt(request, newGates(), transfer)).outcome, "sent");
      assert.ok(sink.content.equals(body));
    });

    it("frees the memory of each piece at once, of nothing else", () => {
      const piece = Buffer.alloc(64_000, 1);
      releaseBuffer(piece);
      assert.equal(piece.length, 0);
      const shared = Buffer.alloc(64_000, 1);
      releaseBuffer(shared.subarray(0, 32_000));
      const pooled = Buffer.from("short");
      releaseBuffer(pooled);
      assert.deepEqual([shared.length, pooled.toString()], [64_000, "short"]);
    });

    it("takes only what the sink asks for: the rest stays at the service", async () => {
      let sent = 0;
      const piece = Buffer.alloc(64_000);
      let release = (): void => {};
      const stuck = new Promise<void>((resolve) => {
        release = resolve;
      });
      const total = 40_000_000;
      const running = download(
        (socket) => {
          socket.write(head(`content-length: ${total}`));
          const next = (): void => {
            while (sent < total) {
              const some = piece.subarray(0, Math.min(piece.length, total - sent));
              sent += some.length;
              if (!socket.write(some)) {
                socket.once("drain", next);
                return;
              }
            }
          };
          next();
        },
        () => stuck,
        { limit: 50_000_000 },
      );
      let seen = -1;
      await waitFor("the service to stop", async () => {
        const before = seen;
        seen = sent;
        await sleep(100);
        return before === sent && sent > 0;
      });
      // What is under way sits in the buffers of two sockets.
      assert.ok(sent < 12_000_000, `${sent} bytes left the service`);
      release();
      const { verdict, sinks } = await running;
      assert.equal(verdict.outcome, "sent");
      assert.equal(sinks[0]?.content.length, total);
    });

    it("ends with a fault of the sink, whatever the service goes on to say", async () => {
      for (const [error, expected] of [
        [new TransferError("FILE_UNWRITABLE", "ENOSPC"), "denied FILE_UNWRITABLE"],
        [new Error("odd"), "retry-later INTERNAL_FAULT"],
      ] as const) {
        const { verdict, sinks } = await download(whole["piece by piece"] as Respond, () =>
          Promise.reject(error),
        );
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, expected);
        assert.equal(sinks[0]?.discarded, 1);
      }
    });

    it("says that it was the disk where the disk takes no more", async () => {
      const stuck = new Promise(() => {});
      const slow = { answerTimeout: 100 };
      const { verdict } = await download(whole["in chunks"] as Respond, () => stuck, {}, slow);
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "denied FILE_UNWRITABLE");
    });

    it("makes no sink of an answer that is no success", async () => {
      const { verdict, sinks } = await download((socket) => socket.write(answer(404, `{"statusCode":4034}`)));
      assert.equal(`${verdict.outcome} ${verdict.statusCode}`, "rejected 4034");
      assert.equal(sinks.length, 0);
    });

    it("hides secrets from a sink that makes a name of what the service says", async () => {
      const { client } = await serve({
        onRequest: (_request, socket) =>
          socket.write(
            answer(200, "x", { "content-disposition": `attachment; filename="${CLIENT_SECRET}.txt"` }),
          ),
      });
      let seen: string | null = null;
      await client.attempt(client.prepare("media-download", { mediaId: MEDIA }), newGates(), {
        limit: 10,
        sink: ({ contentDisposition }) => {
          seen = contentDisposition;
          return Promise.resolve(new SlowSink(() => Promise.resolve()));
        },
      });
      assert.match(String(seen), /^attachment; filename="•+\.txt"$/);
    });

    it("removes what it wrote when it is aborted, before it reports", async () => {
      const signals = newGates();
      const { client } = await serve({
        onRequest: (_request, socket) => {
          socket.write(head(length));
          socket.write(part);
        },
      });
      const sink = new SlowSink(() => sleep(1));
      const running = client.attempt(client.prepare("media-download", { mediaId: MEDIA }), signals, {
        limit: 1_000_000,
        sink: () => Promise.resolve(sink),
      });
      await waitFor("all that comes", () => sink.content.length === part.length);
      signals.abort.stop();
      const verdict = await running;
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "retry-later STOPPED_WAITING");
      assert.equal(sink.discarded, 1);
    });
  });

  describe("time", () => {
    const quick = { answerTimeout: 200 };

    it("is not short for a file that keeps moving", async () => {
      const { verdict } = await download(
        (socket) => {
          socket.write(head(length));
          const next = (at: number): void => {
            if (at < body.length) {
              socket.write(body.subarray(at, at + 30_000), () => setTimeout(() => next(at + 30_000), 80));
            }
          };
          next(0);
        },
        () => Promise.resolve(),
        {},
        quick,
      );
      assert.equal(verdict.outcome, "sent", verdict.statusMessage);
    });

    for (const [what, respond] of Object.entries({
      "stands still": (socket: Socket) => {
        socket.write(head(length));
        socket.write(body.subarray(0, 50_000));
      },
      trickles: (socket: Socket) => {
        socket.write(head(length));
        const timer = setInterval(() => socket.write("x"), 20);
        socket.once("close", () => clearInterval(timer));
      },
    })) {
      it(`runs out for a file that ${what}`, async () => {
        const began = performance.now();
        const { verdict } = await download(respond, () => Promise.resolve(), {}, quick);
        assert.equal(verdict.statusName, "NO_ANSWER");
        assert.ok(performance.now() - began < 2_000);
      });
    }
  });

  describe("up", () => {
    const upload = (client: GatewayClient, data: Uint8Array | FileSource): Promise<Verdict> =>
      client.attempt(
        client.prepare("media-upload", { file: { data, name: "a.bin", type: "a/b" } }),
        newGates(),
      );
    const write = (size: number): string => {
      const path = join(folder, "a.bin");
      writeFileSync(path, Buffer.from(Array.from({ length: size }, (_, at) => at % 251)));
      return path;
    };
    const created = answer(201, `{"mediaId":"${MEDIA}"}`);
    const openFiles = (): Promise<boolean> =>
      waitFor("the file to be closed", async () => {
        const { openFilesIn } = await import("../../../node/media-transfer/media-flow.js");
        return openFilesIn(folder).length === 0;
      });

    it("sends a file from disk as it sends one from memory", async () => {
      const { client, server } = await serve({ onRequest: (_request, socket) => socket.write(created) });
      for (const size of [0, 1, 65_536, 300_000]) {
        const path = write(size);
        for (const data of [await FileSource.of(path), readFileSync(path)]) {
          assert.equal((await upload(client, data)).outcome, "sent");
          const { headers, body: sent } = server.requests.at(-1) ?? assert.fail();
          const boundary = headers["content-type"]?.split("boundary=")[1] ?? "";
          const start = sent.indexOf("\r\n\r\n") + 4;
          const end = sent.length - `\r\n--${boundary}--\r\n`.length;
          assert.ok(sent.subarray(start, end).equals(readFileSync(path)), String(size));
          assert.equal(headers["content-length"], String(sent.length));
          assert.equal(headers["transfer-encoding"], undefined);
        }
      }
      await openFiles();
    });

    it("sends nothing of a file that is gone or another one by then", async () => {
      const { client, server } = await serve({});
      for (const spoil of [
        (path: string) => rmSync(path),
        (path: string) => truncateSync(path, 5),
        (path: string) => writeFileSync(path, "another one"),
      ]) {
        const path = write(300_000);
        const source = await FileSource.of(path);
        spoil(path);
        const verdict = await upload(client, source);
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, "rejected FILE_UNREADABLE");
      }
      assert.deepEqual(
        server.heads.map(({ target }) => target),
        ["/oauth/token"],
      );
      await openFiles();
    });

    for (const [what, spoil] of Object.entries({
      shorter: (path: string) => truncateSync(path, 1_000_000),
      longer: (path: string) => writeFileSync(path, "x", { flag: "a" }),
      different: (path: string) => writeFileSync(path, Buffer.alloc(20_000_000)),
    })) {
      it(`breaks off when the file becomes ${what} while it is sent: unknown`, async () => {
        const path = write(20_000_000);
        let whole = 0;
        const { client, server } = await serve({
          onHead: ({ target }, socket) => {
            if (target === "/messaging/media") {
              socket.pause();
              setTimeout(() => {
                spoil(path);
                socket.resume();
              }, 50);
            }
          },
          onRequest: () => whole++,
        });
        const verdict = await upload(client, await FileSource.of(path));
        assert.equal(`${verdict.outcome} ${verdict.statusName}`, "unknown FILE_CHANGED");
        assert.equal(whole, 0);
        assert.equal(server.heads.filter(({ target }) => target === "/messaging/media").length, 1);
        await openFiles();
        // 20 MB pass, which takes seconds on a busy computer.
      }).timeout(30_000);
    }

    it("closes the file when the answer comes before the file was fully sent", async () => {
      const { client } = await serve({
        onHead: ({ target }, socket) => {
          if (target === "/messaging/media") {
            socket.pause();
            socket.write(answer(413, "too large"), () => setImmediate(() => socket.resume()));
          }
        },
      });
      const verdict = await upload(client, await FileSource.of(write(20_000_000)));
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "rejected HTTP_413");
      await openFiles();
    });

    it("is unknown, with advice of its own, when the connection breaks on the way", async () => {
      const { client } = await serve({
        onHead: ({ target }, socket) => target === "/messaging/media" && socket.destroy(),
      });
      const verdict = await upload(client, await FileSource.of(write(5_000_000)));
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "unknown CONNECTION_LOST");
      assert.match(verdict.advice, /uploading the file again may leave a second copy/);
      await openFiles();
    });

    it("waits for a service that reads slowly, not for one that does not read", async () => {
      const size = 12_000_000;
      const { server: tokens } = await serve({});
      const quick = { answerTimeout: 300, tokenAddress: tokens.url };
      let taken = 0;
      const { client } = await serve(
        {
          onConnection: (socket) => {
            const timer = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 60);
            socket.once("close", () => clearInterval(timer));
            socket.on("data", (some: Buffer) => {
              taken += some.length;
              if (taken > size) {
                socket.write(created);
              }
              // About half a megabyte in each turn.
              if (taken % 500_000 < some.length) {
                socket.pause();
              }
            });
            return true;
          },
        },
        quick,
      );
      const began = performance.now();
      assert.equal((await upload(client, Buffer.alloc(size))).outcome, "sent");
      assert.ok(performance.now() - began > 600);

      const deaf = await serve({ onConnection: () => true }, quick);
      const verdict = await upload(deaf.client, await FileSource.of(write(size)));
      assert.equal(`${verdict.outcome} ${verdict.statusName}`, "unknown NO_ANSWER");
      await openFiles();
    });

    it("reads memory in views of it", async () => {
      const data = Buffer.alloc(200_000);
      const { pieces } = await new MemorySource(data).open();
      for await (const piece of pieces) {
        assert.equal(piece.buffer, data.buffer);
      }
    });
  });
});
