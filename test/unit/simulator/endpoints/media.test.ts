import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { promisify } from "node:util";
import { type NewMedia, SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { assertFields, assertShape, filePart, pluck, useSimulator } from "../../../support/simulator";

const PATH = "/messaging/media";
const UNKNOWN = "51a51a51-0000-4000-8000-00000000ffff";
const MEBIBYTE = 1_048_576;

describe("simulator: media", () => {
  let now = 1_000_000;
  const sim = useSimulator({ clock: { now: () => now }, maxUpload: 2 * MEBIBYTE, mediaBytes: 3000 });
  const uploaded = async (content: string) => (await sim.upload(filePart(content))).value.mediaId as string;
  const statusOf = async (mediaId: string, token?: string) => (await sim.download(mediaId, token)).httpStatus;

  it("have a sample", async () => {
    const answer = await sim.download(SAMPLE_MEDIA_ID);
    assertFields(answer, { httpStatus: 200, type: "image/png" });
    assert.ok(answer.body.startsWith("\x89PNG\r\n\x1a\n"));
    assertFields(answer.headers, {
      "content-disposition": 'attachment; filename="sample.png"',
      "content-length": String(answer.body.length),
    });
    assert.equal((await sim.download(SAMPLE_MEDIA_ID.toUpperCase())).body, answer.body);
  });

  it("go up and come down again", async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    const contentType = "application/octet-stream";
    const answer = await sim.upload(filePart(bytes, "K\xc3\xbcche.bin", "file", contentType));
    assertShape(answer.value, { mediaId: /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/ });
    const { mediaId } = answer.value;
    assert.equal(answer.httpStatus, 201);
    const back = await sim.download(mediaId);
    assertFields(back, { body: bytes, type: contentType });
    const disposition = `attachment; filename="K_che.bin"; filename*=UTF-8''K%C3%BCche.bin`;
    assert.equal(back.headers["content-disposition"], disposition);
    const sha256 = createHash("sha256").update(bytes, "latin1").digest("hex");
    const file = { fileName: "Küche.bin", contentType, size: 256, sha256 };
    assert.deepEqual(sim.main.media[1], { mediaId, ...file });
    const [, upload, , download] = sim.main.requests;
    assertFields(upload, { operation: "media-upload", fields: { file }, rawBody: "" });
    assertFields(download, { operation: "media-download", fields: { mediaId } });
    assert.equal(sim.main.messages.length, 0);
  });

  const fileNames: Record<string, string> = {
    'a"b\\c.txt': 'attachment; filename="a\\"b\\\\c.txt"',
    "it's (1)*€.txt": `attachment; filename="it's (1)*_.txt"; filename*=UTF-8''it%27s%20%281%29%2A%E2%82%AC.txt`,
    "🙂": `attachment; filename="_"; filename*=UTF-8''%F0%9F%99%82`,
  };
  for (const [fileName, header] of Object.entries(fileNames)) {
    it(`name the file ${fileName}`, async () => {
      const mediaId = sim.main.addMedia({ content: "x", contentType: "text/plain", fileName });
      assert.equal((await sim.download(mediaId)).headers["content-disposition"], header);
    });
  }

  it("are not found: 404 and 4034 for an unknown one, 400 for what is no uuid", async () => {
    const value = { statusCode: 4034, statusMessage: "Invalid media: mediaId: is not known" };
    assertFields(await sim.download(UNKNOWN), { httpStatus: 404, value });
    assertFields(await sim.download("sample.png"), { httpStatus: 400, code: 4034 });
    const authorization = await sim.bearer("media:read");
    assert.equal((await sim.get(PATH, { authorization })).httpStatus, 405);
    assert.equal(await statusOf(""), 404);
    assert.equal(await statusOf(`${SAMPLE_MEDIA_ID}/x`), 404);
  });

  it("take nothing from the query", async () => {
    for (const query of ["x=1", `mediaId=${SAMPLE_MEDIA_ID}`]) {
      assert.equal(await statusOf(`${SAMPLE_MEDIA_ID}?${query}`), 400);
    }
  });

  describe("refuse with", () => {
    it("401 who has no valid token, 403 who has another scope", async () => {
      const reader = await sim.bearer("media:read+messaging:whatsapp");
      const creator = await sim.bearer("media:create+messaging:whatsapp");
      assertFields(await sim.parts(PATH, [filePart("x")], reader), {
        httpStatus: 403,
        value: { statusMessage: "scope media:create is missing" },
      });
      assert.equal(await statusOf(SAMPLE_MEDIA_ID, creator), 403);
      now += 300_000;
      assert.equal((await sim.parts(PATH, [filePart("x")], creator)).httpStatus, 401);
      assert.equal(await statusOf(SAMPLE_MEDIA_ID, reader), 401);
      const { challenge } = await sim.download(SAMPLE_MEDIA_ID, "Bearer x");
      assert.equal(challenge, 'Bearer error="invalid_token"');
      assert.equal(sim.main.media.length, 1);
    });

    const text = (name: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\nx`;
    const cases: readonly (readonly [string, string[]])[] = [
      ["400 and 4034 no file", []],
      ["400 and 4034 a text in its place", [text("file")]],
      ["400 and 4034 an empty file", [filePart("")]],
      ["400 another name", [filePart("x", "a", "media")]],
      ["400 something beside the file", [filePart("x"), text("note")]],
      ["400 two files", [filePart("x"), filePart("x")]],
      ["400 what is no part", ["x"]],
      ["413 a file that is too large", [filePart("x".repeat(2 * MEBIBYTE + 1))]],
    ];
    for (const [name, parts] of cases) {
      it(name, async () => {
        const answer = await sim.upload(...parts);
        const bare = !name.includes("4034");
        assertFields(answer, {
          httpStatus: Number(name.slice(0, 3)),
          ...(bare ? { reason: /./ } : { code: 4034 }),
        });
        assert.equal(sim.main.media.length, 1);
      });
    }

    it("a log that has nothing of the files", async () => {
      await sim.upload(filePart("x".repeat(MEBIBYTE)), filePart("y"));
      assertFields(sim.main.requests[1], { operation: "media-upload", fields: {}, rawBody: "" });
    });

    it("413 a body far above the limit, but not before all of it has been sent", async () => {
      const outgoing = httpRequest(sim.url + PATH, {
        method: "POST",
        agent: false,
        headers: {
          authorization: await sim.bearer("media:create"),
          "content-type": "multipart/form-data; boundary=x",
        },
      });
      const answered = once(outgoing, "response");
      // More than any buffer in between: when it is written, the simulator has read beyond its limit.
      const write = (bytes: Buffer, done: (error?: Error | null) => void) => outgoing.write(bytes, done);
      await promisify(write)(Buffer.alloc(32 * MEBIBYTE));
      outgoing.end("x");
      const [incoming] = await answered;
      assert.equal(incoming.statusCode, 413);
      incoming.resume();
      assertFields(sim.main.requests[1], { operation: "media-upload", httpStatus: 413, fields: {} });
    });

    it("415 what is not multipart, 406 who takes no JSON", async () => {
      const authorization = await sim.bearer("media:create");
      assert.equal((await sim.json(PATH, {}, authorization)).httpStatus, 415);
      const type = "multipart/form-data; boundary=x-y";
      const headers = { authorization, "content-type": type, accept: "image/*" };
      assert.equal((await sim.request(PATH, { headers, body: "--x-y--" })).httpStatus, 406);
    });
  });

  it("keep so many bytes, the newest always, and the sample", async () => {
    const first = await uploaded("x".repeat(1500));
    const second = await uploaded("y".repeat(1500));
    assert.equal(await statusOf(first), 200);
    const third = await uploaded("z");
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
    const large = await uploaded("x".repeat(2 * MEBIBYTE));
    assert.deepEqual(pluck(sim.main.media, "mediaId"), [SAMPLE_MEDIA_ID, large]);
    assert.equal(await statusOf(third), 404);
    assert.equal((await sim.download(large)).body, "x".repeat(2 * MEBIBYTE));
  });

  it("weigh nothing when they are made up, but are counted", () => {
    const made = { size: 100 * MEBIBYTE, contentType: "video/mp4", fileName: "a.mp4" };
    for (let count = 0; count < 10_001; count += 1) sim.main.addMedia(made);
    assert.equal(sim.main.media.length, 10_001);
  });

  it("are forgotten with a reset, and one account's own", async () => {
    const mediaId = await uploaded("x");
    sim.account("other");
    assert.equal((await sim.at("other").download(mediaId)).httpStatus, 404);
    sim.main.reset();
    assert.equal(await statusOf(mediaId), 404);
  });

  it("fail on request, kept or not", async () => {
    const faults: readonly (readonly [operation: string, answer: object])[] = [
      ["media-upload", { statusCode: 5003 }],
      ["media-upload", { connection: "drop-after-accept" }],
      ["media-upload", { connection: "reset-before-accept" }],
      ["media-upload", { statusCode: 2000, delayMs: 1 }],
      ["media-download", { statusCode: 4034 }],
      ["media-download", { httpStatus: 502, body: "<p>" }],
    ];
    for (const [operation, answer] of faults) sim.main.addFault({ operation, answer } as never);
    assertFields(await sim.upload(filePart("x")), { httpStatus: 503, code: 5003 });
    assert.equal(sim.main.media.length, 1);
    for (let count = 0; count < 2; count += 1) {
      await assert.rejects(uploaded("x"), { code: "ECONNRESET" });
      assert.equal(sim.main.media.length, 2);
    }
    assert.ok(await uploaded("x"));
    assert.equal(await statusOf(SAMPLE_MEDIA_ID), 404);
    assert.equal((await sim.download(SAMPLE_MEDIA_ID)).body, "<p>");
  });

  it("are added by hand, as a copy", async () => {
    const content = Buffer.from("abc");
    const mediaId = sim.main.addMedia({ content, contentType: "text/plain", fileName: "a" });
    content.fill(0);
    assert.equal((await sim.download(mediaId)).body, "abc");
  });

  const described = { contentType: "text/plain", fileName: "a" };
  const good = { ...described, content: "x" };
  const wrong: Record<string, unknown> = {
    "no object": "x",
    "neither content nor size": described,
    "both content and size": { ...good, size: 1 },
    "content that is none": { ...good, content: 7 },
    "half a byte": { ...described, size: 0.5 },
    "fewer than no bytes": { ...described, size: -1 },
    "a type that is none": { ...good, contentType: "text" },
    "a type in two lines": { ...good, contentType: "text/plain\r\nx: y" },
    "no file name": { contentType: "text/plain", content: "x" },
    "a file name in two lines": { ...good, fileName: "a\nb" },
    "another field": { ...good, mediaId: UNKNOWN },
  };
  for (const [name, media] of Object.entries(wrong))
    it(`are not added with ${name}`, () =>
      assert.throws(() => sim.main.addMedia(media as NewMedia), TypeError));

  it("are sent in a WhatsApp message without a session window", async () => {
    const mediaId = await uploaded("x");
    for (const id of [mediaId, mediaId.toUpperCase()]) {
      const answer = await sim.send("whatsapp-media", { recipient: "+41790000000", mediaId: id });
      assertFields(answer, { httpStatus: 201, code: 2000 });
      assert.equal(sim.main.messages.at(-1)?.content, "");
    }
  });
});
