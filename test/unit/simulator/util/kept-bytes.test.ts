import assert from "node:assert/strict";
import { ByteBudget } from "../../../../simulator/util/byte-budget";
import { BoundedLog } from "../../../../simulator/util/bounded-log";
import { type Simulator, startSimulator } from "../../../../simulator/index";
import { bearer, filePart, FORM, LEGACY_BASIC, postParts, rawRequest, sendForm, until } from "../raw-request";
import { answering, WebhookServer } from "../webhooks/webhook-server";

const MEBIBYTE = 1_048_576;
/** A body that is read whole where anybody wants it. */
const BIG = `messageContent=${"x".repeat(MEBIBYTE - 100)}`;
const GOOD = `recipientAddressList=41790000000&${BIG}`;

describe("simulator: what all accounts keep together", () => {
  let simulator: Simulator;
  const start = async (recordBytes: number) => {
    simulator = await startSimulator({ recordBytes });
  };
  afterEach(() => simulator.close());
  /** Characters of bodies and parameters in the logs. */
  const kept = (ids: readonly string[]) =>
    JSON.stringify(
      [simulator.main, ...ids.map((id) => simulator.account(id))].map(({ requests, messages }) => [
        requests,
        messages,
      ]),
    ).length;

  it("is nothing of the bodies of refused requests", async () => {
    await start(64 * MEBIBYTE);
    const json = { authorization: LEGACY_BASIC, "content-type": "application/json", accept: "*/*" };
    const refusals: readonly (readonly [string, Record<string, string>, string])[] = [
      ["/rest/smsmessaging/simple", { authorization: "Basic wrong", "content-type": FORM }, GOOD],
      ["/rest/smsmessaging/simple", { "content-type": FORM }, GOOD],
      ["/rest/smsmessaging/simple", { authorization: LEGACY_BASIC, "content-type": "text/plain" }, GOOD],
      ["/rest/smsmessaging/simple", { authorization: LEGACY_BASIC, "content-type": FORM }, BIG],
      ["/rest/smsmessaging/simple", { authorization: LEGACY_BASIC, "content-type": FORM }, `${GOOD}&odd=1`],
      ["/rest/smsmessaging/text", json, "x".repeat(MEBIBYTE)],
      ["/rest/smsmessaging/text", json, JSON.stringify({ odd: "x".repeat(MEBIBYTE - 100) })],
      ["/messaging/media", { authorization: "Bearer wrong", "content-type": "multipart/form-data" }, GOOD],
      ["/nowhere", { authorization: LEGACY_BASIC, "content-type": FORM }, GOOD],
      ["/rest/smsmessaging/simple", { origin: "https://evil.example", authorization: LEGACY_BASIC }, GOOD],
      ["/rest/smsmessaging/simple", { host: "evil.example", authorization: LEGACY_BASIC }, GOOD],
      ["/account/nobody/rest/smsmessaging/simple", { authorization: LEGACY_BASIC }, GOOD],
      ["/_sim/faults", { "x-simulator-token": "wrong" }, GOOD],
    ];
    for (const [path, headers, body] of refusals) {
      const before = simulator.recordedBytes();
      const { httpStatus } = await rawRequest(simulator.url + path, { headers, body });
      assert.ok(httpStatus >= 200 && httpStatus < 500, path);
      assert.ok(simulator.recordedBytes() - before < 5000, `${path} ${JSON.stringify(headers)}`);
    }
    assert.equal(simulator.main.messageCount, 0);
    assert.ok(kept([]) < 20_000, `${kept([])}`);
  });

  it("stays small after hundreds of refused requests of 1 MiB, to as many accounts", async () => {
    await start(64 * MEBIBYTE);
    const ids = Array.from({ length: 10 }, (_, index) => `a${index}`);
    for (const id of ids) simulator.account(id);
    for (let round = 0; round < 30; round += 1) {
      const headers = { authorization: "Basic wrong", "content-type": FORM };
      await Promise.all(
        ids.map((id) =>
          rawRequest(`${simulator.url}/account/${id}/rest/smsmessaging/simple`, { headers, body: GOOD }),
        ),
      );
    }
    assert.equal(
      ids.reduce((sum, id) => sum + simulator.account(id).requestCount, 0),
      300,
    );
    assert.ok(simulator.recordedBytes() < MEBIBYTE, `${simulator.recordedBytes()}`);
    assert.ok(kept(ids) < MEBIBYTE, `${kept(ids)}`);
  });

  it("has one limit over logs, media and attachments of all accounts", async () => {
    const most = 8 * MEBIBYTE;
    await start(most);
    const ids = ["a", "b", "c", "d"];
    for (const id of ids) {
      const { url } = simulator.account(id);
      const authorization = await bearer(url, "media:create");
      for (let count = 0; count < 3; count += 1) {
        assert.match((await sendForm(url, GOOD)).body, /^statusCode=2000&/);
        assert.ok(simulator.recordedBytes() <= most);
        const media = await postParts(
          `${url}/messaging/media`,
          [filePart("x".repeat(MEBIBYTE))],
          authorization,
        );
        assert.equal(media.httpStatus, 201);
        assert.ok(simulator.recordedBytes() <= most);
        simulator.account(id).deliver("inbound", { content: "x".repeat(MEBIBYTE) });
        assert.ok(simulator.recordedBytes() <= most);
      }
    }
    assert.ok(kept(ids) < most, `${kept(ids)}`);
    for (const id of ids) simulator.account(id).reset();
    assert.equal(simulator.recordedBytes(), 0);
  });

  it("has the same limit for what is on its way to webhooks, and frees it again", async () => {
    await start(4 * MEBIBYTE);
    const webhook = await WebhookServer.start();
    webhook.answer = () => {};
    const accounts = ["a", "b"].map((id) => simulator.account(id));
    for (const account of accounts) {
      account.registerWebhook({ kind: "inbound", url: webhook.url() });
      for (let count = 0; count < 3; count += 1) account.deliver("inbound", "x".repeat(MEBIBYTE));
    }
    assert.deepEqual(
      accounts.map(({ pendingDeliveries }) => pendingDeliveries),
      [3, 0],
    );
    assert.deepEqual(
      accounts[1]!.deliveries.map(({ dropped, events }) => [dropped, events]),
      [["too-many-pending", 3]],
    );
    // Forgotten ones, and those that were acknowledged, make room.
    accounts[0]!.reset();
    accounts[1]!.deliver("inbound", "x".repeat(MEBIBYTE));
    assert.equal(accounts[1]!.pendingDeliveries, 1);
    accounts[1]!.reset();
    webhook.answer = answering(200, '{"statusCode":2000}');
    for (let count = 0; count < 10; count += 1) {
      const [id] = accounts[1]!.deliver("inbound", "x".repeat(MEBIBYTE));
      await until(() => accounts[1]!.deliveries.find((each) => each.id === id)?.state === "acknowledged");
    }
    await webhook.close();
  });

  it("gives up the oldest of the largest log, and never the entry that has just come", async () => {
    await start(MEBIBYTE);
    const budget = new ByteBudget(10);
    const log = () => new BoundedLog<number>({ entries: 100, bytes: 100 }, (entry) => entry, budget);
    const [quiet, busy] = [log(), log()];
    quiet.add(2);
    for (const entry of [3, 3, 3, 3]) busy.add(entry);
    assert.deepEqual([quiet.entries, busy.entries, budget.used], [[2], [3, 3], 8]);
    quiet.add(50);
    assert.deepEqual([quiet.entries, busy.entries, budget.used], [[50], [], 50]);
    busy.add(1);
    assert.deepEqual([quiet.entries, busy.entries, budget.used], [[], [1], 1]);
  });
});
