import assert from "node:assert/strict";
import { assertFields, pluck, useSimulator } from "../../../support/simulator";

describe("simulator: WhatsApp templates", () => {
  const sim = useSimulator();
  const recipient = "+41790000000";
  const send = (templateName: string, templateLocale: string, ...values: string[]) => {
    const localizableParams = values.map((value) => ({ default: value }));
    return sim.send("whatsapp-template", { recipient, templateName, templateLocale, localizableParams });
  };
  const add = (templateName: string, templateLocale: string, text: string) =>
    sim.main.addTemplate({ templateName, templateLocale, text });

  it("sends them without a session window, filled in", async () => {
    for (const answer of [
      await send("order_ready", "en_US", "Ada", "A-7"),
      await send("order_ready", "de", "Ada", ""),
      await send("welcome", "de"),
      await sim.send("whatsapp-template", { recipient, templateName: "welcome", templateLocale: "en_US" }),
    ]) {
      assert.equal(answer.httpStatus, 201);
    }
    assert.deepEqual(pluck(sim.main.messages, "content"), [
      "Hello Ada, your order A-7 is ready for collection.",
      "Hallo Ada, Ihre Bestellung  liegt zur Abholung bereit.",
      "Willkommen! Schreiben Sie uns hier, wann Sie mögen.",
      "Welcome! Write to us here whenever you like.",
    ]);
  });

  it("4401 for more than 4096 characters altogether", async () => {
    const long = (length: number) => send("long", "de", "🙂".repeat(1024), "x".repeat(length));
    add("long", "de", `{{1}}{{2}}${"x".repeat(2048)}`);
    assert.equal((await long(1024)).httpStatus, 201);
    add("long", "de", `{{2}}{{1}}${"x".repeat(2048)}y`);
    assert.equal((await long(1023)).httpStatus, 201);
    const answer = await long(1024);
    assertFields(answer, { httpStatus: 400, code: 4401 });
    assert.match(answer.value.statusMessage, /4097 characters, 4096 allowed/);
  });

  it("adds and replaces templates until a reset", async () => {
    add("bye", "fr", "x");
    add("bye", "fr", "Au revoir {{1}}");
    const template = { templateName: "bye", templateLocale: "fr", text: "Au revoir {{1}}" };
    assert.deepEqual(sim.main.templates.slice(4), [template]);
    assert.equal((await send("bye", "fr", "$& Ada")).httpStatus, 201);
    assert.equal(sim.main.messages[0]?.content, "Au revoir $& Ada");
    sim.main.reset();
    assert.equal((await send("bye", "fr", "$& Ada")).code, 4028);
    assert.equal(sim.main.templates.length, 4);
  });
});
