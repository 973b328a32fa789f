import assert from "node:assert/strict";
import type { Config } from "../flow";
import { resultOf } from "../flow";
import { bodyOf, SimulatedService } from "../simulated-service";

const FILL = { braces: "fill" };
const typed = (name: string, value: string): Config => ({ [name]: value, [`${name}Source`]: "str" });
const ANNA = { to: "+41790000001", payload: { name: "Anna & <Söhne>", time: "8:00", blank: " " } };

describe("personal texts: SMS", () => {
  const service = new SimulatedService({ type: "messaging-sms-send", interface: "json" });
  const TEXT = typed("messageContent", "Dear {{payload.name}}, at {{payload.time}}");

  it("fills a typed text with values of the message, as they are", async () => {
    const { body } = await service.accepted({ ...FILL, ...TEXT }, ANNA);
    assert.equal((body as { messageContent: string }).messageContent, "Dear Anna & <Söhne>, at 8:00");
  });

  it("sends literal braces when the setting asks for them", async () => {
    const { body } = await service.accepted({ braces: "literal", ...TEXT }, ANNA);
    assert.equal(
      (body as { messageContent: string }).messageContent,
      "Dear {{payload.name}}, at {{payload.time}}",
    );
  });

  it("never takes braces of a value for a place, nor those of another source", async () => {
    const { body } = await service.accepted(
      { ...FILL, ...typed("messageContent", "{{payload}}") },
      { to: "+41790000001", payload: "{{to}}" },
    );
    assert.equal((body as { messageContent: string }).messageContent, "{{to}}");
    const other = await service.accepted(
      { ...FILL, messageContent: "payload", messageContentSource: "msg" },
      { to: "+41790000001", payload: "{{to}}" },
    );
    assert.equal((other.body as { messageContent: string }).messageContent, "{{to}}");
  });

  const MISSING: readonly [text: string, words: RegExp][] = [
    [
      "{{payload.surname}} {{payload.blank}}",
      /has no value for \{\{payload\.surname\}\}, \{\{payload\.blank\}\}/,
    ],
    ["{{payload}}", /has a place for \{\{payload\}\}, which is neither a text nor a number/],
  ];
  for (const [text, words] of MISSING) {
    it(`rejects a message that has no value for ${text}`, async () => {
      const refused = await service.refused({ ...FILL, ...typed("messageContent", text) }, ANNA);
      assert.equal(refused.statusName, "FIELD_UNRESOLVED");
      assert.match(refused.statusMessage, words);
    });
  }

  it("takes values of flow, global and env after those of the message", async () => {
    process.env.PRACTICE = "Seefeld";
    const flow = await service.start({
      ...FILL,
      ...typed(
        "messageContent",
        "{{flow.place}} {{global.town.name}} {{env.PRACTICE}} {{#flow.on}}on{{/flow.on}}",
      ),
    });
    const context = flow.sender.context();
    context.flow.set("place", "Room 3");
    context.flow.set("on", true);
    context.global.set("town", { name: "Chur" });
    flow.send({ to: "+41790000001", payload: "" });
    const [message] = await flow.all.until(1);
    assert.equal(resultOf(message).outcome, "sent", resultOf(message).statusMessage);
    const { messageContent } = bodyOf(service.requests.at(-1)) as { messageContent: string };
    assert.equal(messageContent, "Room 3 Chur Seefeld on");
    delete process.env.PRACTICE;
  });
});

describe("personal texts: WhatsApp", () => {
  const service = new SimulatedService({ type: "messaging-whatsapp-send", ...FILL });

  const TEMPLATE: Config = {
    kind: "template",
    ...typed("templateName", "order_ready"),
    ...typed("templateLocale", "de"),
    localizableParams: [
      { source: "str", value: "{{payload.name}}" },
      { source: "msg", value: "payload.time" },
    ],
    localizableParamsSource: "list",
  };

  it("fills the parameters of a template", async () => {
    const { body } = await service.accepted(TEMPLATE, ANNA);
    assert.match(JSON.stringify(body), /Anna & <Söhne>.*8:00/);
  });

  it("names the parameter that has no value", async () => {
    const refused = await service.refused(TEMPLATE, { ...ANNA, payload: { time: "8:00" } });
    assert.equal(refused.statusName, "FIELD_UNRESOLVED");
    assert.match(refused.statusMessage, /^Placeholders number 1 has no value for \{\{payload\.name\}\}/);
  });
});

describe("personal texts: RCS", () => {
  const service = new SimulatedService({ type: "messaging-rcs-send", ...FILL });

  it("fills a text and its suggestions", async () => {
    const { body } = await service.accepted(
      {
        kind: "text",
        ...typed("textMessage", "Dear {{payload.name}}"),
        suggestions: [{ source: "str", value: "At {{payload.time}}" }],
        suggestionsSource: "list",
      },
      ANNA,
    );
    assert.match(JSON.stringify(body), /Dear Anna & <Söhne>/);
    assert.match(JSON.stringify(body), /At 8:00/);
  });
});
