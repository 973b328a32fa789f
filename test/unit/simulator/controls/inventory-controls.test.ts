import assert from "node:assert/strict";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { bearer, filePart, LEGACY_BASIC, postParts, rawRequest, sendControl } from "../raw-request";
import { useSimulator } from "../use-simulator";

const APPLICATION = "51a51a51-0000-4000-8000-00000000000b";
const NOW = 1_000_000;

describe("simulator: controls of what an account has", () => {
  const simulator = useSimulator({ clock: { now: () => NOW } });

  const control = async (method: string, path: string, content?: unknown) => {
    const { httpStatus, value } = await sendControl(simulator, method, path, content);
    return { httpStatus, value };
  };

  it("open, show and close sessions", async () => {
    const session = { recipient: "41790000000", openUntil: NOW + 86_400_000 };
    assert.deepEqual(await control("POST", "sessions", { recipient: "+41790000000" }), {
      httpStatus: 201,
      value: session,
    });
    assert.deepEqual((await control("GET", "sessions")).value, [session]);
    assert.deepEqual(simulator.main.sessions, [session]);
    assert.equal((await control("DELETE", "sessions")).httpStatus, 200);
    assert.deepEqual((await control("GET", "sessions")).value, []);
  });

  it("add and show templates", async () => {
    const template = { templateName: "bye", templateLocale: "de", text: "Tschüss {{1}}" };
    assert.deepEqual(await control("POST", "templates", template), { httpStatus: 201, value: template });
    assert.deepEqual((await control("GET", "templates")).value, simulator.main.templates);
    assert.deepEqual(simulator.main.templates.at(-1), template);
  });

  it("add and show applications", async () => {
    const added = await control("POST", "applications", { applicationId: APPLICATION.toUpperCase() });
    assert.deepEqual(added, { httpStatus: 201, value: { applicationId: APPLICATION } });
    assert.deepEqual((await control("GET", "applications")).value, [
      simulator.credentials.applicationId,
      APPLICATION,
    ]);
    simulator.main.reset();
    assert.equal(simulator.main.applications.length, 1);
  });

  it("add and show media: bytes, text, or so many of them", async () => {
    const file = { contentType: "text/plain", fileName: "a" };
    const contents = [{ base64: "/+8=" }, { content: "ü" }, { size: 5 }];
    for (const content of contents) {
      const { httpStatus, value } = await control("POST", "media", { ...file, ...content });
      assert.deepEqual([httpStatus, value], [201, { mediaId: simulator.main.media.at(-1)?.mediaId }]);
    }
    const { value } = await control("GET", "media");
    assert.deepEqual(value, simulator.main.media);
    assert.deepEqual(
      value.map(({ size }: { size: number }) => size),
      [130, 2, 2, 5],
    );
    const headers = { authorization: await bearer(simulator.url, "media:read") };
    const path = `${simulator.url}/messaging/media`;
    const bodies = value.slice(1).map(async ({ mediaId }: { mediaId: string }) => {
      return (await rawRequest(`${path}/${mediaId}`, { method: "GET", headers })).body;
    });
    assert.deepEqual(await Promise.all(bodies), ["\xff\xef", "\xc3\xbc", "\x00\x01\x02\x03\x04"]);
    assert.equal(value[0]?.mediaId, SAMPLE_MEDIA_ID);
  });

  it("show attachments", async () => {
    await postParts(`${simulator.url}/whatsapp/attachment`, [filePart("x")], LEGACY_BASIC);
    const { value } = await control("GET", "attachments");
    assert.deepEqual(value, simulator.main.attachments);
    assert.equal(value.length, 1);
  });

  const wrong: Record<string, [string, unknown, RegExp]> = {
    "a session of nobody": ["sessions", {}, /recipient/],
    "a session of a word": ["sessions", { recipient: "shop" }, /recipient: must be an international number/],
    "a session with more": ["sessions", { recipient: "41790000000", hours: 1 }, /unknown field hours/],
    "a template without text": ["templates", { templateName: "a", templateLocale: "de" }, /text/],
    "an application that is no uuid": ["applications", { applicationId: "shop" }, /must be a UUID/],
    "media without content": ["media", { contentType: "a/b", fileName: "a" }, /either content or size/],
    "media both ways": [
      "media",
      { contentType: "a/b", fileName: "a", base64: "", size: 1 },
      /unknown field size/,
    ],
    "broken base64": ["media", { contentType: "a/b", fileName: "a", base64: "?" }, /base64/],
    "what is no object": ["media", null, /must be an object/],
  };
  for (const [name, [path, value, message]] of Object.entries(wrong)) {
    it(`refuse ${name}`, async () => {
      const answer = await control("POST", path, value);
      assert.equal(answer.httpStatus, 400);
      assert.match(answer.value.error, message);
    });
  }

  it("belong to one account", async () => {
    await control("POST", "sessions", { recipient: "+41790000000" });
    assert.deepEqual(simulator.account("other").sessions, []);
  });
});
