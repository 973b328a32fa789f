import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { promisify } from "node:util";
import { type NewMedia, SAMPLE_MEDIA_ID, startSimulator } from "../../../../simulator/index";
import { bearer, filePart, postJson, postParts, rawRequest } from "../raw-request";
import { useSimulator } from "../use-simulator";

const UNKNOWN = "51a51a51-0000-4000-8000-00000000ffff";
const MEBIBYTE = 1_048_576;

describe("simulator: media", () => {
  let now = 1_000_000;
  const simulator = useSimulator({ clock: { now: () => now }, maxUpload: 2 * MEBIBYTE, mediaBytes: 3000 });

  const upload = async (...parts: string[]) =>
    postParts(`${simulator.url}/messaging/media`, parts, await bearer(simulator.url, "media:create"));
  const mediaIdOf = async (answer: ReturnType<typeof upload>) =>
    JSON.parse((await answer).body).mediaId as string;
  const download = async (mediaId: string, authorization?: string) =>
    rawRequest(`${simulator.url}/messaging/media/${mediaId}`, {
      method: "GET",
      headers: { authorization: authorization ?? (await bearer(simulator.url, "media:read")) },
    });

  it("have a sample", async () => {
    const answer = await download(SAMPLE_MEDIA_ID);
    assert.equal(answer.httpStatus, 200);
    assert.equal(answer.headers["content-type"], "image/png");
    assert.equal(answer.headers["content-disposition"], 'attachment; filename="sample.png"');
    assert.equal(answer.body.slice(0, 8), "\x89PNG\r\n\x1a\n");
    assert.equal(answer.headers["content-length"], String(answer.body.length));
    assert.equal((await download(SAMPLE_MEDIA_ID.toUpperCase())).body, answer.body);
  });

  it("go up and come down again", async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    const answer = await upload(filePart(bytes, "K\xc3\xbcche.bin", "file", "application/octet-stream"));
    assert.equal(answer.httpStatus, 201);
    const { mediaId, ...rest } = JSON.parse(answer.body);
    assert.match(mediaId, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    assert.deepEqual(rest, {});
    const back = await download(mediaId);
    assert.equal(back.body, bytes);
    assert.equal(back.headers["content-type"], "application/octet-stream");
    assert.equal(
      back.headers["content-disposition"],
      `attachment; filename="K_che.bin"; filename*=UTF-8''K%C3%BCche.bin`,
    );
    const file = {
      fileName: "Küche.bin",
      contentType: "application/octet-stream",
      size: 256,
      sha256: createHash("sha256").update(bytes, "latin1").digest("hex"),
    };
    assert.deepEqual(simulator.main.media[1], { mediaId, ...file });
    const [, uploaded, , downloaded] = simulator.main.requests;
    assert.deepEqual(
      [uploaded?.operation, uploaded?.fields, uploaded?.rawBody],
      ["media-upload", { file }, ""],
    );
    assert.deepEqual([downloaded?.operation, downloaded?.fields], ["media-download", { mediaId }]);
    assert.equal(simulator.main.messages.length, 0);
  });

  const fileNames: Record<string, string> = {
    'a"b\\c.txt': 'attachment; filename="a\\"b\\\\c.txt"',
    "it's (1)*€.txt": `attachment; filename="it's (1)*_.txt"; filename*=UTF-8''it%27s%20%281%29%2A%E2%82%AC.txt`,
    "🙂": `attachment; filename="_"; filename*=UTF-8''%F0%9F%99%82`,
  };
  for (const [fileName, header] of Object.entries(fileNames)) {
    it(`name the file ${fileName}`, async () => {
      const mediaId = simulator.main.addMedia({ content: "x", contentType: "text/plain", fileName });
      assert.equal((await download(mediaId)).headers["content-disposition"], header);
    });
  }

  it("are not found: 404 and 4034 for an unknown one, 400 for what is no uuid", async () => {
    const missing = await download(UNKNOWN);
    assert.equal(missing.httpStatus, 404);
    assert.deepEqual(JSON.parse(missing.body), {
      statusCode: 4034,
      statusMessage: "Invalid media: mediaId: is not known",
    });
    const wrong = await download("sample.png");
    assert.deepEqual([wrong.httpStatus, JSON.parse(wrong.body).statusCode], [400, 4034]);
    for (const path of ["", "/", `/${SAMPLE_MEDIA_ID}/x`]) {
      const headers = { authorization: await bearer(simulator.url, "media:read") };
      const answer = await rawRequest(`${simulator.url}/messaging/media${path}`, { method: "GET", headers });
      assert.equal(answer.httpStatus, path === "" ? 405 : 404);
    }
  });

  it("take nothing from the query", async () => {
    for (const query of ["x=1", `mediaId=${SAMPLE_MEDIA_ID}`]) {
      assert.equal((await download(`${SAMPLE_MEDIA_ID}?${query}`)).httpStatus, 400);
    }
  });

  describe("refuse with", () => {
    it("401 who has no valid token, 403 who has another scope", async () => {
      const url = `${simulator.url}/messaging/media`;
      const reader = await bearer(simulator.url, "media:read+messaging:whatsapp");
      const creator = await bearer(simulator.url, "media:create+messaging:whatsapp");
      const denied = await postParts(url, [filePart("x")], reader);
      assert.deepEqual(
        [denied.httpStatus, JSON.parse(denied.body)],
        [403, { statusMessage: "scope media:create is missing" }],
      );
      assert.equal((await download(SAMPLE_MEDIA_ID, creator)).httpStatus, 403);
      now += 300_000;
      assert.equal((await postParts(url, [filePart("x")], creator)).httpStatus, 401);
      assert.equal((await download(SAMPLE_MEDIA_ID, reader)).httpStatus, 401);
      assert.equal(
        (await download(SAMPLE_MEDIA_ID, "Bearer x")).headers["www-authenticate"],
        'Bearer error="invalid_token"',
      );
      assert.equal(simulator.main.media.length, 1);
    });

    const text = 'Content-Disposition: form-data; name="file"\r\n\r\nx';
    const cases: Record<string, [number, number | null, string[]]> = {
      "400 and 4034 no file": [400, 4034, []],
      "400 and 4034 a text in its place": [400, 4034, [text]],
      "400 and 4034 an empty file": [400, 4034, [filePart("")]],
      "400 another name": [400, null, [filePart("x", "a", "media")]],
      "400 something beside the file": [400, null, [filePart("x"), text.replace('"file"', '"note"')]],
      "400 two files": [400, null, [filePart("x"), filePart("x")]],
      "400 what is no part": [400, null, ["x"]],
      "413 a file that is too large": [413, null, [filePart("x".repeat(2 * MEBIBYTE + 1))]],
    };
    for (const [name, [httpStatus, statusCode, parts]] of Object.entries(cases)) {
      it(name, async () => {
        const answer = await upload(...parts);
        assert.equal(answer.httpStatus, httpStatus);
        if (statusCode === null) assert.ok(answer.headers["x-simulator-reason"]);
        else assert.equal(JSON.parse(answer.body).statusCode, statusCode);
        assert.equal(simulator.main.media.length, 1);
      });
    }

    it("a log that has nothing of the files", async () => {
      await upload(filePart("x".repeat(MEBIBYTE)), filePart("y"));
      const { operation, fields, rawBody } = simulator.main.requests[1]!;
      assert.deepEqual([operation, fields, rawBody], ["media-upload", {}, ""]);
    });

    it("413 a body far above the limit, but not before all of it has been sent", async () => {
      const outgoing = httpRequest(`${simulator.url}/messaging/media`, {
        method: "POST",
        agent: false,
        headers: {
          authorization: await bearer(simulator.url, "media:create"),
          "content-type": "multipart/form-data; boundary=x",
        },
      });
      const answered = once(outgoing, "response");
      // More than any buffer in between: when it is written, the simulator has read beyond its limit.
      await promisify((done: (error?: Error | null) => void) =>
        outgoing.write(Buffer.alloc(32 * MEBIBYTE), done),
      )();
      outgoing.end("x");
      const [incoming] = await answered;
      assert.equal(incoming.statusCode, 413);
      incoming.resume();
      const [, request] = simulator.main.requests;
      assert.deepEqual([request?.operation, request?.httpStatus, request?.fields], ["media-upload", 413, {}]);
    });

    it("415 what is not multipart, 406 who takes no JSON", async () => {
      const url = `${simulator.url}/messaging/media`;
      const authorization = await bearer(simulator.url, "media:create");
      assert.equal((await postJson(url, {}, authorization)).httpStatus, 415);
      const headers = {
        authorization,
        "content-type": "multipart/form-data; boundary=x-y",
        accept: "image/*",
      };
      assert.equal((await rawRequest(url, { headers, body: "--x-y--" })).httpStatus, 406);
    });
  });

  it("keep so many bytes, the newest always, and the sample", async () => {
    const first = await mediaIdOf(upload(filePart("x".repeat(1500))));
    const second = await mediaIdOf(upload(filePart("y".repeat(1500))));
    assert.equal((await download(first)).httpStatus, 200);
    const third = await mediaIdOf(upload(filePart("z")));
    assert.equal((await download(first)).httpStatus, 404);
    assert.equal((await download(second)).httpStatus, 200);
    const large = await mediaIdOf(upload(filePart("x".repeat(2 * MEBIBYTE))));
    assert.deepEqual(
      simulator.main.media.map(({ mediaId }) => mediaId),
      [SAMPLE_MEDIA_ID, large],
    );
    assert.equal((await download(third)).httpStatus, 404);
    const back = await download(large);
    assert.equal(back.body, "x".repeat(2 * MEBIBYTE));
  });

  it("weigh nothing when they are made up, but are counted", () => {
    const made = { size: 100 * MEBIBYTE, contentType: "video/mp4", fileName: "a.mp4" };
    for (let count = 0; count < 10_001; count += 1) simulator.main.addMedia(made);
    assert.equal(simulator.main.media.length, 10_001);
  });

  it("are forgotten with a reset, and one account's own", async () => {
    const mediaId = await mediaIdOf(upload(filePart("x")));
    const other = simulator.account("other").url;
    const answer = await rawRequest(`${other}/messaging/media/${mediaId}`, {
      method: "GET",
      headers: { authorization: await bearer(other, "media:read") },
    });
    assert.equal(answer.httpStatus, 404);
    simulator.main.reset();
    assert.equal((await download(mediaId)).httpStatus, 404);
  });

  it("fail on request, kept or not", async () => {
    const { main } = simulator;
    main.addFault({ operation: "media-upload", answer: { statusCode: 5003 } });
    main.addFault({ operation: "media-upload", answer: { connection: "drop-after-accept" } });
    main.addFault({ operation: "media-upload", answer: { connection: "reset-before-accept" } });
    main.addFault({ operation: "media-upload", answer: { statusCode: 2000, delayMs: 1 } });
    const refused = await upload(filePart("x"));
    assert.deepEqual([refused.httpStatus, JSON.parse(refused.body).statusCode], [503, 5003]);
    assert.equal(main.media.length, 1);
    await assert.rejects(upload(filePart("x")), { code: "ECONNRESET" });
    assert.equal(main.media.length, 2);
    await assert.rejects(upload(filePart("x")), { code: "ECONNRESET" });
    assert.equal(main.media.length, 2);
    assert.ok(await mediaIdOf(upload(filePart("x"))));
    main.addFault({ operation: "media-download", answer: { statusCode: 4034 } });
    main.addFault({ operation: "media-download", answer: { httpStatus: 502, body: "<p>" } });
    assert.equal((await download(SAMPLE_MEDIA_ID)).httpStatus, 404);
    assert.equal((await download(SAMPLE_MEDIA_ID)).body, "<p>");
  });

  it("are added by hand, as a copy", async () => {
    const content = Buffer.from("abc");
    const mediaId = simulator.main.addMedia({ content, contentType: "text/plain", fileName: "a" });
    content.fill(0);
    assert.equal((await download(mediaId)).body, "abc");
  });

  const good = { contentType: "text/plain", fileName: "a" };
  const wrong: Record<string, unknown> = {
    "no object": "x",
    "neither content nor size": good,
    "both content and size": { ...good, content: "x", size: 1 },
    "content that is none": { ...good, content: 7 },
    "half a byte": { ...good, size: 0.5 },
    "fewer than no bytes": { ...good, size: -1 },
    "a type that is none": { ...good, content: "x", contentType: "text" },
    "a type in two lines": { ...good, content: "x", contentType: "text/plain\r\nx: y" },
    "no file name": { contentType: "text/plain", content: "x" },
    "a file name in two lines": { ...good, content: "x", fileName: "a\nb" },
    "another field": { ...good, content: "x", mediaId: UNKNOWN },
  };
  for (const [name, media] of Object.entries(wrong)) {
    it(`are not added with ${name}`, () => {
      assert.throws(() => simulator.main.addMedia(media as NewMedia), TypeError);
    });
  }

  describe("that are large", () => {
    const SIZE = 100 * MEBIBYTE;
    const made = { size: SIZE, contentType: "video/mp4", fileName: "large.mp4" };

    async function open(mediaId: string): Promise<[ClientRequest, IncomingMessage]> {
      const outgoing = httpRequest(`${simulator.url}/messaging/media/${mediaId}`, {
        agent: false,
        headers: { authorization: await bearer(simulator.url, "media:read") },
      }).end();
      const [incoming] = await once(outgoing, "response");
      return [outgoing, incoming];
    }

    it("are streamed, 100 MiB with little memory", async () => {
      const mediaId = simulator.main.addMedia(made);
      const before = process.memoryUsage().arrayBuffers;
      const [, incoming] = await open(mediaId);
      assert.equal(incoming.headers["content-length"], String(SIZE));
      let length = 0;
      let most = 0;
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        // Each byte follows from its place; the ends of every piece are enough.
        assert.equal(chunk[0], length % 251);
        length += chunk.length;
        assert.equal(chunk.at(-1), (length - 1) % 251);
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      assert.equal(length, SIZE);
      assert.ok(most < 75 * MEBIBYTE, `${most} bytes`);
      assert.equal(simulator.main.media[1]?.sha256, null);
    });

    it("survive a caller that leaves in the middle", async () => {
      const [outgoing, incoming] = await open(simulator.main.addMedia(made));
      await once(incoming, "readable");
      outgoing.destroy();
      assert.equal((await download(SAMPLE_MEDIA_ID)).httpStatus, 200);
    });

    it("are cut off in the middle on request", async () => {
      const mediaId = simulator.main.addMedia(made);
      simulator.main.addFault({ operation: "media-download", answer: { connection: "cut-body" } });
      const [, incoming] = await open(mediaId);
      let length = 0;
      await assert.rejects(
        async () => {
          for await (const chunk of incoming as AsyncIterable<Buffer>) length += chunk.length;
        },
        { code: "ECONNRESET" },
      );
      assert.equal(incoming.headers["content-length"], String(SIZE));
      assert.equal(length, MEBIBYTE);
    });

    it("of no bytes are fine too", async () => {
      const mediaId = simulator.main.addMedia({ ...made, size: 0 });
      const answer = await download(mediaId);
      assert.deepEqual([answer.httpStatus, answer.body], [200, ""]);
    });

    it("go up to 100 MiB unless told otherwise", async () => {
      const own = await startSimulator();
      const url = `${own.url}/messaging/media`;
      const authorization = await bearer(own.url, "media:create");
      assert.equal((await postParts(url, [filePart("x".repeat(SIZE))], authorization)).httpStatus, 201);
      assert.equal(own.main.media[1]?.size, SIZE);
      assert.equal((await postParts(url, [filePart("x".repeat(SIZE + 1))], authorization)).httpStatus, 413);
      await own.close();
    });
  });

  describe("in a WhatsApp message", () => {
    async function send(fields: object) {
      const answer = await postJson(
        `${simulator.url}/messaging/whatsapp/send_media`,
        { applicationId: simulator.credentials.applicationId, recipient: "+41790000000", ...fields },
        await bearer(simulator.url, "messaging:whatsapp"),
      );
      return [answer.httpStatus, JSON.parse(answer.body).statusCode];
    }

    it("are sent without a session window, with a description of up to 4096 characters", async () => {
      const mediaId = await mediaIdOf(upload(filePart("x")));
      for (const content of ["", "x".repeat(4096), "🙂".repeat(4096)]) {
        assert.deepEqual(await send({ mediaId, content }), [201, 2000]);
        assert.equal(simulator.main.messages.at(-1)?.content, content);
      }
      assert.deepEqual(await send({ mediaId: mediaId.toUpperCase() }), [201, 2000]);
      assert.equal(simulator.main.messages.at(-1)?.content, "");
    });
  });
});
