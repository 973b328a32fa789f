import assert from "node:assert/strict";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { assertFields, pluck, useSimulator } from "../../../support/simulator";
const NOW = 1_000_000;

describe("simulator: controls of what an account has", () => {
  const sim = useSimulator({ clock: { now: () => NOW } });
  const shown = async (path: string) => (await sim.control("GET", path)).value;
  /** Asserts that the control adds this, and answers with `result`. */
  const adds = async (path: string, content: unknown, result: () => unknown) => {
    const { httpStatus, value } = await sim.control("POST", path, content);
    assert.deepEqual([httpStatus, value], [201, result()]);
  };

  it("open, show and close sessions", async () => {
    const session = { recipient: "41790000000", openUntil: NOW + 86_400_000 };
    await adds("sessions", { recipient: "+41790000000" }, () => session);
    assert.deepEqual(await shown("sessions"), [session]);
    assert.deepEqual(sim.main.sessions, [session]);
    assert.equal((await sim.control("DELETE", "sessions")).httpStatus, 200);
    assert.deepEqual(await shown("sessions"), []);
  });

  it("add and show media: bytes, text, or so many of them", async () => {
    const file = { contentType: "text/plain", fileName: "a" };
    for (const content of [{ base64: "/+8=" }, { content: "ü" }, { size: 5 }]) {
      await adds("media", { ...file, ...content }, () => ({ mediaId: sim.main.media.at(-1)?.mediaId }));
    }
    assert.deepEqual(await shown("media"), sim.main.media);
    assert.deepEqual(pluck(sim.main.media, "size"), [130, 2, 2, 5]);
    const [sample, ...ids] = pluck(sim.main.media, "mediaId");
    assert.equal(sample, SAMPLE_MEDIA_ID);
    const files = await Promise.all(ids.map((mediaId) => sim.download(mediaId)));
    assert.deepEqual(pluck(files, "body"), ["\xff\xef", "\xc3\xbc", "\x00\x01\x02\x03\x04"]);
  });

  const media = { contentType: "a/b", fileName: "a" };
  const wrong: readonly (readonly [name: string, path: string, value: unknown, error: RegExp])[] = [
    ["a session of nobody", "sessions", {}, /recipient/],
    ["a session of a word", "sessions", { recipient: "shop" }, /recipient: must be an international number/],
    ["a session with more", "sessions", { recipient: "41790000000", hours: 1 }, /unknown field hours/],
    ["a template without text", "templates", { templateName: "a", templateLocale: "de" }, /text/],
    ["an application that is no uuid", "applications", { applicationId: "shop" }, /must be a UUID/],
    ["media without content", "media", media, /either content or size/],
    ["media both ways", "media", { ...media, base64: "", size: 1 }, /unknown field size/],
    ["broken base64", "media", { ...media, base64: "?" }, /base64/],
    ["what is no object", "media", null, /must be an object/],
  ];
  for (const [name, path, value, error] of wrong) {
    it(`refuse ${name}`, async () => {
      const answer = await sim.control("POST", path, value);
      assert.equal(answer.httpStatus, 400);
      assertFields(answer.value, { error });
    });
  }
});
