import assert from "node:assert/strict";
import { type Config, stopFlow } from "../flow";
import { SimulatedService } from "../simulated-service";

const TO = "+99955500001";
const WIDE = "\u{1F600}";
const entry = (source: string, value: string): Config => ({ source, value });

describe("whatsapp-send: placeholders", () => {
  const service = new SimulatedService({
    type: "whatsapp-send",
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

  it("come from literals and the message alone, without a promise in between", async () => {
    needs(2);
    assert.deepEqual(await sent(list(entry("msg", "b"), entry("str", "a")), { b: "from msg" }), [
      { default: "from msg" },
      { default: "a" },
    ]);
  });

  const lists: [string, unknown][] = [
    ["texts", ["a", "b"]],
    ["numbers", ["a", 7]],
    ["the service's own objects", [{ default: "a" }, { default: "b" }]],
    ["texts and objects", ["a", { default: "b" }]],
  ];
  for (const [title, values] of lists) {
    it(`come as a list of ${title} from the message, flow, global and an expression`, async () => {
      needs(2);
      const wanted = [{ default: "a" }, { default: JSON.stringify(values).includes("7") ? "7" : "b" }];
      assert.deepEqual(await sent(from("msg", "values.all"), { values: { all: values } }), wanted);
      assert.deepEqual(await sent(from("jsonata", "values"), { values }), wanted);
      for (const store of ["flow", "global"] as const) {
        const { send, ports, sender } = await service.start(from(store, "values"));
        sender.context()[store].set("values", values);
        send({ to: TO });
        await ports[0]!.until(1);
        assert.deepEqual(service.requests.at(-1)?.fields.localizableParams, wanted);
        await stopFlow();
      }
    });
  }

  for (const [title, sender, msg] of [
    ["an empty list of the dialog", list(), {}],
    ["an empty list of the message", from("msg", "values"), { values: [] }],
    ["an empty text", from("msg", "values"), { values: "" }],
    ["a node that was saved without it", {}, {}],
  ] as const) {
    it(`are not sent for ${title}`, async () => {
      needs(0);
      assert.equal(await sent(sender, msg), undefined);
    });
  }

  const wrong: [string, unknown, RegExp][] = [
    ["a text", "Ann", /must be a list of texts, but is 'Ann'/],
    ["a number", 7, /must be a list of texts, but is 7/],
    ["an object", { default: "a" }, /must be a list of texts, but is of type object/],
    ["an entry with another key", ["a", { other: "b" }], /number 2 .*exactly one key, 'default'.*'other'/],
    [
      "an entry with two keys",
      [{ default: "a", more: "b" }],
      /number 1 .*'default', but has 'default', 'more'/,
    ],
    ["an entry without a key", ["a", "b", {}], /number 3 .*but has none/],
    ["an entry that holds a number", [{ default: 7 }], /number 1 must contain a text, but contains 7/],
    ["an entry that is null", ["a", null], /number 2 must be a text .*null/],
    ["an entry that is true", [true], /number 1 must be a text .*true/],
    ["an entry that is a list", ["a", ["b"]], /number 2 must be a text .*a list/],
    ["an entry that is missing", ["a", undefined], /number 2 must be a text/],
    ["an empty entry", ["a", ""], /number 2 must not be empty/],
    ["an empty object of the service", [{ default: "" }, "b"], /number 1 must not be empty/],
    ["a Buffer without bytes", ["a", Buffer.alloc(0)], /number 2 must not be empty/],
    ["a calculation that failed", ["a", Number.NaN], /number 2 must be a text, but is NaN$/],
    ["a division by zero", [Number.POSITIVE_INFINITY], /number 1 must be a text, but is Infinity$/],
    [
      "half of an emoji",
      ["a", "Hi \ud83d"],
      /number 2 contains half of a character \(U\+D83D\) at position 4/,
    ],
  ];
  for (const [title, values, expected] of wrong) {
    it(`refuse ${title}`, async () => {
      const result = await refused(from("msg", "values"), { values });
      assert.equal(result.statusName, "FIELD_INVALID");
      assert.match(result.detail, expected);
    });
  }

  for (const [title, value] of [
    ["1,024 characters", "x".repeat(1024)],
    ["1,024 characters outside the basic plane", WIDE.repeat(1024)],
    ["a tabulator", "a\tb"],
  ] as const) {
    it(`take ${title}`, async () => {
      needs(1);
      assert.deepEqual(await sent(list(entry("msg", "v")), { v: value }), [{ default: value }]);
    });
  }

  for (const [title, value, expected] of [
    ["1,025 characters", "x".repeat(1025), /number 2 may have at most 1024 characters, but has 1025$/],
    ["a line feed", "a\nb", /number 2 must not contain a line break, but is 'a\\nb'$/],
    ["a carriage return", "a\rb", /number 2 must not contain a line break/],
  ] as const) {
    it(`refuse ${title}`, async () => {
      const result = await refused(list(entry("str", "a"), entry("msg", "v")), { v: value });
      assert.match(result.detail, expected);
    });
  }

  for (const source of ["str", "env", "msg"]) {
    it(`refuse an entry of the dialog that was left empty (${source})`, async () => {
      const { detail } = await refused(list(entry("str", "a"), entry(source, ""), entry("str", "c")));
      assert.match(detail, /^Placeholders number 2 (must not be empty|is set to msg\., which holds no)/);
    });
  }

  it("refuse an entry whose source holds an empty text", async () => {
    const { detail } = await refused(list(entry("msg", "name"), entry("str", "c")), { name: "" });
    assert.match(detail, /^Placeholders number 1 must not be empty/);
  });

  it("take 4,096 characters together and refuse 4,097", async () => {
    const four = Array.from({ length: 4 }, (_none, at) => String(at).repeat(1024));
    needs(4);
    assert.deepEqual(
      await sent(from("msg", "values"), { values: four }),
      four.map((text) => ({ default: text })),
    );
    const result = await refused(from("msg", "values"), { values: [...four, "y"] });
    assert.match(result.detail, /at most 4096 characters together, but have 4097$/);
  });

  it("name every faulty one", async () => {
    const result = await refused(from("msg", "values"), { values: ["a\nb", "ok", "x".repeat(2000)] });
    assert.match(result.detail, /number 1 .*; Placeholders number 3 .*2000$/);
  });

  const unresolved: [string, Config, RegExp][] = [
    [
      "a message property",
      entry("msg", "a.b[3].c"),
      /^Placeholders number 2 is set to msg\.a\.b\[3\]\.c, which holds no value$/,
    ],
    [
      "a flow value",
      entry("flow", "nothing"),
      /^Placeholders number 2 is set to flow\.nothing, which holds no value$/,
    ],
    [
      "an environment variable",
      entry("env", "NO_SUCH"),
      /^Placeholders number 2 is set to the environment variable NO_SUCH/,
    ],
    [
      "an expression",
      entry("jsonata", "nothing.there"),
      /^Placeholders number 2 is set to an expression that gives no/,
    ],
    [
      "an expression that fails",
      entry("jsonata", "$number('x')"),
      /^Placeholders number 2 could not be read from the expression: /,
    ],
  ];
  for (const [title, second, expected] of unresolved) {
    it(`refuse when ${title} yields nothing`, async () => {
      const result = await refused(list(entry("str", "a"), second, entry("str", "c")));
      assert.equal(result.statusName, "FIELD_UNRESOLVED");
      assert.match(result.detail, expected);
    });
  }

  it("refuse the whole when the property holds nothing", async () => {
    const result = await refused(from("msg", "values"));
    assert.equal(result.statusName, "FIELD_UNRESOLVED");
  });

  for (const stored of ["order.id", [{ value: 7, source: "str" }], [null]]) {
    it(`never leave out silently what a flow holds as ${JSON.stringify(stored)}`, async () => {
      const { send, caught } = await service.start({
        localizableParams: stored,
        localizableParamsSource: "list",
      });
      send({ to: TO });
      assert.match(JSON.stringify((await caught.until(1))[0]), /Placeholders .*list in the node/);
      assert.equal(service.simulator.main.requestCount, 0);
    });
  }
});
