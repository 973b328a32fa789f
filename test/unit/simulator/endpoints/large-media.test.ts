import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { assertFields, filePart, useSimulator } from "../../../support/simulator";

const MEBIBYTE = 1_048_576;
const SIZE = 100 * MEBIBYTE;
const made = { size: SIZE, contentType: "video/mp4", fileName: "large.mp4" };

describe("simulator: large media", () => {
  const sim = useSimulator();

  async function open(mediaId: string): Promise<[ClientRequest, IncomingMessage]> {
    const headers = { authorization: await sim.bearer("media:read") };
    const outgoing = httpRequest(`${sim.url}/messaging/media/${mediaId}`, { agent: false, headers }).end();
    const [incoming] = await once(outgoing, "response");
    return [outgoing, incoming];
  }

  it("are streamed, 100 MiB with little memory", async () => {
    const mediaId = sim.main.addMedia(made);
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
    assert.equal(sim.main.media[1]?.sha256, null);
  });

  it("survive a caller that leaves in the middle", async () => {
    const [outgoing, incoming] = await open(sim.main.addMedia(made));
    await once(incoming, "readable");
    outgoing.destroy();
    assert.equal((await sim.download(SAMPLE_MEDIA_ID)).httpStatus, 200);
  });

  it("are cut off in the middle on request", async () => {
    const mediaId = sim.main.addMedia(made);
    sim.main.addFault({ operation: "media-download", answer: { connection: "cut-body" } });
    const [, incoming] = await open(mediaId);
    let length = 0;
    const read = async () => {
      for await (const chunk of incoming as AsyncIterable<Buffer>) length += chunk.length;
    };
    await assert.rejects(read(), { code: "ECONNRESET" });
    assert.equal(incoming.headers["content-length"], String(SIZE));
    assert.equal(length, MEBIBYTE);
  });

  it("of no bytes are fine too", async () => {
    const mediaId = sim.main.addMedia({ ...made, size: 0 });
    assertFields(await sim.download(mediaId), { httpStatus: 200, body: "" });
  });

  it("go up to 100 MiB unless told otherwise", async () => {
    assert.equal((await sim.upload(filePart("x".repeat(SIZE)))).httpStatus, 201);
    assert.equal(sim.main.media[1]?.size, SIZE);
    assert.equal((await sim.upload(filePart("x".repeat(SIZE + 1)))).httpStatus, 413);
  });
});
