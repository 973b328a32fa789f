import assert from "node:assert/strict";
import { BoundedLog } from "../../../../simulator/util/bounded-log";
import { startSimulator } from "../../../../simulator/index";
import { bearer, filePart, postJson, postParts, sendForm } from "../raw-request";

describe("simulator: logs", () => {
  it("keep the newest entries and count them all", () => {
    const log = new BoundedLog<number>({ entries: 3, bytes: 1000 }, () => 1);
    for (let entry = 1; entry <= 10; entry += 1) log.add(entry);
    assert.deepEqual(log.entries, [8, 9, 10]);
    assert.equal(log.total, 10);
    log.clear();
    assert.deepEqual([log.entries.length, log.total], [0, 0]);
  });

  it("keep no more than so many bytes, but always the newest entry", () => {
    const log = new BoundedLog<number>({ entries: 100, bytes: 10 }, (entry) => entry);
    for (const entry of [4, 5, 6, 3]) log.add(entry);
    assert.deepEqual(log.entries, [6, 3]);
    log.add(50);
    assert.deepEqual(log.entries, [50]);
    log.add(1);
    assert.deepEqual(log.entries, [1]);
  });

  it("are bounded in each account", async () => {
    const simulator = await startSimulator({ logEntries: 2 });
    for (const id of ["1", "2", "3"]) {
      const body = `recipientAddressList=41790000000&messageContent=x&clientMessageId=${id}`;
      await sendForm(simulator.url, body);
    }
    const { main } = simulator;
    assert.deepEqual(
      main.messages.map(({ clientMessageId }) => clientMessageId),
      ["2", "3"],
    );
    assert.deepEqual(
      main.requests.map(({ id }) => id),
      [2, 3],
    );
    assert.deepEqual([main.messageCount, main.requestCount], [3, 3]);
    await simulator.close();
  });

  it("count what a request weighs", async () => {
    const simulator = await startSimulator({ logBytes: 100_000 });
    const body = `recipientAddressList=41790000000&messageContent=${"x".repeat(30_000)}`;
    for (let count = 0; count < 4; count += 1) await sendForm(simulator.url, body);
    assert.deepEqual([simulator.main.requests.length, simulator.main.messages.length], [1, 1]);
    await simulator.close();
  });

  it("count what an RCS message weighs, and never the bytes of an upload", async () => {
    const simulator = await startSimulator({ logBytes: 100_000 });
    const { main, url, credentials } = simulator;
    const authorization = await bearer(url, "messaging:rcs+media:create");
    const style = Array.from({ length: 10 }, () => "x".repeat(3000));
    const card = { layout: { cardOrientation: "VERTICAL", titleFontStyle: style }, content: { title: "x" } };
    const rcsPayload = {
      RCSMessage: { richcardMessage: { message: { generalPurposeCard: card } } },
      messageContact: { userContact: "+41790000000" },
    };
    for (let count = 0; count < 3; count += 1) {
      const value = { applicationId: credentials.applicationId, recipient: "+41790000000", rcsPayload };
      await postJson(`${url}/messaging/rcs/send`, value, authorization);
    }
    assert.deepEqual([main.messages.length, main.messageCount, main.requests.length], [1, 3, 1]);
    for (let count = 0; count < 20; count += 1) {
      await postParts(`${url}/messaging/media`, [filePart("x".repeat(1_000_000))], authorization);
    }
    assert.equal(main.requests.length, 20);
    await simulator.close();
  });
});
