import assert from "node:assert/strict";
import { accountAt, type Config, resultOf, startFlow, stopFlow } from "../../../node/flow";
import { RULE_FIELDS } from "../../../../lib/shared/fields/rule-fields";
import { SMS_FIELDS } from "../../../../lib/shared/fields/sms-fields";
import { useSimulator } from "../../../node/use-simulator";

describe("sms-send: fields", () => {
  const simulator = useSimulator();

  const start = (sender: Config = {}) => startFlow({ ...accountAt(simulator), sender });

  /** Sends one message that must be refused on this side, and returns the result. */
  const refused = async (sender: Config, msg: Record<string, unknown>) => {
    const { send, all } = await start(sender);
    send(msg);
    const [left] = await all.until(1);
    assert.equal(simulator.main.requestCount, 0, "nothing may reach the service");
    const result = resultOf(left);
    assert.equal(result.outcome, "rejected");
    assert.equal(result.source, "local");
    assert.equal(result.statusCode, null);
    assert.equal(result.attempts, 0);
    return result;
  };

  for (const field of ["clientMessageId", "onceKey"]) {
    for (const [what, value] of [
      ["U+0000", "a\0"],
      ["half of a character", "a\ud800"],
      ["too many characters", "a".repeat(501)],
    ] as const) {
      it(`rejects a message when ${field} has ${what}`, async () => {
        const sender = { [field]: "id", [`${field}Source`]: "msg" };
        const { parameter } = await refused(sender, { to: "41790000001", payload: "Hi", id: value });
        assert.equal(parameter, field);
      });
    }
  }

  it("sends Latin-1 text by form, byte for byte", async () => {
    const { send, ports } = await start();
    send({ to: "+41 79 000 00 01", payload: "Grüße & 100%" });
    const result = resultOf((await ports[0]!.until(1))[0]);
    assert.equal(result.operation, "sms-form");
    const [request] = simulator.main.requests;
    assert.equal(request?.method, "POST");
    assert.equal(request?.path, "/rest/smsmessaging/simple");
    assert.match(String(request?.headers["content-type"]), /^application\/x-www-form-urlencoded$/);
    assert.equal(
      request?.rawBody,
      `recipientAddressList=41790000001&messageContent=Gr%FC%DFe+%26+100%25&clientMessageId=${result.clientMessageId}`,
    );
  });

  it("chooses JSON for text outside Latin-1, and never GET", async () => {
    const { send, ports } = await start();
    send({ to: "41790000001", payload: "5 € 👋" });
    assert.equal(resultOf((await ports[0]!.until(1))[0]).operation, "sms-json");
    const [request] = simulator.main.requests;
    assert.equal(request?.path, "/rest/smsmessaging/text");
    assert.equal(
      Buffer.from(request?.rawBody ?? "", "latin1")
        .toString("utf8")
        .includes('"5 € 👋"'),
      true,
    );
  });

  it("sends by GET only where the node is set to it", async () => {
    const { send, ports } = await start({ interface: "get" });
    send({ to: "41790000001", payload: "Grüße" });
    assert.equal(resultOf((await ports[0]!.until(1))[0]).operation, "sms-get");
    const [request] = simulator.main.requests;
    assert.equal(request?.method, "GET");
    assert.match(
      request?.path ?? "",
      /^\/rest\/smsmessaging\/simple\?recipientAddressList=41790000001&messageContent=Gr%FC%DFe&/,
    );
  });

  it("refuses text outside Latin-1 by form, with the character and its position", async () => {
    const result = await refused({ interface: "form" }, { to: "41790000001", payload: "Preis: 5 €" });
    assert.equal(result.statusName, "TEXT_NOT_LATIN1");
    assert.equal(result.parameter, "messageContent");
    assert.match(result.statusMessage, /'€' \(U\+20AC\) at position 10/);
  });

  it("sends every parameter of the endpoint, from literals", async () => {
    const { send, ports } = await start({
      recipientAddressList: "41790000001;41790000002",
      recipientAddressListSource: "str",
      messageContent: "Hi",
      messageContentSource: "str",
      messageType: "voice",
      messageTypeSource: "choice",
      sendAsFlashSms: "true",
      sendAsFlashSmsSource: "bool",
      senderAddress: "Shop",
      senderAddressSource: "str",
      senderAddressType: "alphanumeric",
      senderAddressTypeSource: "choice",
      clientMessageId: "order-7",
      clientMessageIdSource: "str",
      contentCategory: "informational",
      contentCategorySource: "choice",
      maxSmsPerMessage: "2",
      maxSmsPerMessageSource: "num",
      priority: "5",
      prioritySource: "num",
      validityPeriode: "3600",
      validityPeriodeSource: "num",
      notificationCallbackUrl: "https://example.com/reports",
      notificationCallbackUrlSource: "str",
      test: "true",
      testSource: "bool",
    });
    send({});
    await ports[0]!.until(1);
    const [message] = simulator.main.messages;
    const { fields } = simulator.main.requests[0]!;
    assert.deepEqual(message?.recipients, ["41790000001", "41790000002"]);
    assert.equal(message?.test, true);
    assert.deepEqual(
      Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "recipientAddressList")),
      {
        messageContent: "Hi",
        messageType: "voice",
        sendAsFlashSms: true,
        senderAddress: "Shop",
        senderAddressType: "alphanumeric",
        clientMessageId: "order-7",
        contentCategory: "informational",
        maxSmsPerMessage: 2,
        priority: 5,
        validityPeriode: 3600,
        notificationCallbackUrl: "https://example.com/reports",
        test: true,
      },
    );
  });

  it("reads msg, flow, global, env and JSONata", async () => {
    process.env.TEST_SENDER_ADDRESS = "Shop";
    try {
      const { send, ports, sender } = await start({
        recipientAddressList: "people[0].number",
        recipientAddressListSource: "msg",
        messageContent: "'Hello ' & name",
        messageContentSource: "jsonata",
        senderAddress: "TEST_SENDER_ADDRESS",
        senderAddressSource: "env",
        priority: "prio",
        prioritySource: "flow",
        validityPeriode: "valid",
        validityPeriodeSource: "global",
      });
      sender.context().flow.set("prio", "3");
      sender.context().global.set("valid", 120);
      send({ people: [{ number: 41790000001 }], name: "Ann" });
      await ports[0]!.until(1);
      const { fields } = simulator.main.requests[0]!;
      assert.equal(fields.messageContent, "Hello Ann");
      assert.equal(fields.senderAddress, "Shop");
      assert.equal(fields.priority, 3);
      assert.equal(fields.validityPeriode, 120);
    } finally {
      delete process.env.TEST_SENDER_ADDRESS;
    }
  });

  it("sends nothing when msg.test is neither true nor false", async () => {
    for (const value of [undefined, null, "", 1, "yes", "TRUE", {}]) {
      const msg = { to: "41790000001", payload: "x", test: value };
      const result = await refused({ test: "test", testSource: "msg" }, msg);
      assert.equal(result.parameter, "test", JSON.stringify(value));
      assert.match(result.statusName, /^FIELD_(UNRESOLVED|INVALID)$/);
      await stopFlow();
    }
  });

  it("sends a test for true and a real message for false, as values and as texts", async () => {
    const { send, ports } = await start({ test: "test", testSource: "msg" });
    const values = [true, false, "true", "false"];
    for (const [at, test] of values.entries()) {
      send({ to: "41790000001", payload: "x", test });
      await ports[0]!.until(at + 1);
    }
    assert.deepEqual(
      simulator.main.messages.map(({ test }) => test),
      [true, false, true, false],
    );
  });

  it("rejects a message when the source of a field yields nothing", async () => {
    for (const [source, value] of [
      ["msg", "a.b[3].c"],
      ["flow", "nothing"],
      ["global", "nothing"],
      ["env", "NO_SUCH_VARIABLE"],
      ["jsonata", "nothing.there"],
      ["jsonata", "$number('x')"],
    ] as const) {
      const sender = { senderAddress: value, senderAddressSource: source };
      const result = await refused(sender, { to: "41790000001", payload: "x" });
      assert.equal(result.statusName, "FIELD_UNRESOLVED", value);
      assert.equal(result.parameter, "senderAddress");
      await stopFlow();
    }
  });

  it("rejects a message when the source of an optional field holds an empty text", async () => {
    const optional = [...SMS_FIELDS, ...RULE_FIELDS].filter(
      ({ required, type }) => !required && type !== "boolean",
    );
    for (const { name } of optional) {
      const result = await refused(
        { [name]: "x", [`${name}Source`]: "msg" },
        { to: "41790000001", payload: "x", x: "" },
      );
      assert.deepEqual([result.statusName, result.parameter], ["FIELD_UNRESOLVED", name]);
      await stopFlow();
    }
  });

  it("rejects a value outside the limits of its field, and names the field and the limit", async () => {
    const sender = { validityPeriode: "59", validityPeriodeSource: "num" };
    const result = await refused(sender, { to: "41790000001", payload: "x" });
    assert.equal(result.statusName, "FIELD_INVALID");
    assert.match(result.statusMessage, /.*60 seconds.*59 \(validityPeriode\)/);
  });

  it("shows an invalid expression in badge and error", async () => {
    const { send, caught, sender } = await start({ senderAddress: "((", senderAddressSource: "jsonata" });
    send({ to: "41790000001", payload: "x" });
    const [msg] = await caught.until(1);
    assert.match(
      (msg as { error: { message: string } }).error.message,
      /Sender has an expression that is not JSONata/,
    );
    assert.ok(sender);
    assert.equal(simulator.main.requestCount, 0);
  });
});
