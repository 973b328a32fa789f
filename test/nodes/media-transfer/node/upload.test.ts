// Slow: a node that closes gives its open download 10 s, which pass four times as fast here.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CREDENTIALS } from "../../../../simulator/sign-in/credentials";
import type { FaultAnswer } from "../../../../simulator/index";
import { answer, FaultServer } from "../../../support/http/fault-server";
import { hurry } from "../../../support/hurry";
import { waitFor } from "../../../support/wait-for";
import { type Config, resultOf, stopFlow } from "../../../node/flow";
import { useSimulator } from "../../../node/use-simulator";
import { bytes, errorText, newFolder, one, openFilesIn, startMedia } from "./media-flow";

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

describe("media-transfer: upload and attachment", () => {
  const simulator = useSimulator();
  let folder = newFolder();
  let normal = (): void => {};
  before(() => {
    normal = hurry(20);
  });
  after(() => normal());
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => folder.remove());

  const start = (sender: Config, account: Config = {}) => startMedia(simulator, sender, account);
  const write = (content: Buffer, name = "a b.png"): string => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  const uploads = (operation = "media-upload") =>
    simulator.main.requests.filter((request) => request.operation === operation);

  for (const kind of ["upload", "attachment"] as const) {
    const stored = () => (kind === "upload" ? simulator.main.media.slice(1) : simulator.main.attachments);
    const idName = kind === "upload" ? "mediaId" : "attachmentId";
    const operation = kind === "upload" ? "media-upload" : "attachment-create";

    it(`${kind}: takes a Buffer, with name and type from the message`, async () => {
      const content = bytes(70_000);
      const running = await start({
        kind,
        fileName: "name",
        fileNameSource: "msg",
        contentType: "type",
        contentTypeSource: "msg",
      });
      const msg = await one(running, { payload: content, name: "x/Ünï.dat", type: "image/png" });
      const { outcome, statusCode, statusName } = resultOf(msg);
      // The service answers an attachment with a code, and an upload with an id alone.
      assert.deepEqual([outcome, statusCode, statusName], ["sent", kind === "upload" ? null : 2000, "OK"]);
      const [file, ...more] = stored();
      assert.deepEqual(more, []);
      assert.deepEqual(
        [file?.fileName, file?.contentType, file?.sha256],
        ["Ünï.dat", "image/png", sha256(content)],
      );
      const result = resultOf(msg);
      assert.deepEqual([result.outcome, result.operation, result.clientMessageId], ["sent", operation, null]);
      assert.deepEqual(result.file, { name: "Ünï.dat", type: "image/png", size: 70_000 });
      assert.equal(result[idName], (file as unknown as Record<string, unknown>)[idName]);
      assert.equal(msg[idName], result[idName]);
      assert.equal((msg as { payload?: unknown }).payload, content);
    });

    it(`${kind}: streams a local file, named and typed by its path`, async () => {
      const content = bytes(12_000_000);
      const msg = await one(await start({ kind, from: "file" }), { filename: write(content) });
      const [file] = stored();
      assert.deepEqual(
        [file?.fileName, file?.contentType, file?.sha256],
        ["a b.png", "image/png", sha256(content)],
      );
      assert.deepEqual(resultOf(msg).file, { name: "a b.png", type: "image/png", size: 12_000_000 });
      assert.deepEqual(openFilesIn(folder.path), []);
    });

    it(`${kind}: keeps to the limit, to the byte`, async () => {
      const running = await start({ kind, from: "file", limit: "0.5" });
      assert.equal(resultOf(await one(running, { filename: write(bytes(524_288)) })).outcome, "sent");
      const large = resultOf(await one(running, { filename: write(bytes(524_289)) }));
      assert.deepEqual(
        [large.outcome, large.statusName, large.parameter, large.attempts],
        ["rejected", "FILE_TOO_LARGE", "file", 0],
      );
      await running.stop();
      const memory = await start({ kind, limit: "0.5" });
      assert.equal(resultOf(await one(memory, { payload: bytes(524_288) })).outcome, "sent");
      assert.equal(resultOf(await one(memory, { payload: bytes(524_289) })).statusName, "FILE_TOO_LARGE");
      assert.equal(uploads(operation).length, 2);
    });

    it(`${kind}: is unknown and never repeated after a failure without a clear response`, async () => {
      for (const fault of [
        { connection: "drop-after-accept" },
        { connection: "garbage" },
        { httpStatus: 500 },
      ] as FaultAnswer[]) {
        simulator.main.reset();
        simulator.main.addFault({ operation, answer: fault });
        const flow = await start({ kind });
        const msg = await one(flow, { payload: bytes(10_000), [idName]: "before" });
        const result = resultOf(msg);
        assert.deepEqual([result.outcome, result.attempts, result[idName]], ["unknown", 1, null]);
        assert.match(result.advice, /second copy/);
        assert.deepEqual([uploads(operation).length, msg[idName]], [1, "before"]);
        await flow.stop();
      }
    });

    it(`${kind}: is sent anew, from its first byte, when it was surely not accepted`, async () => {
      const content = bytes(3_000_000);
      simulator.main.addFault({ operation, times: 2, answer: { statusCode: 5003 } });
      const msg = await one(await start({ kind, from: "file" }), { filename: write(content) });
      assert.deepEqual([resultOf(msg).outcome, resultOf(msg).attempts], ["sent", 3]);
      assert.deepEqual(
        stored().map((file) => file.sha256),
        [sha256(content)],
      );
    });
  }

  it("writes multipart to the wire: one part, its length known, closed by the boundary", async () => {
    const server = await FaultServer.start({
      onRequest: ({ target }, socket) =>
        void socket.write(
          target === "/oauth/token"
            ? answer(200, `{"access_token":"tok","expires_in":300}`)
            : answer(201, `{"mediaId":"123e4567-e89b-12d3-a456-426614174000"}`),
        ),
    });
    try {
      const flow = await startMedia(
        { url: server.url, credentials: CREDENTIALS },
        { kind: "upload", from: "file" },
      );
      const content = bytes(150_000);
      assert.equal(resultOf(await one(flow, { filename: write(content, 'q"ü.pdf') })).outcome, "sent");
      const { headers, body, method, target } = server.requests.at(-1) ?? assert.fail();
      assert.deepEqual([method, target, headers.authorization], ["POST", "/messaging/media", "Bearer tok"]);
      const boundary = /^multipart\/form-data; boundary=(part-[\w-]{36})$/.exec(
        headers["content-type"] ?? "",
      )?.[1];
      assert.deepEqual(
        body,
        Buffer.concat([
          Buffer.from(
            `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="q_ü.pdf"\r\ncontent-type: application/pdf\r\n\r\n`,
          ),
          content,
          Buffer.from(`\r\n--${boundary}--\r\n`),
        ]),
      );
      assert.equal(headers["content-length"], String(body.length));
    } finally {
      await stopFlow();
      await server.close();
    }
  });

  it("rejects values that are no file, and names them, before anything is sent", async () => {
    const memory = await start({ kind: "upload", contentType: "type", contentTypeSource: "msg" });
    for (const [payload, type, parameter, said] of [
      [
        "/etc/hostname",
        "a/b",
        "file",
        /must be a Buffer, but is the text '\/etc\/hostname'.*set “Read from” to “a local file”/,
      ],
      [{ type: "Buffer", data: [1] }, "a/b", "file", /of type object/],
      [bytes(3), "picture", "contentType", /must be a media type/],
      [bytes(3), "a/b\r\nx: y", "contentType", /must be a media type/],
    ] as const) {
      const result = resultOf(await one(memory, { payload, type }));
      assert.deepEqual([result.outcome, result.parameter, result.attempts], ["rejected", parameter, 0]);
      assert.match(result.statusMessage, said);
    }
    await memory.stop();

    const disk = await start({ kind: "upload", from: "file" });
    mkdirSync(join(folder.path, "folder"));
    execFileSync("mkfifo", [join(folder.path, "pipe")]);
    for (const [filename, said] of [
      [join(folder.path, "missing"), /ENOENT/],
      [join(folder.path, "folder"), /is not a file/],
      [join(folder.path, "pipe"), /is not a file/],
      ["/dev/zero", /is not a file/],
      ["/tmp/a\0b", /ERR_INVALID_ARG_VALUE/],
    ] as const) {
      const msg = await one(disk, { filename });
      const result = (msg as { result?: { outcome: string; statusMessage: string } }).result;
      assert.equal(result?.outcome, "rejected", filename);
      assert.match(result?.statusMessage ?? "", said);
    }
    assert.equal(simulator.main.requestCount, 0);
  });

  it("reports wrong settings at once", async () => {
    for (const [sender, said] of [
      [{ kind: "download", to: "file" }, /No folder is set in the node/],
      [{ kind: "download", to: "nowhere" }, /setting 'to' is 'nowhere'/],
      [{ kind: "download", existing: "maybe" }, /setting 'existing' is 'maybe'/],
      [{ kind: "upload", limit: "much" }, /size limit is 'much'/],
      [{ kind: "upload", limit: "0" }, /size limit is '0'/],
      [{ kind: "download", limit: "1025" }, /from 0.001 to 1024/],
      [{ kind: "fax" }, /kind 'fax'/],
    ] as const) {
      const running = await start(sender);
      running.send({ payload: bytes(3) });
      assert.match(await errorText(running), said);
      await running.stop();
    }
  });
});

describe("media-transfer: closing", () => {
  let normal = (): void => {};
  // A node that closes waits 10 s for its answers, then 1 s for its file to be removed: a busy computer needs some of it.
  before(() => {
    normal = hurry(4);
  });
  after(() => normal());

  it("removes the partial file when the node closes during an upload", async () => {
    const folder = newFolder();
    const server = await FaultServer.start({
      onRequest: ({ target }, socket) => {
        if (target === "/oauth/token") {
          socket.write(answer(200, `{"access_token":"tok","expires_in":300}`));
        } else {
          socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5000000\r\n\r\n");
          socket.write(bytes(1_000_000));
        }
      },
    });
    const sender = { kind: "download", to: "file", folder: folder.path };
    const flow = await startMedia({ url: server.url, credentials: CREDENTIALS }, sender);
    flow.send({ payload: { mediaId: "123e4567-e89b-12d3-a456-426614174000" } });
    await waitFor("half a file", () => openFilesIn(folder.path).length === 1);
    const errors: string[] = [];
    (flow.sender as unknown as { error: (text: unknown) => void }).error = (text) =>
      errors.push(String(text));
    await flow.stop();
    const { readdirSync } = await import("node:fs");
    assert.deepEqual([readdirSync(folder.path), openFilesIn(folder.path)], [[], []]);
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? "", /because the flows stopped: 1 × retry-later\. /);
    await server.close();
    folder.remove();
    await stopFlow();
  });
});
