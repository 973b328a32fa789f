import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import { SAMPLE_MEDIA_ID } from "../../../../simulator/index";
import { type Config, resultOf } from "../../../node/flow";
import { bodyOf, SimulatedService } from "../../../node/simulated-service";

const TO = "+99955500001";
const APPLICATION = "51a51a51-0000-4000-8000-000000000001";
const OTHER_APPLICATION = "51a51a51-0000-4000-8000-00000000aaaa";
/** A character that counts as one and is two UTF-16 units long. */
const WIDE = "\u{1F600}";

const literal = (name: string, source: string, value: string): Config => ({
  [name]: value,
  [`${name}Source`]: source,
});
const template = (name: string, locale: string): Config => ({
  kind: "template",
  ...literal("templateName", "str", name),
  ...literal("templateLocale", "str", locale),
});

/** What a message of each kind needs at least, for a node that has its initial sources. */
const KINDS: Readonly<Record<string, { readonly sender: Config; readonly msg: Config }>> = {
  text: { sender: { kind: "text" }, msg: { to: TO, payload: "Hello" } },
  media: { sender: { kind: "media" }, msg: { to: TO, payload: "unused", mediaId: SAMPLE_MEDIA_ID } },
  template: { sender: template("welcome", "en_US"), msg: { to: TO, payload: "unused" } },
  broadcast: { sender: { kind: "broadcast" }, msg: { to: TO, payload: "Hello" } },
};

describe("whatsapp-send: messages", () => {
  const service = new SimulatedService({ type: "messaging-whatsapp-send" });

  describe("on the wire", () => {
    it("text: the least", async () => {
      const { body, result } = await service.accepted(
        { kind: "text" },
        { to: TO, payload: `Grüße 5 € ${WIDE}` },
      );
      assert.deepEqual(body, {
        content: `Grüße 5 € ${WIDE}`,
        applicationId: APPLICATION,
        recipient: TO,
        clientMessageId: result.clientMessageId,
      });
      const [request] = service.requests;
      assert.equal(`${request?.method} ${request?.path}`, "POST /messaging/whatsapp/send_text");
      assert.equal(request?.headers["content-type"], "application/json");
      assert.equal(result.operation, "whatsapp-text");
      assert.equal(result.httpStatus, 201);
      assert.equal(result.smsCount, null);
      assert.ok(result.transferId);
    });

    it("media: the least, and with a description", async () => {
      const msg = { to: TO, payload: "unused", mediaId: SAMPLE_MEDIA_ID, about: "A picture" };
      const least = await service.accepted({ kind: "media" }, msg);
      const common = { mediaId: SAMPLE_MEDIA_ID, applicationId: APPLICATION, recipient: TO };
      assert.deepEqual(least.body, { ...common, clientMessageId: least.result.clientMessageId });
      assert.equal(service.requests[0]?.path, "/messaging/whatsapp/send_media");
      assert.equal(least.result.operation, "whatsapp-media");
      const { body, result } = await service.accepted(
        { kind: "media", ...literal("description", "msg", "about") },
        msg,
      );
      assert.deepEqual(body, { ...common, content: "A picture", clientMessageId: result.clientMessageId });
    });

    it("template: the least, and with placeholders", async () => {
      const least = await service.accepted(template("welcome", "de"), { to: TO });
      const common = { applicationId: APPLICATION, recipient: TO };
      assert.deepEqual(least.body, {
        templateName: "welcome",
        templateLocale: "de",
        ...common,
        clientMessageId: least.result.clientMessageId,
      });
      assert.equal(service.requests[0]?.path, "/messaging/whatsapp/send_template");
      assert.equal(least.result.operation, "whatsapp-template");
      const { body } = await service.accepted(
        {
          ...template("order_ready", "en_US"),
          ...literal("clientMessageId", "str", "order-7"),
          localizableParamsSource: "list",
          localizableParams: [
            { source: "msg", value: "name" },
            { source: "str", value: "4711" },
          ],
        },
        { to: TO, name: "Ann" },
      );
      assert.deepEqual(body, {
        templateName: "order_ready",
        templateLocale: "en_US",
        localizableParams: [{ default: "Ann" }, { default: "4711" }],
        ...common,
        clientMessageId: "order-7",
      });
      assert.equal(
        service.simulator.main.messages.at(-1)?.content,
        "Hello Ann, your order 4711 is ready for collection.",
      );
    });

    it("broadcast: the least, by the sign-in of SMS and without a plus", async () => {
      const { body, result } = await service.accepted({ kind: "broadcast" }, { to: TO, payload: "Grüße €" });
      assert.deepEqual(body, {
        messageContent: "Grüße €",
        recipientAddressList: ["99955500001"],
        clientMessageId: result.clientMessageId,
      });
      const [request, ...others] = service.simulator.main.requests;
      assert.equal(`${request?.method} ${request?.path}`, "POST /converged/whatsapp");
      assert.match(String(request?.headers.authorization), /^Basic /);
      assert.deepEqual(others, [], "no token is asked for");
      assert.equal(result.operation, "whatsapp-broadcast");
      assert.equal(result.smsCount, 1);
    });

    it("broadcast: every field", async () => {
      const { send, ports } = await service.start({
        kind: "broadcast",
        ...literal("recipients", "str", "99955500001; 99955500002"),
        ...literal("messageContent", "str", "Hi"),
        ...literal("contentCategory", "choice", "advertisement"),
        ...literal("priority", "num", "5"),
        ...literal("test", "bool", "true"),
        ...literal("validityPeriode", "num", "3600"),
        ...literal("attachmentId", "num", "17"),
        ...literal("clientMessageId", "str", "order-7"),
      });
      send({});
      // No such attachment: what the service saw is what counts.
      const result = resultOf((await ports[1]!.until(1))[0]);
      assert.equal(result.statusName, "INVALID_ATTACHMENT");
      assert.deepEqual(bodyOf(service.requests[0]), {
        messageContent: "Hi",
        attachmentId: 17,
        contentCategory: "advertisement",
        validityPeriode: 3600,
        test: true,
        priority: 5,
        recipientAddressList: ["99955500001", "99955500002"],
        clientMessageId: "order-7",
      });
    });

    it("leaves out the fields of the other kinds, whatever they are set to", async () => {
      const everything = {
        ...template("welcome", "en_US"),
        ...literal("content", "msg", "payload"),
        ...literal("messageContent", "msg", "nothing"),
        ...literal("mediaId", "msg", "nothing"),
        ...literal("description", "jsonata", "(("),
        ...literal("test", "msg", "nothing"),
        ...literal("validityPeriode", "num", "1"),
        ...literal("templateName", "msg", "nothing"),
        ...literal("templateLocale", "msg", "nothing"),
        ...literal("localizableParams", "msg", "nothing"),
      };
      const { body, result } = await service.accepted(
        { ...everything, kind: "text" },
        { to: TO, payload: "x" },
      );
      assert.deepEqual(body, {
        content: "x",
        applicationId: APPLICATION,
        recipient: TO,
        clientMessageId: result.clientMessageId,
      });
    });
  });

  describe("application id", () => {
    it("is the node's, where it has one", async () => {
      service.simulator.main.addApplication(OTHER_APPLICATION);
      const { body } = await service.accepted(
        { kind: "text", ...literal("applicationId", "msg", "application") },
        { to: TO, payload: "x", application: OTHER_APPLICATION },
      );
      assert.equal((body as Config).applicationId, OTHER_APPLICATION);
    });

    it("denies a message without any, and raises an error when output 2 leads nowhere", async () => {
      for (const wired of [true, false]) {
        const flow = await service.start(
          { kind: "text" },
          { account: { applicationId: " " }, wired: wired ? [0, 1, 2, 3] : [0] },
        );
        flow.send({ to: TO, payload: "x" });
        const [first] = await (wired ? flow.ports[1]! : flow.caught).until(1);
        const { outcome, source, statusName, parameter } = resultOf(first);
        assert.deepEqual(
          [outcome, source, statusName, parameter],
          ["denied", "local", "NO_APPLICATION", "applicationId"],
        );
        await flow.stop();
      }
      assert.equal(service.requests.length, 0);
    });
  });

  describe("checks", () => {
    it("rejects a value outside the limits of its field before it is sent, for each kind", async () => {
      for (const [kind, sender, msg, field, words] of [
        ["text", {}, { payload: "x".repeat(4097) }, "content", /4096.*4097/],
        ["media", {}, { mediaId: "picture.png" }, "mediaId", /UUID.*'picture\.png'/],
        ["template", literal("templateName", "str", ""), {}, "templateName", /is required/],
        ["broadcast", {}, { payload: "x".repeat(10_001) }, "messageContent", /10000.*10001/],
      ] as const) {
        const least = KINDS[kind]!;
        const result = await service.refused({ ...least.sender, ...sender }, { ...least.msg, ...msg });
        assert.equal(result.operation, `whatsapp-${kind}`);
        assert.equal(result.statusName, "FIELD_INVALID");
        assert.equal(result.parameter, field);
        assert.match(result.detail, words);
      }
    });

    it("rejects a message when a field is set and its source holds nothing, by the contract's name", async () => {
      for (const [kind, field, parameter] of [
        ["text", "content", "content"],
        ["media", "description", "content"],
        ["template", "localizableParams", "localizableParams"],
        ["broadcast", "test", "test"],
      ] as const) {
        const { sender, msg } = KINDS[kind]!;
        const result = await service.refused({ ...sender, ...literal(field, "msg", "nothing.there") }, msg);
        assert.equal(result.statusName, "FIELD_UNRESOLVED");
        assert.equal(result.parameter, parameter);
      }
    });

    it("never sends a real broadcast when msg.test is neither true nor false", async () => {
      for (const value of [1, "yes", "", {}]) {
        const result = await service.refused(
          { kind: "broadcast", ...literal("test", "msg", "test") },
          { to: TO, payload: "x", test: value },
        );
        assert.equal(result.parameter, "test");
      }
    });
  });

  it("says so in badge and error when it is set to a kind that does not exist", async () => {
    const { send, caught, statuses } = await service.start({ kind: "carrier-pigeon" });
    assert.match(JSON.stringify((await statuses.until(1)).at(-1)), /a setting is wrong/);
    send({ to: TO, payload: "x" });
    const [first] = (await caught.until(1)) as (NodeMessage & { error: { message: string } })[];
    assert.match(first?.error.message ?? "", /'carrier-pigeon'.*text, media, template, broadcast/);
    assert.equal(service.simulator.main.requestCount, 0);
  });
});
