import assert from "node:assert/strict";
import { BoundedLog } from "../../../../simulator/util/bounded-log";
import { assertFields, filePart, pluck, SENDERS, useSimulators } from "../../../support/simulator";

describe("simulator: logs", () => {
  const start = useSimulators();

  it("keep the newest entries and count them all", () => {
    const log = new BoundedLog<number>({ entries: 3, bytes: 1000 }, () => 1);
    for (let entry = 1; entry <= 10; entry += 1) log.add(entry);
    assertFields(log, { entries: [8, 9, 10], total: 10 });
    log.clear();
    assertFields(log, { entries: [], total: 0 });
  });

  it("keep no more than so many bytes, but always the newest entry", () => {
    const log = new BoundedLog<number>({ entries: 100, bytes: 10 }, (entry) => entry);
    for (const entry of [4, 5, 6, 3]) log.add(entry);
    assert.deepEqual(log.entries, [6, 3]);
    for (const entry of [50, 1]) {
      log.add(entry);
      assert.deepEqual(log.entries, [entry]);
    }
  });

  it("are bounded in each account", async () => {
    const sim = await start({ logEntries: 2 });
    for (const clientMessageId of ["1", "2", "3"]) await sim.sms(undefined, { clientMessageId });
    assert.deepEqual(pluck(sim.main.messages, "clientMessageId"), ["2", "3"]);
    assert.deepEqual(pluck(sim.main.requests, "id"), [2, 3]);
    assertFields(sim.main, { messageCount: 3, requestCount: 3 });
  });

  it("count what a request weighs", async () => {
    const sim = await start({ logBytes: 100_000 });
    for (let count = 0; count < 4; count += 1) {
      await sim.sms(undefined, { messageContent: "x".repeat(30_000) });
    }
    assert.deepEqual([sim.main.requests.length, sim.main.messages.length], [1, 1]);
  });

  it("count what an RCS message weighs, and never the bytes of an upload", async () => {
    const sim = await start({ logBytes: 100_000 });
    const authorization = await sim.bearer("messaging:rcs+media:create");
    const titleFontStyle = Array.from({ length: 10 }, () => "x".repeat(3000));
    const card = { layout: { cardOrientation: "VERTICAL", titleFontStyle }, content: { title: "x" } };
    const RCSMessage = { richcardMessage: { message: { generalPurposeCard: card } } };
    const { good, path } = SENDERS.rcs;
    const value = { ...good, rcsPayload: { ...good.rcsPayload, RCSMessage } };
    for (let count = 0; count < 3; count += 1) await sim.json(path, value, authorization);
    const { messages, messageCount, requests } = sim.main;
    assert.deepEqual([messages.length, messageCount, requests.length], [1, 3, 1]);
    const file = filePart("x".repeat(1_000_000));
    for (let count = 0; count < 20; count += 1) await sim.parts("/messaging/media", [file], authorization);
    assert.equal(sim.main.requests.length, 20);
  });
});
