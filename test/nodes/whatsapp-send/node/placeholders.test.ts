import assert from "node:assert/strict";
import type { Config } from "../../../node/flow";
import { SimulatedService } from "../../../node/simulated-service";

const TO = "+99955500001";
const entry = (source: string, value: string): Config => ({ source, value });

describe("whatsapp-send: placeholders", () => {
  const service = new SimulatedService({
    type: "messaging-whatsapp-send",
    kind: "template",
    templateName: "t",
    templateNameSource: "str",
    templateLocale: "en_US",
    templateLocaleSource: "str",
  });

  /** Makes the template one of `count` placeholders and nothing else. */
  const needs = (count: number): void => {
    const text = Array.from({ length: count }, (_none, at) => `{{${at + 1}}}`).join("");
    service.simulator.main.addTemplate({ templateName: "t", templateLocale: "en_US", text: text || "Hi" });
  };
  const list = (...entries: Config[]): Config => ({
    localizableParams: entries,
    localizableParamsSource: "list",
  });
  const from = (source: string, value: string): Config => ({
    localizableParams: value,
    localizableParamsSource: source,
  });
  const sent = async (sender: Config, msg: Config = {}): Promise<unknown> => {
    const { body } = await service.accepted(sender, { to: TO, ...msg });
    return (body as Config).localizableParams;
  };
  const refused = async (sender: Config, msg: Config = {}) => {
    const result = await service.refused(sender, { to: TO, ...msg });
    assert.equal(result.parameter, "localizableParams");
    assert.ok(result.detail.startsWith("Placeholders "), result.detail);
    return result;
  };

  it("come from every source an entry can have, in order", async () => {
    needs(6);
    process.env.TEST_PLACEHOLDER = "from env";
    try {
      const { send, ports, sender } = await service.start(
        list(
          entry("str", "a"),
          entry("msg", "order.id"),
          entry("flow", "f"),
          entry("global", "g"),
          entry("jsonata", "$uppercase(name)"),
          entry("env", "TEST_PLACEHOLDER"),
        ),
      );
      sender.context().flow.set("f", "from flow");
      sender.context().global.set("g", 12);
      send({ to: TO, order: { id: 4711 }, name: "ann" });
      await ports[0]!.until(1);
      assert.deepEqual(
        service.requests[0]?.fields.localizableParams,
        ["a", "4711", "from flow", "12", "ANN", "from env"].map((text) => ({ default: text })),
      );
    } finally {
      delete process.env.TEST_PLACEHOLDER;
    }
  });

  it("come as a list of texts, numbers and objects of the service", async () => {
    for (const values of [
      ["a", 7],
      ["a", { default: "7" }],
      [{ default: "a" }, { default: "7" }],
    ]) {
      needs(2);
      const wanted = [{ default: "a" }, { default: "7" }];
      assert.deepEqual(await sent(from("msg", "values.all"), { values: { all: values } }), wanted);
    }
  });

  it("are not sent when there are none", async () => {
    for (const [sender, msg] of [
      [list(), {}],
      [from("msg", "values"), { values: [] }],
    ] as const) {
      needs(0);
      assert.equal(await sent(sender, msg), undefined);
    }
  });

  it("refuse what is no list of texts, and name each entry that is wrong", async () => {
    for (const [values, words] of [
      ["Ann", /must be a list of texts, but is 'Ann'/],
      [["a", { other: "b" }], /number 2 .*exactly one key, 'default'.*'other'/],
      [["a", null], /number 2 must be a text .*null/],
      [["a", ""], /number 2 must not be empty/],
      [["a\nb", "ok", "x".repeat(2000)], /number 1 .*; Placeholders number 3 .*2000$/],
    ] as const) {
      const result = await refused(from("msg", "values"), { values });
      assert.equal(result.statusName, "FIELD_INVALID");
      assert.match(result.detail, words);
    }
  });

  it("refuse an entry whose source holds nothing, by its number", async () => {
    const { statusName, detail } = await refused(list(entry("str", "a"), entry("msg", "a.b[3].c")));
    assert.equal(statusName, "FIELD_UNRESOLVED");
    assert.match(detail, /^Placeholders number 2 is set to msg\.a\.b\[3\]\.c, which holds no value$/);
  });

  it("never leave out silently what a flow holds in place of the list", async () => {
    for (const stored of ["order.id", [{ value: 7, source: "str" }], [null]]) {
      const { send, caught, stop } = await service.start({
        localizableParams: stored,
        localizableParamsSource: "list",
      });
      send({ to: TO });
      assert.match(JSON.stringify((await caught.until(1))[0]), /Placeholders .*list in the node/);
      assert.equal(service.simulator.main.requestCount, 0);
      await stop();
    }
  });
});
