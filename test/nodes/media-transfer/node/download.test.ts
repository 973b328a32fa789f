import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import type { FileFacts } from "../../../../lib/runtime/channels/send-result";
import { type FaultAnswer, SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { hurry } from "../../../support/hurry";
import { type Config, resultOf, stopFlow, type TestFlow } from "../../../node/flow";
import { useSimulator } from "../../../node/use-simulator";
import { bytes, hinderWrites, newFolder, one, openFilesIn, startMedia } from "./media-flow";

type Downloaded = NodeMessage & { payload: unknown; contentType?: string; filename?: string };

describe("media-transfer: download", () => {
  let restore: () => void = () => {};
  let folder = newFolder();
  let normal = (): void => {};
  before(() => {
    normal = hurry(20);
  });
  after(() => normal());
  // Before the hook of the simulator: the node writes until it stops.
  afterEach(async () => {
    restore();
    restore = () => {};
    await stopFlow();
    folder.remove();
  });
  const simulator = useSimulator();
  beforeEach(() => {
    folder = newFolder();
  });

  const start = (sender: Config = {}, account: Config = {}) =>
    startMedia(simulator, { kind: "download", ...sender }, account);
  const toFile = (more: Config = {}): Config => ({ to: "file", folder: folder.path, ...more });
  const add = (content: Buffer, fileName = "a.png", contentType = "image/png"): string =>
    simulator.main.addMedia({ content, fileName, contentType });
  const fetched = (flow: TestFlow, mediaId: string): Promise<Downloaded> =>
    one(flow, { payload: { mediaId, sender: "+41790000001" } }) as Promise<Downloaded>;
  const files = (): string[] => readdirSync(folder.path).sort();

  it("puts the file into the payload, with type and name", async () => {
    const content = bytes(200_000);
    const mediaId = add(content, "été 1.png");
    const msg = await fetched(await start(), mediaId);
    assert.deepEqual(msg.payload, content);
    assert.deepEqual([msg.contentType, msg.filename], ["image/png", "été 1.png"]);
    const { outcome, operation, clientMessageId, file, mediaId: id, attempts } = resultOf(msg);
    assert.deepEqual([outcome, operation, clientMessageId, attempts], ["sent", "media-download", null, 1]);
    assert.deepEqual([id, file], [mediaId, { name: "été 1.png", type: "image/png", size: 200_000 }]);
    const { statusCode, statusName, statusMessage, httpStatus, source } = resultOf(msg);
    assert.deepEqual([statusCode, statusName, httpStatus, source], [null, "OK", 200, "service"]);
    assert.equal(statusMessage, "The file was transferred.");
  });

  it("saves the file, reports its path, and leaves the payload unchanged", async () => {
    const content = bytes(3_000_000);
    const mediaId = add(content, "Ünï €.png");
    const msg = await fetched(await start(toFile()), mediaId);
    const path = join(folder.path, "Ünï €.png");
    assert.deepEqual(files(), ["Ünï €.png"]);
    assert.ok(readFileSync(path).equals(content));
    assert.deepEqual(msg.payload, { mediaId, sender: "+41790000001" });
    assert.deepEqual([msg.contentType, msg.filename], ["image/png", path]);
    const { file } = resultOf(msg);
    assert.deepEqual(file, { name: "Ünï €.png", type: "image/png", size: 3_000_000, path });
    assert.deepEqual(openFilesIn(folder.path), []);
  });

  describe("of a message without a file", () => {
    const startWith = (ports: 4 | 5 | 6 | 7, sender: Config = {}): Promise<TestFlow> =>
      startMedia(simulator, { kind: "download", ...sender }, {}, [], ports);
    /** The port by which a message leaves, with what leaves there. */
    const portOf = async (flow: TestFlow, payload: unknown): Promise<[number, Downloaded]> => {
      const msg = (await one(flow, { payload })) as Downloaded;
      return [flow.ports.findIndex(({ messages }) => messages.includes(msg)), msg];
    };

    it("emits it unchanged at the last of five outputs, and the others as before", async () => {
      const flow = await startWith(5);
      for (const payload of ["Hello", undefined, { mediaId: "" }, { mediaId: null, text: "Hello" }]) {
        const [at, msg] = await portOf(flow, payload);
        assert.deepEqual([at, msg.payload, "result" in msg], [4, payload, false]);
      }
      assert.equal((await portOf(flow, { mediaId: add(bytes(10)) }))[0], 0);
      assert.equal((await portOf(flow, { mediaId: "no uuid" }))[0], 1);
      assert.equal(flow.caught.messages.length, 0);
      await flow.completed.until(6);
    });

    it("rejects it with the outputs of saved flows, and always where the id cannot be read", async () => {
      assert.equal((await portOf(await startWith(4), "Hello"))[0], 1);
      await stopFlow();
      const broken = { mediaId: '$error("broken")', mediaIdSource: "jsonata" };
      assert.equal((await portOf(await startWith(5, broken), "Hello"))[0], 1);
    });
  });

  it("keeps the file inside the folder, whatever its name in the message", async () => {
    const running = await start(toFile({ saveAs: "name", saveAsSource: "msg" }));
    for (const [name, saved] of [
      ["../../x.png", "x.png"],
      ["/etc/passwd", "passwd"],
      ["C:\\Windows\\..\\y.png", "y.png"],
      ["..z", "z"],
    ] as const) {
      running.send({ payload: { mediaId: SAMPLE_MEDIA_ID }, name });
      const msg = (await running.all.until(running.all.messages.length + 1)).at(-1) as Downloaded;
      assert.equal(msg.filename, join(folder.path, saved));
    }
    running.send({ payload: { mediaId: SAMPLE_MEDIA_ID }, name: "../.." });
    const refused = resultOf((await running.ports[1]!.until(1))[0]);
    assert.deepEqual([refused.outcome, refused.parameter], ["rejected", "saveAs"]);
  });

  for (const to of ["buffer", "file"] as const) {
    it(`keeps to the limit, to the byte (${to})`, async () => {
      const running = await start({ ...toFile(), to, limit: "0.5" });
      const inside = await fetched(running, add(bytes(524_288)));
      assert.equal(resultOf(inside).outcome, "sent");
      const outside = resultOf(await fetched(running, add(bytes(524_289), "b.png")));
      assert.deepEqual(
        [outside.outcome, outside.statusName, outside.attempts],
        ["rejected", "FILE_TOO_LARGE", 1],
      );
      assert.deepEqual(files(), to === "file" ? ["a.png"] : []);
    });
  }

  it("names the fault of an id: no UUID, unknown, missing", async () => {
    const running = await start();
    const bad = resultOf(await fetched(running, "7"));
    assert.deepEqual([bad.outcome, bad.parameter, bad.attempts], ["rejected", "mediaId", 0]);
    const unknown = resultOf(await fetched(running, "123e4567-e89b-12d3-a456-426614174000"));
    assert.deepEqual(
      [unknown.outcome, unknown.statusCode, unknown.httpStatus, unknown.attempts],
      ["rejected", 4034, 404, 1],
    );
    running.send({ payload: {} });
    const none = resultOf((await running.all.until(3))[2]);
    assert.deepEqual([none.outcome, none.statusName], ["rejected", "FIELD_UNRESOLVED"]);
  });

  it("fetches the file again after a failure, with the right content, once", async () => {
    const content = bytes(2_500_000);
    for (const answer of [
      { connection: "cut-body" },
      { connection: "drop-after-accept" },
      { httpStatus: 503 },
    ] as FaultAnswer[]) {
      const mediaId = add(content);
      simulator.main.addFault({ operation: "media-download", times: 2, answer });
      const msg = await fetched(await start(toFile({ existing: "overwrite" })), mediaId);
      const { outcome, attempts } = resultOf(msg);
      assert.deepEqual([outcome, attempts], ["sent", 3], JSON.stringify(answer));
      assert.deepEqual(files(), ["a.png"]);
      assert.ok(readFileSync(join(folder.path, "a.png")).equals(content));
      await stopFlow();
    }
  });

  it("never emits an incomplete file", async () => {
    const mediaId = add(bytes(2_000_000));
    simulator.main.addFault({ operation: "media-download", times: 0, answer: { connection: "cut-body" } });
    const saved = resultOf(await fetched(await start(toFile(), { attempts: 2 }), mediaId));
    assert.deepEqual([saved.outcome, saved.attempts, saved.file], ["retry-later", 2, undefined]);
    assert.deepEqual(files(), []);
    await stopFlow();
    const msg = await fetched(await start({}, { attempts: 1 }), mediaId);
    assert.deepEqual(msg.payload, { mediaId, sender: "+41790000001" });
    assert.equal(msg.filename, undefined);
  });

  describe("where a file of that name exists", () => {
    const taken = async (existing: string, mediaId = SAMPLE_MEDIA_ID): Promise<Downloaded> =>
      fetched(await start(toFile({ existing, saveAs: "a.b.png", saveAsSource: "str" })), mediaId);
    const old = (): string => readFileSync(join(folder.path, "a.b.png"), "utf8");
    const outside = (): string => `${folder.path}-outside`;

    it("numbers the new one", async () => {
      writeFileSync(join(folder.path, "a.b.png"), "old");
      mkdirSync(join(folder.path, "a.b (1).png"));
      symlinkSync(outside(), join(folder.path, "a.b (2).png"));
      const msg = await taken("number");
      assert.equal(msg.filename, join(folder.path, "a.b (3).png"));
      assert.deepEqual((resultOf(msg).file as FileFacts).name, "a.b (3).png");
      assert.deepEqual([old(), existsSync(outside())], ["old", false]);
      assert.equal(files().length, 4);
    });

    it("replaces the old one, or a link without following it", async () => {
      writeFileSync(outside(), "outside");
      symlinkSync(outside(), join(folder.path, "a.b.png"));
      const msg = await taken("overwrite");
      assert.equal(resultOf(msg).outcome, "sent");
      assert.equal(readFileSync(outside(), "utf8"), "outside");
      assert.ok(statSync(join(folder.path, "a.b.png")).size > 100);
      assert.throws(() => readlinkSync(join(folder.path, "a.b.png")));
      assert.deepEqual(files(), ["a.b.png"]);
    });

    it("keeps the old one", async () => {
      writeFileSync(join(folder.path, "a.b.png"), "old");
      const { outcome, statusName, attempts } = resultOf(await taken("refuse"));
      assert.deepEqual([outcome, statusName, attempts], ["rejected", "FILE_EXISTS", 1]);
      assert.deepEqual([files(), old()], [["a.b.png"], "old"]);
    });
  });

  describe("when the disk fails", () => {
    it("reports a full disk, and removes the partial file", async () => {
      let written = 0;
      restore = await hinderWrites((write) =>
        written++ < 5 ? write() : Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })),
      );
      const flow = await start(toFile());
      const { outcome, statusName, statusMessage, attempts } = resultOf(
        await fetched(flow, add(bytes(2_000_000))),
      );
      assert.deepEqual([outcome, statusName, attempts], ["denied", "FILE_UNWRITABLE", 1]);
      assert.match(statusMessage, /ENOSPC/);
      assert.deepEqual([files(), openFilesIn(folder.path)], [[], []]);
      // The worker is free again.
      restore();
      assert.equal(resultOf(await fetched(flow, SAMPLE_MEDIA_ID)).outcome, "sent");
    });
  });
});
