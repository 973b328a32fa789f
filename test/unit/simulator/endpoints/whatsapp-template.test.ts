import assert from "node:assert/strict";
import { bearer, postJson } from "../raw-request";
import { useSimulator } from "../use-simulator";

describe("simulator: WhatsApp templates", () => {
  const simulator = useSimulator();
  let token: string;

  beforeEach(async () => {
    token = await bearer(simulator.url, "messaging:whatsapp");
  });

  const values = (...list: unknown[]) => list.map((value) => ({ default: value }));

  async function send(fields: object) {
    const { httpStatus, body } = await postJson(
      `${simulator.url}/messaging/whatsapp/send_template`,
      { applicationId: simulator.credentials.applicationId, recipient: "+41790000000", ...fields },
      token,
    );
    return { httpStatus, ...(JSON.parse(body) as { statusCode: number; statusMessage: string }) };
  }
  const order = (localizableParams?: unknown, templateLocale = "en_US") =>
    send({
      templateName: "order_ready",
      templateLocale,
      ...(localizableParams === undefined ? {} : { localizableParams }),
    });

  it("has some built in", () => {
    assert.deepEqual(
      simulator.main.templates.map(({ templateName, templateLocale }) => `${templateName} ${templateLocale}`),
      ["order_ready en_US", "order_ready de", "welcome en_US", "welcome de"],
    );
  });

  it("sends them without a session window, filled in", async () => {
    assert.equal((await order(values("Ada", "A-7"))).httpStatus, 201);
    assert.equal((await order(values("Ada", ""), "de")).httpStatus, 201);
    assert.equal((await send({ templateName: "welcome", templateLocale: "de" })).httpStatus, 201);
    const empty = { templateName: "welcome", templateLocale: "en_US", localizableParams: [] };
    assert.equal((await send(empty)).httpStatus, 201);
    assert.deepEqual(
      simulator.main.messages.map(({ content }) => content),
      [
        "Hello Ada, your order A-7 is ready for collection.",
        "Hallo Ada, Ihre Bestellung  liegt zur Abholung bereit.",
        "Willkommen! Schreiben Sie uns hier, wann Sie mögen.",
        "Welcome! Write to us here whenever you like.",
      ],
    );
  });

  const named = (templateName: string, templateLocale: string) => ({ templateName, templateLocale });

  it("4401 for more than 4096 characters altogether", async () => {
    const template = (text: string) => ({ templateName: "long", templateLocale: "de", text });
    const long = (length: number) =>
      send({ ...named("long", "de"), localizableParams: values("🙂".repeat(1024), "x".repeat(length)) });
    simulator.main.addTemplate(template(`{{1}}{{2}}${"x".repeat(2048)}`));
    assert.equal((await long(1024)).httpStatus, 201);
    simulator.main.addTemplate(template(`{{2}}{{1}}${"x".repeat(2048)}y`));
    assert.equal((await long(1023)).httpStatus, 201);
    const answer = await long(1024);
    assert.deepEqual([answer.httpStatus, answer.statusCode], [400, 4401]);
    assert.match(answer.statusMessage, /4097 characters, 4096 allowed/);
  });

  it("counts a value as often as it is used", async () => {
    const text = "{{1}}{{1}}{{1}}{{1}}{{2}}";
    simulator.main.addTemplate({ templateName: "long", templateLocale: "de", text });
    const five = (second: string) =>
      send({ ...named("long", "de"), localizableParams: values("x".repeat(1024), second) });
    assert.equal((await five("")).httpStatus, 201);
    assert.equal((await five("y")).statusCode, 4401);
  });

  it("adds and replaces templates until a reset", async () => {
    const template = { templateName: "bye", templateLocale: "fr", text: "Au revoir {{1}}" };
    simulator.main.addTemplate({ ...template, text: "x" });
    simulator.main.addTemplate(template);
    assert.deepEqual(simulator.main.templates.at(-1), template);
    assert.equal(simulator.main.templates.length, 5);
    const bye = { ...named("bye", "fr"), localizableParams: values("$& Ada") };
    assert.equal((await send(bye)).httpStatus, 201);
    assert.equal(simulator.main.messages[0]?.content, "Au revoir $& Ada");
    simulator.main.reset();
    token = await bearer(simulator.url, "messaging:whatsapp");
    assert.equal((await send(bye)).statusCode, 4028);
    assert.equal(simulator.main.templates.length, 4);
  });

  const impossible: Record<string, unknown> = {
    "no object": null,
    "no text": { templateName: "a", templateLocale: "de" },
    "an empty name": { templateName: "", templateLocale: "de", text: "x" },
    "another field": { templateName: "a", templateLocale: "de", text: "x", language: "de" },
    "a gap": { templateName: "a", templateLocale: "de", text: "{{1}} {{3}}" },
    "a placeholder 0": { templateName: "a", templateLocale: "de", text: "{{0}} {{1}}" },
  };
  for (const [name, template] of Object.entries(impossible)) {
    it(`does not add a template with ${name}`, () => {
      assert.throws(() => simulator.main.addTemplate(template as never), TypeError);
      assert.equal(simulator.main.templates.length, 4);
    });
  }

  it("remembers so many", () => {
    for (let count = 0; count < 1001; count += 1) {
      simulator.main.addTemplate({ templateName: `t${count}`, templateLocale: "de", text: "x" });
    }
    assert.equal(simulator.main.templates.length, 1000);
    assert.equal(simulator.main.templates.at(-1)?.templateName, "t1000");
  });
});
