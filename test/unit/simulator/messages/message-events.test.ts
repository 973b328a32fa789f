import assert from "node:assert/strict";
import type { SimulatedAccount } from "../../../../simulator/index";
import { APPLICATION_ID as applicationId } from "../../../../simulator/sign-in/credentials";
import { assertFields, assertShape, pluck, until } from "../../../support/simulator";
import { useWebhookServer } from "../../../support/simulator/webhook-server";
import { useSimulator, useSimulators } from "../../../support/simulator/use-simulator";

const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;
const TWO = "41790000001,41790000002";

describe("simulator: events after a message", () => {
  const sim = useSimulator({ queuedAbove: 5 });
  const start = useSimulators();
  const status = useWebhookServer();
  const own = useWebhookServer();

  const reportTo = (account: SimulatedAccount) =>
    account.registerWebhook({ kind: "status", url: status.url() });
  beforeEach(() => reportTo(sim.main));

  const sms = async (to?: string, fields = {}) => {
    const answer = await sim.sms(to, fields);
    await sim.settled();
    return answer;
  };
  const text = async (recipient: string, fields = {}) => {
    sim.main.openSession(recipient);
    const answer = await sim.send("whatsapp-text", { recipient, ...fields });
    await sim.settled();
    return answer.value;
  };
  const statuses = () =>
    status.events.map((event) => event.messageStatus ?? event.deliveryReportMessageStatus);

  it("report the delivery of a WhatsApp text", async () => {
    const clientMessageId = "order-7";
    const { transferId } = await text("41790000000", { clientMessageId });
    const [sender, messageStatus] = ["+41790000000", "delivered"];
    const event = { applicationId, sender, transferId, messageStatus, clientMessageId };
    assertShape(status.events, [{ ...event, deliveredOn: WHEN }]);
    assert.ok(Math.abs(Date.parse(String(status.events[0]?.deliveredOn)) - Date.now()) < 60_000);
    assertFields(sim.main.deliveries[0], { event: "status", transferId, clientMessageId });
  });

  it("contain a report for each recipient of an SMS", async () => {
    await sms("+41790000001,41790000002", { clientMessageId: "order-8" });
    assert.deepEqual(pluck(status.events, "senderAddress").sort(), TWO.split(","));
    assert.equal(new Set(pluck(status.events, "notificationId")).size, 2);
    const report = {
      messageType: "deliveryReport",
      notificationId: /^\d{20}$/,
      senderAddress: /./,
      transferId: sim.main.messages[0]?.transferId,
      sentOn: WHEN,
      deliveryReportMessageStatus: "delivered",
      deliveredOn: WHEN,
      deliveredAs: "sms",
      clientMessageId: "order-8",
    };
    assertShape(status.events, [report, report]);
  });

  it("go only to the callback address of the send", async () => {
    await sms(TWO, { notificationCallbackUrl: own.url("/own?secret=s3cret") });
    assert.deepEqual([pluck(own.calls, "path"), status.calls], [Array(2).fill("/own?secret=s3cret"), []]);
    assert.match(String(sim.main.deliveries[0]?.webhook), /\/own\?secret=\*\*\*$/);
    assert.equal(sim.main.webhooks.length, 1);
    await until(() => own.openConnections === 0);
  });

  it("leave the machine for a host that is named, and for none that only looks like it or like this machine", async () => {
    const far = await start({ webhooks: { callbackHosts: ["Reports.invalid"] } });
    const report = async (host: string) => {
      await far.sms(undefined, { notificationCallbackUrl: `http://${host}/x` });
      const found = () => far.main.deliveries[far.main.messageCount - 1];
      await until(() => found()?.state === "dropped" || found()?.tries === 1);
      return found()?.dropped ?? found()?.attempts[0]?.problem;
    };
    assert.equal(await report("reports.invalid:8080"), "connection");
    for (const host of [
      ...["other.invalid", "a.reports.invalid", "reports.invalid.evil.invalid", "localhost.", "0.0.0.0"],
      ...["reports.invalid@evil.invalid", "127.0.0.1@evil.invalid", "127.0.0.1.evil.invalid"],
      ...["localhost.evil.invalid", "[::ffff:127.0.0.1]"],
    ]) {
      assert.equal(await report(host), "callback-not-allowed", host);
    }
  });

  it("follow no test and no refusal", async () => {
    await sms(undefined, { test: true });
    await sms(undefined, { priority: 99 });
    await sms("999004031");
    await sms("99901503");
    sim.main.addFault({ answer: { connection: "reset-before-accept" } });
    await assert.rejects(sms());
    await sim.settled();
    assert.deepEqual([sim.main.deliveryCount, status.calls.length], [0, 0]);
  });

  it("follow a send whose response was lost", async () => {
    await assert.rejects(sms("999020001"));
    await assert.rejects(sms("999020003"));
    sim.main.addFault({ answer: { statusCode: 5000, accept: true } });
    await sms();
    assert.deepEqual(statuses(), Array(3).fill("delivered"));
  });

  const scripted: readonly (readonly [channel: string, recipient: string, expected: string[]])[] = [
    ["a WhatsApp message", "999030001", ["delivered", "read"]],
    ["a WhatsApp message", "999030002", ["failed"]],
    ["a WhatsApp message", "999030003", ["sent", "delivered", "read"]],
    ["a WhatsApp message", "999030004", []],
    ["a WhatsApp message", "999030101", ["delivered"]],
    ["a WhatsApp message", "999030005", ["delivered"]],
    ["an SMS", "999030101", ["expired"]],
    ["an SMS", "999030102", ["deleted"]],
    ["an SMS", "999030103", ["rejected"]],
    ["an SMS", "999030104", ["undelivered", "delivered"]],
    ["an SMS", "999030105", ["accepted", "delivered"]],
    ["an SMS", "999030004", []],
    ["an SMS", "999030001", ["delivered"]],
  ];
  for (const [channel, recipient, expected] of scripted) {
    it(`${recipient} reports [${expected.join(", ")}] of ${channel}, in this order`, async () => {
      const sent = channel === "an SMS" ? (await sms(recipient)).value : await text(recipient);
      assert.equal(sent.statusCode, 2000);
      assert.deepEqual(statuses(), expected);
      for (const event of status.events) {
        const delivered = ["delivered", "read"].includes(
          String(event.messageStatus ?? event.deliveryReportMessageStatus),
        );
        assert.equal("deliveredOn" in event, delivered);
        assert.equal("deliveredAs" in event, delivered && channel === "an SMS");
      }
    });
  }

  it("follow a plan, before scripted statuses, until it is used up", async () => {
    sim.main.planStatuses({ statuses: ["sent", "odd one"], times: 2 });
    sim.main.planStatuses({ statuses: [] });
    await sms("999030101");
    await text("41790000000");
    await sms();
    assert.deepEqual(sim.main.statusPlan, []);
    await sms();
    assert.deepEqual(statuses(), ["sent", "odd one", "sent", "odd one", "delivered"]);
  });
});
