import assert from "node:assert/strict";
import type { NodeAPI, NodeMessage } from "node-red";
import { activityOf } from "../../../lib/runtime/activity/activity-of";
import { SAMPLE_MEDIA_ID } from "../../../simulator/index";
import { AccountMemory } from "../../../lib/runtime/memory/account-memory";
import { ACCOUNT, type Config, resultOf } from "../flow";
import { waitFor } from "../../support/wait-for";
import { bodyOf, SimulatedService } from "../simulated-service";

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
  const service = new SimulatedService({ type: "whatsapp-send" });

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

    it("text: a node without a kind sends text", async () => {
      const { result } = await service.accepted({}, { to: TO, payload: "Hello" });
      assert.equal(result.operation, "whatsapp-text");
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

    it("template: one that the service accepts is offered in dialogs from then on", async () => {
      const known = () =>
        AccountMemory.of(ACCOUNT).templates.list.map(({ name, locale }) => `${name} ${locale}`);
      await service.accepted(template("welcome", "de"), { to: TO });
      await service.accepted({ ...template("welcome", "en_US") }, { to: TO });
      const { send, all } = await service.start(template("not_approved", "de"));
      send({ to: TO });
      assert.equal(resultOf((await all.until(1))[0]).statusCode, 4028);
      assert.deepEqual(known().slice(0, 2), ["welcome en_US", "welcome de"]);
      assert.equal(known().includes("not_approved de"), false);
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

    it("asks for a token once, with the one scope it needs", async () => {
      const { send, ports } = await service.start({ kind: "text" });
      send({ to: TO, payload: "a" });
      send({ to: TO, payload: "b" });
      await ports[0]!.until(2);
      const tokens = service.simulator.main.requests.filter(({ path }) => path === "/oauth/token");
      assert.deepEqual(
        tokens.map(({ fields }) => fields),
        [{ grant_type: "client_credentials", scope: "messaging:whatsapp" }],
      );
      assert.match(String(service.requests[0]?.headers.authorization), /^Bearer /);
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

    it("is the account's, where the node's source holds an empty text", async () => {
      const { body } = await service.accepted(
        { kind: "text", ...literal("applicationId", "msg", "application") },
        { to: TO, payload: "x", application: "" },
      );
      assert.equal((body as Config).applicationId, APPLICATION);
    });

    for (const kind of ["text", "media", "template"]) {
      for (const wired of [true, false]) {
        it(`${kind}: without any, the message is denied, by output 2${wired ? "" : ", and raised as an error where no node is wired to it"}`, async () => {
          const { sender, msg } = KINDS[kind]!;
          let RED: NodeAPI | undefined;
          const { send, ports, caught, statuses } = await service.start(sender, {
            register: [
              (api) => {
                RED = api;
              },
            ],
            account: { applicationId: " " },
            wired: wired ? [0, 1, 2, 3] : [0],
          });
          assert.ok(RED);
          const activity = activityOf(RED);
          activity.clear();
          activity.watch();
          send({ ...msg });
          const [first] = await (wired ? ports[1]! : caught).until(1);
          const { outcome, source, statusName, parameter, statusMessage, advice } = resultOf(first);
          assert.deepEqual(
            [outcome, source, statusName, parameter],
            ["denied", "local", "NO_APPLICATION", "applicationId"],
          );
          assert.equal(
            statusMessage,
            "“Application id” is filled in neither in the node nor in its account (applicationId).",
          );
          assert.match(advice, /^Open the account and enter the application id/);
          if (!wired) {
            const { error } = first as NodeMessage & { error: { code: string; message: string } };
            assert.equal(error.code, "NO_APPLICATION");
          }
          await waitFor("the badge", () =>
            JSON.stringify(statuses.messages.at(-1) ?? "").includes("no application id"),
          );
          assert.deepEqual(
            activity.watch().entries.map(({ result, name }) => `${result} ${name}`),
            ["denied NO_APPLICATION"],
          );
          assert.equal(service.requests.length, 0);
        });
      }
    }

    it("broadcast: needs none", async () => {
      const { send, ports } = await service.start({ kind: "broadcast" }, { account: { applicationId: "" } });
      send({ to: TO, payload: "x" });
      await ports[0]!.until(1);
    });

    it("is refused where it is no UUID", async () => {
      const result = await service.refused(
        { kind: "text", ...literal("applicationId", "str", "my-app") },
        { to: TO, payload: "x" },
      );
      assert.match(result.detail, /^“Application id” must be a UUID.*'my-app'/);
    });
  });

  describe("limits", () => {
    const inside: [string, string, Config, Config][] = [
      ["one character of text", "text", {}, { payload: "x" }],
      ["4,096 characters of text", "text", {}, { payload: "x".repeat(4096) }],
      ["4,096 characters of text outside the basic plane", "text", {}, { payload: WIDE.repeat(4096) }],
      [
        "4,096 characters of description",
        "media",
        literal("description", "msg", "d"),
        { d: "x".repeat(4096) },
      ],
      ["10,000 characters of broadcast", "broadcast", {}, { payload: "x".repeat(10_000) }],
      ["60 seconds", "broadcast", literal("validityPeriode", "num", "60"), {}],
      ["259,200 seconds", "broadcast", literal("validityPeriode", "num", "259200"), {}],
      ["an empty description, which is none", "media", literal("description", "msg", "d"), { d: "" }],
    ];
    for (const [title, kind, sender, msg] of inside) {
      it(`takes ${title}`, async () => {
        const least = KINDS[kind]!;
        await service.accepted({ ...least.sender, ...sender }, { ...least.msg, ...msg });
      });
    }

    const outside: [string, string, Config, Config, string, RegExp][] = [
      ["no text", "text", {}, { payload: "" }, "content", /is required, but empty/],
      ["NaN as a text", "text", {}, { payload: Number.NaN }, "content", /^Text must be a text, but is NaN$/],
      [
        "an infinite number as a description",
        "media",
        literal("description", "msg", "d"),
        { d: Number.NEGATIVE_INFINITY },
        "content",
        /^Description must be a text, but is -Infinity$/,
      ],
      [
        "half of an emoji",
        "text",
        {},
        { payload: `a${WIDE}\ud83d` },
        "content",
        /^Text contains half of a character \(U\+D83D\) at position 3,/,
      ],
      [
        "half of an emoji in a message id",
        "text",
        literal("clientMessageId", "msg", "id"),
        { id: "\ude00" },
        "clientMessageId",
        /\(U\+DE00\) at position 1/,
      ],
      [
        "NaN as a message id",
        "text",
        literal("clientMessageId", "msg", "id"),
        { id: Number.NaN },
        "clientMessageId",
        /but is NaN$/,
      ],
      ["4,097 characters of text", "text", {}, { payload: "x".repeat(4097) }, "content", /4096.*4097/],
      [
        "4,097 characters of description",
        "media",
        literal("description", "msg", "d"),
        { d: "x".repeat(4097) },
        "content",
        /4096.*4097/,
      ],
      ["no broadcast text", "broadcast", {}, { payload: "" }, "messageContent", /is required, but empty/],
      [
        "10,001 characters of broadcast",
        "broadcast",
        {},
        { payload: "x".repeat(10_001) },
        "messageContent",
        /10000.*10001/,
      ],
      [
        "59 seconds",
        "broadcast",
        literal("validityPeriode", "num", "59"),
        {},
        "validityPeriode",
        /60 s.*59$/,
      ],
      [
        "259,201 seconds",
        "broadcast",
        literal("validityPeriode", "num", "259201"),
        {},
        "validityPeriode",
        /259200 s.*259201/,
      ],
      ["a media id that is none", "media", {}, { mediaId: "picture.png" }, "mediaId", /UUID.*'picture\.png'/],
      [
        "an attachment id that is no number",
        "broadcast",
        literal("attachmentId", "str", "a"),
        {},
        "attachmentId",
        /'a'/,
      ],
      ["no template name", "template", literal("templateName", "str", ""), {}, "templateName", /is required/],
      [
        "no template locale",
        "template",
        literal("templateLocale", "str", ""),
        {},
        "templateLocale",
        /is required/,
      ],
      [
        "a category that is none",
        "broadcast",
        literal("contentCategory", "str", "spam"),
        {},
        "contentCategory",
        /'spam'/,
      ],
    ];
    for (const [title, kind, sender, msg, field, expected] of outside) {
      it(`refuses ${title}`, async () => {
        const least = KINDS[kind]!;
        const result = await service.refused({ ...least.sender, ...sender }, { ...least.msg, ...msg });
        assert.equal(result.operation, `whatsapp-${kind}`);
        assert.equal(result.statusName, "FIELD_INVALID");
        assert.equal(result.parameter, field);
        assert.ok(result.statusMessage.endsWith(` (${field}).`), result.statusMessage);
        assert.match(result.detail, expected);
      });
    }

    const unresolved: [kind: string, field: string, parameter: string][] = [
      ["text", "content", "content"],
      ["text", "applicationId", "applicationId"],
      ["text", "clientMessageId", "clientMessageId"],
      ["media", "mediaId", "mediaId"],
      ["media", "description", "content"],
      ["template", "templateName", "templateName"],
      ["template", "templateLocale", "templateLocale"],
      ["template", "localizableParams", "localizableParams"],
      ["broadcast", "messageContent", "messageContent"],
      ["broadcast", "attachmentId", "attachmentId"],
      ["broadcast", "contentCategory", "contentCategory"],
      ["broadcast", "priority", "priority"],
      ["broadcast", "validityPeriode", "validityPeriode"],
      ["broadcast", "test", "test"],
    ];
    for (const [kind, field, parameter] of unresolved) {
      it(`${kind}: refuses when ${field} is set and holds nothing`, async () => {
        for (const source of ["msg", "flow"]) {
          const { sender, msg } = KINDS[kind]!;
          const result = await service.refused(
            { ...sender, ...literal(field, source, "nothing.there") },
            msg,
          );
          assert.equal(result.statusName, "FIELD_UNRESOLVED");
          assert.equal(result.parameter, parameter);
        }
      });
    }

    for (const value of [1, "yes", "", {}]) {
      it(`never sends a real broadcast when msg.test is ${JSON.stringify(value)}`, async () => {
        const result = await service.refused(
          { kind: "broadcast", ...literal("test", "msg", "test") },
          { to: TO, payload: "x", test: value },
        );
        assert.equal(result.parameter, "test");
      });
    }
  });

  describe("template locale", () => {
    for (const [locale, odd] of [
      ["de", false],
      ["en_US", false],
      ["fil", false],
      ["en-US", true],
      ["EN", true],
      ["en_us", true],
      ["German", true],
    ] as const) {
      it(`${odd ? "warns of" : "takes"} ${locale} and sends it`, async () => {
        service.simulator.main.addTemplate({ templateName: "t", templateLocale: locale, text: "Hi" });
        const { send, ports, log } = await service.start(template("t", locale));
        send({ to: TO });
        await ports[0]!.until(1);
        assert.equal((bodyOf(service.requests[0]) as Config).templateLocale, locale);
        const warnings = log("warn").filter((line) => line.includes(`'${locale}'`));
        assert.equal(warnings.length, odd ? 1 : 0);
      });
    }
  });

  it("says so in badge and error when it is set to a kind that does not exist", async () => {
    const { send, caught, statuses } = await service.start({ kind: "carrier-pigeon" });
    assert.match(JSON.stringify((await statuses.until(1)).at(-1)), /a setting is wrong/);
    send({ to: TO, payload: "x" });
    const [first] = (await caught.until(1)) as (NodeMessage & { error: { message: string } })[];
    assert.match(first?.error.message ?? "", /'carrier-pigeon'.*text, media, template, broadcast/);
    assert.equal(service.simulator.main.requestCount, 0);
  });

  it("leaves a text outside the care session by 'rejected', with the service's reason", async () => {
    const { send, ports } = await service.start({ kind: "text" });
    send({ to: "+41791234567", payload: "x" });
    const result = resultOf((await ports[1]!.until(1))[0]);
    assert.deepEqual(
      [result.statusCode, result.statusName, result.source],
      [4400, "SESSION_EXPIRED", "service"],
    );
  });
});
