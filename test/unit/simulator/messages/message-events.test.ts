import assert from "node:assert/strict";
import { CREDENTIALS } from "../../../../simulator/sign-in/credentials";
import { SAMPLE_MEDIA_ID, startSimulator } from "../../../../simulator/index";
import { bearer, LEGACY_BASIC, postJson, sendForm, until } from "../raw-request";
import { VirtualClock } from "../virtual-clock";
import { useWebhookServer, WebhookServer } from "../webhooks/webhook-server";
import { useSimulator } from "../use-simulator";

const { applicationId } = CREDENTIALS;
const WHEN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;

describe("simulator: events after a message", () => {
  const simulator = useSimulator({ queuedAbove: 5 });
  const status = useWebhookServer();
  const inbound = useWebhookServer();
  let whatsapp: string;
  let rcs: string;

  beforeEach(async () => {
    simulator.main.registerWebhook({ kind: "status", url: status.url() });
    simulator.main.registerWebhook({ kind: "inbound", url: inbound.url() });
    whatsapp = await bearer(simulator.url, "messaging:whatsapp");
    rcs = await bearer(simulator.url, "messaging:rcs");
  });

  const settled = () => until(() => simulator.main.pendingDeliveries === 0);
  const sms = async (fields: string, recipients = "41790000000") => {
    const answer = await sendForm(
      simulator.url,
      `recipientAddressList=${recipients}&messageContent=Hello&${fields}`,
    );
    await settled();
    return answer;
  };
  const text = async (recipient: string, more = {}) => {
    simulator.main.openSession(recipient);
    const body = { applicationId, recipient, content: "Hello", ...more };
    const answer = await postJson(`${simulator.url}/messaging/whatsapp/send_text`, body, whatsapp);
    assert.equal(answer.httpStatus, 201, answer.body);
    await settled();
    return JSON.parse(answer.body);
  };
  const template = async (recipient: string) => {
    const body = { applicationId, recipient, templateName: "welcome", templateLocale: "de" };
    const answer = await postJson(`${simulator.url}/messaging/whatsapp/send_template`, body, whatsapp);
    assert.equal(answer.httpStatus, 201, answer.body);
    await settled();
  };
  const rcsMessage = async (recipient: string, RCSMessage: object) => {
    const rcsPayload = { RCSMessage, messageContact: { userContact: `+${recipient}` } };
    const answer = await postJson(
      `${simulator.url}/messaging/rcs/send`,
      { applicationId, recipient, rcsPayload },
      rcs,
    );
    assert.equal(answer.httpStatus, 201, answer.body);
    await settled();
  };
  const statuses = () =>
    status.events.map((event) => event.messageStatus ?? event.deliveryReportMessageStatus);

  it("tell that a WhatsApp text was delivered", async () => {
    const { transferId } = await text("41790000000", { clientMessageId: "order-7" });
    const [event, ...others] = status.events;
    assert.deepEqual(others, []);
    const { deliveredOn, ...rest } = event!;
    assert.deepEqual(rest, {
      applicationId,
      sender: "+41790000000",
      transferId,
      messageStatus: "delivered",
      clientMessageId: "order-7",
    });
    assert.match(String(deliveredOn), WHEN);
    assert.ok(Math.abs(Date.parse(String(deliveredOn)) - Date.now()) < 60_000);
    const [delivery] = simulator.main.deliveries;
    assert.deepEqual(
      [delivery?.event, delivery?.transferId, delivery?.clientMessageId],
      ["status", transferId, "order-7"],
    );
  });

  it("leave out a clientMessageId that the send had not, and name its application", async () => {
    const another = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
    simulator.main.addApplication(another);
    await text("+41790000000", { applicationId: another });
    assert.equal("clientMessageId" in status.events[0]!, false);
    assert.deepEqual([status.events[0]?.sender, status.events[0]?.applicationId], ["+41790000000", another]);
  });

  it("tell of media, templates, RCS and each recipient of a broadcast", async () => {
    const media = { applicationId, recipient: "41790000001", mediaId: SAMPLE_MEDIA_ID };
    await postJson(`${simulator.url}/messaging/whatsapp/send_media`, media, whatsapp);
    await template("41790000002");
    await rcsMessage("41790000003", { textMessage: "Hello" });
    const list = { recipientAddressList: ["41790000004", "+41790000005"], messageContent: "Hello" };
    await postJson(`${simulator.url}/converged/whatsapp`, list, LEGACY_BASIC);
    await settled();
    assert.deepEqual(status.events.map(({ sender }) => sender).sort(), [
      "+41790000001",
      "+41790000002",
      "+41790000003",
      "+41790000004",
      "+41790000005",
    ]);
    assert.ok(status.events.every((event) => event.applicationId === applicationId));
    const ids = new Set(status.events.map(({ transferId }) => transferId));
    assert.deepEqual([...ids].sort(), simulator.main.messages.map(({ transferId }) => transferId).sort());
  });

  it("are a report for each recipient of an SMS", async () => {
    await sms("clientMessageId=order-8", "%2B41790000001,41790000002");
    const reports = status.events;
    assert.deepEqual(reports.map(({ senderAddress }) => senderAddress).sort(), [
      "41790000001",
      "41790000002",
    ]);
    assert.equal(new Set(reports.map(({ notificationId }) => notificationId)).size, 2);
    for (const report of reports) {
      const { notificationId, senderAddress: _phone, sentOn, deliveredOn, ...rest } = report;
      assert.match(String(notificationId), /^\d{20}$/);
      assert.match(String(sentOn), WHEN);
      assert.match(String(deliveredOn), WHEN);
      assert.deepEqual(rest, {
        messageType: "deliveryReport",
        transferId: simulator.main.messages[0]?.transferId,
        deliveryReportMessageStatus: "delivered",
        deliveredAs: "sms",
        clientMessageId: "order-8",
      });
    }
  });

  it("say how a voice message was delivered", async () => {
    await sms("messageType=voice");
    assert.equal(status.events[0]?.deliveredAs, "voice");
  });

  it("go to the send's own address, and to nobody else", async () => {
    const own = await WebhookServer.start();
    try {
      await sms(
        `notificationCallbackUrl=${encodeURIComponent(own.url("/own?secret=s3cret"))}`,
        "41790000001,41790000002",
      );
      assert.deepEqual([own.calls.length, status.calls.length], [2, 0]);
      assert.equal(own.calls[0]?.path, "/own?secret=s3cret");
      assert.match(String(simulator.main.deliveries[0]?.webhook), /\/own\?secret=\*\*\*$/);
      assert.equal(simulator.main.webhooks.length, 2);
      await until(() => own.openConnections === 0);
    } finally {
      await own.close();
    }
  });

  it("use the headers of a webhook that is the send's own address", async () => {
    const headers = { "x-own": "1" };
    const own = simulator.main.registerWebhook({ kind: "status", url: status.url("/own"), headers });
    await sms(`notificationCallbackUrl=${encodeURIComponent(status.url("/own"))}`);
    own.unregister();
    assert.deepEqual(
      status.calls.map(({ path, headers }) => [path, headers["x-own"]]),
      [["/own", "1"]],
    );
  });

  it("leave the machine only where that is wanted", async () => {
    const address = `notificationCallbackUrl=${encodeURIComponent("http://reports.invalid/x")}`;
    await sms(address, "41790000001,41790000002");
    const { webhook, state, dropped, events, tries } = simulator.main.deliveries[0]!;
    assert.deepEqual(
      [webhook, state, dropped, events, tries],
      ["http://reports.invalid/x", "dropped", "callback-not-allowed", 2, 0],
    );
    const far = await startSimulator({ webhooks: { remoteCallbacks: true } });
    await sendForm(far.url, `recipientAddressList=41790000000&messageContent=x&${address}`);
    await until(() => far.main.deliveries[0]?.attempts[0]?.problem === "connection");
    await far.close();
  });

  it("leave the machine for a host that is named, and for none that only looks like it or like this machine", async () => {
    const far = await startSimulator({ webhooks: { callbackHosts: ["Reports.invalid"] } });
    const report = async (url: string) => {
      const address = `notificationCallbackUrl=${encodeURIComponent(url)}`;
      await sendForm(far.url, `recipientAddressList=41790000000&messageContent=x&${address}`);
      const found = () => far.main.deliveries[far.main.messageCount - 1];
      await until(() => found()?.state === "dropped" || found()?.tries === 1);
      return found()?.dropped ?? found()?.attempts[0]?.problem;
    };
    try {
      assert.equal(await report("http://reports.invalid:8080/x"), "connection");
      for (const url of [
        "http://other.invalid/x",
        "http://a.reports.invalid/x",
        "http://reports.invalid.evil.invalid/x",
        "http://reports.invalid@evil.invalid/x",
        "http://127.0.0.1@evil.invalid/x",
        "http://127.0.0.1.evil.invalid/x",
        "http://localhost.evil.invalid/x",
        "http://localhost./x",
        "http://0.0.0.0/x",
        "http://[::ffff:127.0.0.1]/x",
      ]) {
        assert.equal(await report(url), "callback-not-allowed", url);
      }
    } finally {
      await far.close();
    }
  });

  it("do not come after tests and refusals", async () => {
    await sms("test=true");
    await sms("priority=99");
    await sms("", "999004031");
    await sms("", "99901503");
    simulator.main.addFault({ answer: { connection: "reset-before-accept" } });
    await assert.rejects(sms(""));
    await settled();
    assert.deepEqual([simulator.main.deliveryCount, status.calls.length], [0, 0]);
  });

  it("come although the answer to the send was lost", async () => {
    await assert.rejects(sms("", "999020001"));
    await assert.rejects(sms("", "999020003"));
    simulator.main.addFault({ answer: { statusCode: 5000, accept: true } });
    await sms("");
    await settled();
    assert.deepEqual(statuses(), Array(3).fill("delivered"));
  });

  it("are one entry in the log for a list that nobody wants to hear of", async () => {
    const own = simulator.account("own");
    await sendForm(own.url, "recipientAddressList=41790000001,999030004,999030104&messageContent=x");
    await until(() => own.pendingDeliveries === 0);
    assert.deepEqual(
      own.deliveries.map(({ state, dropped, events }) => [state, dropped, events]),
      [["dropped", "nobody-registered", 3]],
    );
  });

  const messenger: Record<string, string[]> = {
    "999030001": ["delivered", "read"],
    "999030002": ["failed"],
    "999030003": ["sent", "delivered", "read"],
    "999030004": [],
    "999030101": ["delivered"],
    "999030005": ["delivered"],
  };
  for (const [recipient, expected] of Object.entries(messenger)) {
    it(`${recipient} reports [${expected.join(", ")}] of a WhatsApp message, in this order`, async () => {
      await text(recipient);
      assert.deepEqual(statuses(), expected);
      for (const event of status.events) {
        assert.equal("deliveredOn" in event, ["delivered", "read"].includes(String(event.messageStatus)));
      }
    });
  }

  const reports: Record<string, string[]> = {
    "999030101": ["expired"],
    "999030102": ["deleted"],
    "999030103": ["rejected"],
    "999030104": ["undelivered", "delivered"],
    "999030105": ["accepted", "delivered"],
    "999030004": [],
    "999030001": ["delivered"],
  };
  for (const [recipient, expected] of Object.entries(reports)) {
    it(`${recipient} reports [${expected.join(", ")}] of an SMS, in this order`, async () => {
      assert.match((await sms("", recipient)).body, /^statusCode=2000/);
      assert.deepEqual(statuses(), expected);
      for (const event of status.events) {
        const delivered = event.deliveryReportMessageStatus === "delivered";
        assert.deepEqual(["deliveredOn" in event, "deliveredAs" in event], [delivered, delivered]);
      }
    });
  }

  it("follow a plan, before scripted statuses, until it is used up", async () => {
    simulator.main.planStatuses({ statuses: ["sent", "odd one"], times: 2 });
    simulator.main.planStatuses({ statuses: [] });
    await sms("", "999030101");
    await text("41790000000");
    await sms("");
    assert.deepEqual(simulator.main.statusPlan, []);
    await sms("");
    assert.deepEqual(statuses(), ["sent", "odd one", "sent", "odd one", "delivered"]);
  });

  it("follow a plan for ever, and not after a reset", async () => {
    simulator.main.planStatuses({ statuses: ["failed"], times: 0 });
    for (let count = 0; count < 3; count += 1) await sms("");
    assert.deepEqual(statuses(), ["failed", "failed", "failed"]);
    assert.deepEqual(simulator.main.statusPlan, [{ statuses: ["failed"], delayMs: 0, left: null }]);
    simulator.main.reset();
    await sms("");
    assert.equal(statuses()[3], "delivered");
  });

  it("come so much later, and count as pending until then", async () => {
    const clock = new VirtualClock();
    const slow = await startSimulator({ clock });
    slow.main.registerWebhook({ kind: "status", url: status.url() });
    slow.main.planStatuses({ statuses: ["sent", "delivered"], delayMs: 700 });
    await sendForm(slow.url, "recipientAddressList=41790000000&messageContent=x");
    await until(() => clock.timers === 1);
    assert.deepEqual([slow.main.pendingDeliveries, status.calls.length], [1, 0]);
    assert.equal(clock.next(), 700);
    await until(() => status.calls.length === 1 && clock.timers === 1);
    assert.equal(slow.main.pendingDeliveries, 1);
    slow.main.reset();
    assert.deepEqual([slow.main.pendingDeliveries, clock.timers], [0, 0]);
    await slow.close();
    assert.deepEqual(statuses(), ["sent"]);
  });

  it("end with a reset, even by whoever is told of the first", async () => {
    const told: string[] = [];
    const own = await startSimulator({
      onDelivery: ({ state }, account) => {
        told.push(state);
        account.reset();
      },
    });
    own.main.registerWebhook({ kind: "status", url: status.url() });
    await sendForm(own.url, "recipientAddressList=999030104&messageContent=x");
    await until(() => told.length > 0);
    assert.deepEqual(
      [own.main.pendingDeliveries, own.main.deliveryCount, statuses()],
      [0, 0, ["undelivered"]],
    );
    await own.close();
  });

  for (const wrong of [
    null,
    {},
    { statuses: "sent" },
    { statuses: [""] },
    { statuses: [1] },
    { statuses: ["a"], times: -1 },
    { statuses: ["a"], delayMs: 0.5 },
    { statuses: ["a"], more: 1 },
  ]) {
    it(`don't take ${JSON.stringify(wrong)} for a plan`, () => {
      assert.throws(() => simulator.main.planStatuses(wrong as never), TypeError);
    });
  }

  describe("scripted recipients", () => {
    it("999560001 says yes to a template, after its status, and can then be sent text", async () => {
      const body = { applicationId, recipient: "999560001", content: "Hello" };
      const early = await postJson(`${simulator.url}/messaging/whatsapp/send_text`, body, whatsapp);
      assert.equal(JSON.parse(early.body).statusCode, 4400);
      await template("999560001");
      assert.deepEqual(inbound.events, [
        {
          type: "whatsapp",
          applicationId,
          sender: "+999560001",
          user: { displayName: "Scripted recipient" },
          recipient: "+999570000001",
          content: "Yes, please",
        },
      ]);
      assert.deepEqual(
        simulator.main.deliveries.map(({ event }) => event),
        ["status", "inbound"],
      );
      assert.equal(
        (await postJson(`${simulator.url}/messaging/whatsapp/send_text`, body, whatsapp)).httpStatus,
        201,
      );
      await settled();
      // An answer to the text would go round in circles with a flow that answers everything.
      assert.equal(inbound.calls.length, 1);
    });

    it("999560002 sends a picture that can be downloaded", async () => {
      await template("+999560002");
      const { mediaId } = inbound.events[0]!;
      assert.notEqual(mediaId, SAMPLE_MEDIA_ID);
      const answer = await fetch(`${simulator.url}/messaging/media/${mediaId}`, {
        headers: { authorization: await bearer(simulator.url, "media:read") },
      });
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"]);
      assert.equal(Buffer.from(await answer.arrayBuffer()).toString("latin1", 1, 4), "PNG");
    });

    it("999560003 says the same twice, in two events with equal bodies", async () => {
      await template("999560003");
      const [one, other, ...more] = inbound.calls.map(({ body }) => body);
      assert.deepEqual([one, more], [other, []]);
    });

    it("999560004 says STOP", async () => {
      await template("999560004");
      assert.deepEqual(
        inbound.events.map(({ content }) => content),
        ["STOP"],
      );
    });

    it("999560005 answers an SMS, if it asks something", async () => {
      const ask = (content: string) =>
        sendForm(simulator.url, `recipientAddressList=999560005,41790000000&messageContent=${content}`);
      await ask("Hello");
      await ask("Coming%3F");
      await settled();
      const [{ notificationId, ...answer } = {}, ...more] = inbound.events;
      assert.match(String(notificationId), /^\d{20}$/);
      assert.deepEqual(more, []);
      assert.deepEqual(answer, {
        messageType: "text",
        messageFlashSms: false,
        senderAddress: "999560005",
        senderAddressType: "international",
        recipientAddress: "999570000001",
        recipientAddressType: "international",
        textMessageContent: "Yes",
      });
    });

    it("999560006 taps the first reply of an RCS message", async () => {
      const reply = (displayText: string) => ({ reply: { displayText, postback: { data: displayText } } });
      await rcsMessage("999560006", { textMessage: "Hello" });
      await rcsMessage("999560006", {
        textMessage: "Coming?",
        suggestedChipList: { suggestions: [reply("Sure"), reply("No")] },
      });
      assert.deepEqual(
        inbound.events.map(({ type, sender, content }) => [type, sender, content]),
        [["rcs", "+999560006", "Sure"]],
      );
      assert.deepEqual(simulator.main.sessions, []);
    });

    it("answer although nobody hears of statuses", async () => {
      const own = simulator.account("deaf");
      own.registerWebhook({ kind: "inbound", url: inbound.url() });
      const body = { applicationId, recipient: "999560004", templateName: "welcome", templateLocale: "de" };
      await postJson(
        `${own.url}/messaging/whatsapp/send_template`,
        body,
        await bearer(own.url, "messaging:whatsapp"),
      );
      await until(() => own.pendingDeliveries === 0);
      assert.equal(inbound.calls.length, 1);
    });
  });
});
