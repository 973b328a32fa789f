import assert from "node:assert/strict";
import type { SimulatedAccount } from "../../../../simulator/index";
import { BoundedLog } from "../../../../simulator/util/bounded-log";
import { ByteBudget } from "../../../../simulator/util/byte-budget";
import { assertFields, pluck, until, useSimulators } from "../../../support/simulator";
import { filePart, FORM, LEGACY_BASIC, SMS_FORM, SMS_JSON } from "../../../support/simulator/service-client";
import { answering, useWebhookServer } from "../../../support/simulator/webhook-server";

const MEBIBYTE = 1_048_576;
/** A body that is read whole where anybody wants it. */
const BIG = `messageContent=${"x".repeat(MEBIBYTE - 100)}`;
const GOOD = `recipientAddressList=41790000000&${BIG}`;

describe("simulator: what all accounts keep together", () => {
  const start = useSimulators();
  const webhook = useWebhookServer();
  /** Characters of bodies and parameters in the logs. */
  const kept = (accounts: readonly SimulatedAccount[]) =>
    JSON.stringify(pluck(accounts, "requests", "messages")).length;

  it("is nothing of the bodies of refused requests", async () => {
    const sim = await start({ recordBytes: 64 * MEBIBYTE });
    const authorization = LEGACY_BASIC;
    const form = { authorization, "content-type": FORM };
    const json = { authorization, "content-type": "application/json", accept: "*/*" };
    const refusals: readonly (readonly [string, Record<string, string>, string])[] = [
      [SMS_FORM, { ...form, authorization: "Basic wrong" }, GOOD],
      [SMS_FORM, { "content-type": FORM }, GOOD],
      [SMS_FORM, { ...form, "content-type": "text/plain" }, GOOD],
      [SMS_FORM, form, BIG],
      [SMS_FORM, form, `${GOOD}&odd=1`],
      [SMS_JSON, json, "x".repeat(MEBIBYTE)],
      [SMS_JSON, json, JSON.stringify({ odd: "x".repeat(MEBIBYTE - 100) })],
      ["/messaging/media", { authorization: "Bearer wrong", "content-type": "multipart/form-data" }, GOOD],
      ["/nowhere", form, GOOD],
      [SMS_FORM, { origin: "https://evil.example", authorization }, GOOD],
      [SMS_FORM, { host: "evil.example", authorization }, GOOD],
      [`/account/nobody${SMS_FORM}`, { authorization }, GOOD],
      ["/_sim/faults", { "x-simulator-token": "wrong" }, GOOD],
    ];
    for (const [path, headers, body] of refusals) {
      const before = sim.recordedBytes();
      const { httpStatus } = await sim.request(path, { headers, body });
      assert.ok(httpStatus >= 200 && httpStatus < 500, path);
      assert.ok(sim.recordedBytes() - before < 5000, `${path} ${JSON.stringify(headers)}`);
    }
    assert.equal(sim.main.messageCount, 0);
    assert.ok(kept([sim.main]) < 20_000, `${kept([sim.main])}`);
  });

  it("stays small after hundreds of refused requests of 1 MiB, to as many accounts", async () => {
    const sim = await start({ recordBytes: 64 * MEBIBYTE });
    const ids = Array.from({ length: 10 }, (_, index) => `a${index}`);
    const accounts = ids.map((id) => sim.account(id));
    for (let round = 0; round < 30; round += 1) {
      await Promise.all(ids.map((id) => sim.at(id).form(GOOD, { authorization: "Basic wrong" })));
    }
    assert.deepEqual(pluck(accounts, "requestCount"), Array(10).fill(30));
    assert.ok(sim.recordedBytes() < MEBIBYTE, `${sim.recordedBytes()}`);
    assert.ok(kept([sim.main, ...accounts]) < MEBIBYTE, `${kept([sim.main, ...accounts])}`);
  });

  it("has one limit over logs, media and attachments of all accounts", async () => {
    const most = 8 * MEBIBYTE;
    const sim = await start({ recordBytes: most });
    const withinLimit = () => assert.ok(sim.recordedBytes() <= most);
    const ids = ["a", "b", "c", "d"];
    const accounts = ids.map((id) => sim.account(id));
    for (const id of ids) {
      for (let count = 0; count < 3; count += 1) {
        assert.equal((await sim.at(id).form(GOOD)).code, 2000);
        withinLimit();
        assert.equal((await sim.at(id).upload(filePart("x".repeat(MEBIBYTE)))).httpStatus, 201);
        withinLimit();
        sim.account(id).deliver("inbound", { content: "x".repeat(MEBIBYTE) });
        withinLimit();
      }
    }
    assert.ok(kept([sim.main, ...accounts]) < most, `${kept([sim.main, ...accounts])}`);
    for (const account of accounts) account.reset();
    assert.equal(sim.recordedBytes(), 0);
  });

  it("has the same limit for what is on its way to webhooks, and frees it again", async () => {
    const sim = await start({ recordBytes: 4 * MEBIBYTE });
    const payload = "x".repeat(MEBIBYTE);
    webhook.answer = () => {};
    const [first, second] = [sim.account("a"), sim.account("b")];
    for (const account of [first, second]) {
      account.registerWebhook({ kind: "inbound", url: webhook.url() });
      for (let count = 0; count < 3; count += 1) account.deliver("inbound", payload);
    }
    assert.deepEqual([first.pendingDeliveries, second.pendingDeliveries], [3, 0]);
    assert.deepEqual(pluck(second.deliveries, "dropped", "events"), [["too-many-pending", 3]]);
    // Forgotten ones, and those that were acknowledged, make room.
    first.reset();
    second.deliver("inbound", payload);
    assert.equal(second.pendingDeliveries, 1);
    second.reset();
    webhook.answer = answering(200, '{"statusCode":2000}');
    for (let count = 0; count < 10; count += 1) {
      const [id] = second.deliver("inbound", payload);
      await until(() => second.deliveries.find((each) => each.id === id)?.state === "acknowledged");
    }
  });

  it("gives up the oldest of the largest log, and never the entry that has just come", () => {
    const budget = new ByteBudget(10);
    const log = () => new BoundedLog<number>({ entries: 100, bytes: 100 }, (entry) => entry, budget);
    const [quiet, busy] = [log(), log()];
    const keep = (used: number, ofQuiet: number[], ofBusy: number[]) => {
      assertFields(budget, { used });
      assert.deepEqual([quiet.entries, busy.entries], [ofQuiet, ofBusy]);
    };
    quiet.add(2);
    for (const entry of [3, 3, 3, 3]) busy.add(entry);
    keep(8, [2], [3, 3]);
    quiet.add(50);
    keep(50, [50], []);
    busy.add(1);
    keep(1, [], [1]);
  });
});
