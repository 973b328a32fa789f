import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSource } from "../../../../lib/gateway/http/body/byte-sources";
import type { GatewayClient } from "../../../../lib/gateway/client/gateway-client";
import { type ResponseSink, type Transfer, TransferError } from "../../../../lib/gateway/http/body/transfer";
import type { Verdict } from "../../../../lib/gateway/codec/verdict";
import type { GatewaySettings } from "../../../../lib/gateway/contract/settings";
import { CLIENT_SECRET, newGates, UUID } from "../../../support/gateway/gateway-settings";
import { brief, type Reply, useGateway, withTokens } from "../../../support/gateway/use-gateway";
import { answer, type FaultPlan, type FaultServer } from "../../../support/http/fault-server";
import { waitFor } from "../../../support/wait-for";
import { openFilesIn } from "../../../nodes/media-transfer/node/media-flow";

const DOWNLOAD = { operation: "media-download", fields: { mediaId: UUID } } as const;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const bytes = (size: number): Buffer =>
  Buffer.alloc(
    size,
    Uint8Array.from({ length: 251 }, (_, at) => at),
  );

type Pace = () => Promise<unknown>;

/** A sink that takes its time for each piece and remembers everything. */
class SlowSink implements ResponseSink {
  readonly pieces: Buffer[] = [];
  finished = false;
  discarded = 0;
  constructor(private readonly pace: Pace = () => Promise.resolve()) {}
  async write(piece: Uint8Array): Promise<void> {
    await this.pace();
    this.pieces.push(Buffer.from(piece));
  }
  async finish(): Promise<void> {
    this.finished = true;
  }
  async discard(): Promise<void> {
    this.discarded++;
  }
  get content(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

describe("gateway transfers", () => {
  const gateway = useGateway();
  const { clientOf, send } = gateway;

  /** A client at a server that hands out tokens by itself and does with all else whatever a test wants. */
  async function serve(
    reply: Reply = () => {},
    settings: Partial<GatewaySettings> = {},
    plan: FaultPlan = {},
  ): Promise<{ server: FaultServer; client: GatewayClient }> {
    const server = await gateway.serve(withTokens(reply), plan);
    return { server, client: clientOf(server.url, settings) };
  }

  async function download(
    reply: Reply,
    pace?: Pace,
    settings: Partial<GatewaySettings> = {},
    limit = 10_000_000,
  ): Promise<{ verdict: Verdict; sinks: SlowSink[] }> {
    const { client } = await serve(reply, settings);
    const sinks: SlowSink[] = [];
    const sink = async (): Promise<ResponseSink> => {
      const made = new SlowSink(pace);
      sinks.push(made);
      return made;
    };
    return { verdict: await send(client, DOWNLOAD, { limit, sink }), sinks };
  }

  const into = (sink: SlowSink): Transfer => ({ limit: 1_000_000, sink: () => Promise.resolve(sink) });

  const body = bytes(300_000);
  const part = body.subarray(0, 100_000);
  const length = `content-length: ${body.length}`;
  const chunked = "transfer-encoding: chunked";
  const close = "connection: close";
  const head = (...lines: string[]): string =>
    `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
  const chunk = (piece: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);

  /** Writes a head and ends the connection behind what follows. */
  const ending =
    (start: string, rest: Buffer): Reply =>
    (socket) => {
      socket.write(start);
      socket.end(rest);
    };
  /** Resets the connection when a part of the body has left. */
  const resetting =
    (...lines: string[]): Reply =>
    (socket) => {
      socket.write(head(...lines));
      socket.write(part, () => setTimeout(() => socket.resetAndDestroy(), 30));
    };
  const whole: Reply = (socket) => socket.write(Buffer.concat([Buffer.from(head(length)), body]));
  /** Writes the body in ten pieces, so many ms apart. */
  const pieces =
    (ms: number): Reply =>
    (socket) => {
      socket.write(head(length));
      const next = (at: number): void => {
        if (at < body.length) {
          socket.write(body.subarray(at, at + 30_000), () => setTimeout(() => next(at + 30_000), ms));
        }
      };
      next(0);
    };
  const inChunks: Reply = (socket) => {
    socket.write(head(chunked));
    for (let at = 0; at < body.length; at += 7_000) {
      socket.write(chunk(body.subarray(at, at + 7_000)));
    }
    socket.write("0\r\n\r\n");
  };

  describe("down, at the pace of a slow sink", () => {
    for (const [how, reply] of Object.entries<Reply>({
      "with a length, kept open": whole,
      "ended by closing": ending(head(close), body),
      "in HTTP/1.0": ending("HTTP/1.0 200 OK\r\n\r\n", body),
      "in chunks": inChunks,
    })) {
      it(`downloads the whole file: ${how}`, async () => {
        const { verdict, sinks } = await download(reply, () => sleep(1));
        assert.equal(brief(verdict), "sent OK", verdict.statusMessage);
        assert.deepEqual(
          sinks.map(({ content, finished, discarded }) => [content.equals(body), finished, discarded]),
          [[true, true, 0]],
        );
      });
    }

    for (const [how, reply] of Object.entries<Reply>({
      "cut, kept open until then": ending(head(length), part),
      "cut, with connection: close": ending(head(length, close), part),
      "reset, kept open until then": resetting(length),
      "chunks without an end": ending(head(chunked, close), chunk(part)),
    })) {
      it(`discards the file and may be repeated: ${how}`, async () => {
        const { verdict, sinks } = await download(reply, () => sleep(1));
        assert.equal(brief(verdict), "retry-later CONNECTION_LOST");
        assert.deepEqual([sinks[0]?.finished, sinks[0]?.discarded], [false, 1]);
      });
    }

    for (const [what, error, expected] of [
      ["a full disk", new TransferError("FILE_UNWRITABLE", "ENOSPC"), "denied FILE_UNWRITABLE"],
      ["any other", new Error("odd"), "retry-later INTERNAL_FAULT"],
    ] as const) {
      it(`ends with the error of the sink: ${what}`, async () => {
        const { verdict, sinks } = await download(pieces(5), () => Promise.reject(error));
        assert.deepEqual([brief(verdict), sinks[0]?.discarded], [expected, 1]);
      });
    }

    it("creates no sink for a failed response", async () => {
      const { verdict, sinks } = await download(answer(404, `{"statusCode":4034}`));
      assert.deepEqual([verdict.outcome, verdict.statusCode, sinks.length], ["rejected", 4034, 0]);
    });

    it("hides secrets from a sink that derives a file name from headers", async () => {
      const disposition = `attachment; filename="${CLIENT_SECRET}.txt"`;
      const { client } = await serve(answer(200, "x", { "content-disposition": disposition }));
      let seen: string | null = null;
      await send(client, DOWNLOAD, {
        limit: 10,
        sink: async ({ contentDisposition }) => {
          seen = contentDisposition;
          return new SlowSink();
        },
      });
      assert.match(String(seen), /^attachment; filename="•+\.txt"$/);
    });

    it("removes the partial file before it reports an abort", async () => {
      const signals = newGates();
      const { client } = await serve((socket) => socket.write(head(length)) && socket.write(part));
      const sink = new SlowSink(() => sleep(1));
      const running = send(client, DOWNLOAD, into(sink), signals);
      await waitFor("all that comes", () => sink.content.length === part.length);
      signals.abort.stop();
      assert.equal(brief(await running), "retry-later STOPPED_WAITING");
      assert.equal(sink.discarded, 1);
    });
  });

  describe("up", () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "transfer-"));
    });
    // Whatever becomes of an upload, no file stays open.
    afterEach(async () => {
      await waitFor("the file to be closed", () => openFilesIn(folder).length === 0);
      rmSync(folder, { recursive: true });
    });

    const created = answer(201, `{"mediaId":"${UUID}"}`);
    const upload = (client: GatewayClient, data: Uint8Array | FileSource): Promise<Verdict> =>
      send(client, { operation: "media-upload", fields: { file: { data, name: "a.bin", type: "a/b" } } });
    const write = (size: number): string => {
      const path = join(folder, "a.bin");
      writeFileSync(path, bytes(size));
      return path;
    };
    /** Does something when the head of an upload is here and its file still on the way. */
    const onUpload = (act: (socket: Socket) => unknown): FaultPlan => ({
      onHead: ({ target }, socket) => {
        if (target === "/messaging/media") {
          act(socket);
        }
      },
    });

    for (const size of [0, 1, 65_536, 300_000]) {
      it(`sends a file of ${size} bytes from disk as it sends one from memory`, async () => {
        const { client, server } = await serve(created);
        const path = write(size);
        for (const data of [await FileSource.of(path), readFileSync(path)]) {
          assert.equal((await upload(client, data)).outcome, "sent");
          const { headers, body: sent } = server.requests.at(-1) ?? assert.fail();
          const boundary = headers["content-type"]?.split("boundary=")[1] ?? "";
          const start = sent.indexOf("\r\n\r\n") + 4;
          const end = sent.length - `\r\n--${boundary}--\r\n`.length;
          assert.ok(sent.subarray(start, end).equals(readFileSync(path)));
          assert.equal(headers["content-length"], String(sent.length));
          assert.equal(headers["transfer-encoding"], undefined);
        }
      });
    }

    for (const [what, spoil] of Object.entries({
      gone: (path: string) => rmSync(path),
      shorter: (path: string) => truncateSync(path, 5),
      "another one": (path: string) => writeFileSync(path, "another one"),
    })) {
      it(`sends nothing of a file that is ${what} by then`, async () => {
        const { client, server } = await serve();
        const path = write(300_000);
        const source = await FileSource.of(path);
        spoil(path);
        assert.equal(brief(await upload(client, source)), "rejected FILE_UNREADABLE");
        assert.deepEqual(
          server.heads.map(({ target }) => target),
          ["/oauth/token"],
        );
      });
    }

    it("ends as unknown when the file changes during the upload", async () => {
      const path = write(10_000_000);
      const spoiling = onUpload((socket) => {
        socket.pause();
        setTimeout(() => {
          truncateSync(path, 1_000_000);
          socket.resume();
        }, 50);
      });
      const { client, server } = await serve(undefined, {}, spoiling);
      assert.equal(brief(await upload(client, await FileSource.of(path))), "unknown FILE_CHANGED");
      const targets = [server.heads, server.requests].map((seen) => seen.map(({ target }) => target));
      assert.deepEqual(targets, [["/oauth/token", "/messaging/media"], ["/oauth/token"]]);
    });
  });
});
