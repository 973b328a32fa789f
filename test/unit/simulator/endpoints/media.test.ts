import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { assertFields, assertShape, filePart, useSimulator } from "../../../support/simulator";

const PATH = "/messaging/media";
const UNKNOWN = "51a51a51-0000-4000-8000-00000000ffff";
const MEBIBYTE = 1_048_576;

describe("simulator: media", () => {
  let now = 1_000_000;
  const sim = useSimulator({ clock: { now: () => now }, maxUpload: 2 * MEBIBYTE });
  const statusOf = async (mediaId: string, token?: string) => (await sim.download(mediaId, token)).httpStatus;

  it("round-trip through upload and download", async () => {
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
  it("answer 404 and 4034 for an unknown file, and 400 for an invalid uuid", async () => {
    const value = { statusCode: 4034, statusMessage: "Invalid media: mediaId: is not known" };
    assertFields(await sim.download(UNKNOWN), { httpStatus: 404, value });
    assertFields(await sim.download("sample.png"), { httpStatus: 400, code: 4034 });
    const authorization = await sim.bearer("media:read");
    assert.equal((await sim.get(PATH, { authorization })).httpStatus, 405);
    assert.equal(await statusOf(""), 404);
    assert.equal(await statusOf(`${SAMPLE_MEDIA_ID}/x`), 404);
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

    it("415 what is not multipart, 406 who takes no JSON", async () => {
      const authorization = await sim.bearer("media:create");
      assert.equal((await sim.json(PATH, {}, authorization)).httpStatus, 415);
      const type = "multipart/form-data; boundary=x-y";
      const headers = { authorization, "content-type": type, accept: "image/*" };
      assert.equal((await sim.request(PATH, { headers, body: "--x-y--" })).httpStatus, 406);
    });
  });
});
