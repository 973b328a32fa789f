import assert from "node:assert/strict";
import { type Config, resultOf, untilBadge } from "../flow";
import { bodyOf, SimulatedService } from "../simulated-service";

const SENDER: Config = {
  type: "messaging-sms-send",
  interface: "json",
  braces: "fill",
  recipientAddressList: "payload",
  recipientAddressListSource: "msg",
  messageContent: "Dear {{name}}",
  messageContentSource: "str",
};
const row = (at: number, name: string): Config => ({ mobile: `+4179000000${at}`, name });

interface Part {
  readonly id: string;
  readonly index: number;
}
const partOf = (msg: unknown): Part => (msg as { parts: Part }).parts;
const byPlace = (a: unknown, b: unknown): number => partOf(a).index - partOf(b).index;

describe("rows of people", () => {
  const service = new SimulatedService(SENDER);

  it("warns once, in the log and the badge, of number cells and rounded numbers", async () => {
    const flow = await service.start({ messageContent: "{{name}}, pay {{amount}}" });
    const people = [41_791_200_000, 41_791_300_000].map((mobile) => ({ mobile, name: "Anna", amount: 10.3 }));
    flow.send({ payload: people });
    await flow.all.until(2);
    await untilBadge(flow, /check cells: numbers/);
    await untilBadge(flow, /check numbers: rounded\?/);
    const warned = flow.log("warn").filter((line) => line.includes("parse numerical values"));
    assert.deepEqual(warned.length, 2, String(warned));
  });

  it("sends each row its own text, with one result for each", async () => {
    const { send, all, completed } = await service.start();
    const rows = [row(1, "Anna"), row(2, "Beat"), row(3, "Carla")];
    send({ payload: rows, topic: "kept", parts: { id: "outer" } });
    const messages = [...(await all.until(3))].sort(byPlace);
    await completed.until(1);
    assert.deepEqual(
      service.requests
        .map((each) => bodyOf(each) as Config)
        .map((body) => [body.recipientAddressList, body.messageContent]),
      [
        [["41790000001"], "Dear Anna"],
        [["41790000002"], "Dear Beat"],
        [["41790000003"], "Dear Carla"],
      ],
    );
    const { id } = partOf(messages[0]);
    for (const [index, msg] of messages.entries()) {
      assert.deepEqual(msg.payload, rows[index]);
      assert.equal(msg.topic, "kept");
      assert.deepEqual(msg.parts, {
        id,
        index,
        count: 3,
        type: "array",
        property: "result",
        rows: "payload",
        parts: { id: "outer" },
      });
      assert.deepEqual(resultOf(msg).recipients, [`4179000000${index + 1}`]);
      assert.ok(resultOf(msg).clientMessageId?.endsWith(`-${index + 1}`));
    }
    assert.equal(new Set(messages.map((msg) => resultOf(msg).clientMessageId)).size, 3);
    assert.equal(completed.messages.length, 1);
    assert.equal(rows.length, 3);
  });

  it("looks in the row first, then in the message", async () => {
    const { send, all } = await service.start({ messageContent: "{{name}} {{place}} {{payload.name}}" });
    send({ payload: [row(1, "Anna")], name: "nobody", place: "Chur" });
    assert.equal(resultOf((await all.until(1))[0]).outcome, "sent");
    assert.equal((bodyOf(service.requests[0]) as Config).messageContent, "Anna Chur Anna");
  });

  it("sends later rows their text when a flow changes the message of an earlier one", async () => {
    const { send, all, ports } = await service.start(
      { messageContent: "{{clinic.name}}" },
      { account: { connections: 1 } },
    );
    const clinic = { name: "Chur" };
    void ports[0]?.until(1).then(([first]) => {
      (first as unknown as { clinic: typeof clinic }).clinic.name = "changed";
      clinic.name = "changed";
    });
    const payload = Array.from({ length: 100 }, (_none, at) => ({ mobile: `+4179${1_000_000 + at}` }));
    send({ payload, clinic });
    await all.until(payload.length);
    const texts = service.requests.map((each) => (bodyOf(each) as Config).messageContent);
    assert.deepEqual(new Set(texts), new Set(["Chur"]));
  });

  it("rejects only invalid rows, and entries that are no rows", async () => {
    const { send, all, ports } = await service.start({ messageContent: "Hello {{who}}" });
    const wrong = [
      { mobile: "hello", name: "A" },
      { mobile: "", name: "B" },
      { street: "C", name: "C" },
      { mobile: "+41790000001", Telefon: "+41790000002", name: "D" },
      { mobile: "+41790000001, +41790000002", name: "E" },
      { mobile: "+41790000001", who: "" },
      null,
      ["+41790000001"],
      true,
      "+41790000009",
    ];
    send({ payload: [...wrong, row(1, "Anna")], who: "you" });
    const messages = [...(await all.until(11))].sort(byPlace);
    const words = messages.map((msg) => `${resultOf(msg).outcome} ${resultOf(msg).statusMessage}`);
    const EXPECTED = [
      /^rejected .*hello/,
      /^rejected .*nothing in the column 'mobile'/,
      /^rejected .*'street', 'name'.*Number column/,
      /^rejected .*several columns.*'mobile', 'Telefon'.*Number column/,
      /^rejected .*several numbers in the column 'mobile'/,
      /^rejected .*no value for \{\{who\}\}/,
      /^rejected /,
      /^rejected .*list/,
      /^rejected /,
      /^sent /,
      /^sent /,
    ];
    for (const [at, expected] of EXPECTED.entries()) {
      assert.match(words[at] ?? "", expected);
    }
    assert.deepEqual(
      messages.slice(0, 6).map((msg) => resultOf(msg).recipients),
      [["hello"], [], [], [], ["+41790000001, +41790000002"], ["41790000001"]],
    );
    assert.match(words[0] ?? "", /A \(row 1\), 'hello': /);
    assert.match(words[1] ?? "", /^rejected B \(row 2\): /);
    assert.equal(ports[0]?.messages.length, 2);
    assert.equal(service.requests.length, 2);
  });

  it("sends the whole list again to those who did not get it, with a once key of the row", async () => {
    const { send, all } = await service.start({
      onceKey: "reminder {{name}}",
      onceKeySource: "str",
      messageContent: "Dear {{name}} {{when}}",
    });
    send({ payload: [{ ...row(1, "Anna"), when: 8 }, row(2, "Beat")] });
    await all.until(2);
    send({
      payload: [
        { ...row(1, "Anna"), when: 8 },
        { ...row(2, "Beat"), when: 9 },
      ],
    });
    const [first, second] = [...(await all.until(4))].slice(2).sort(byPlace);
    assert.equal(resultOf(first).statusName, "ALREADY_SENT");
    assert.equal(resultOf(second).outcome, "sent");
    assert.equal(service.requests.length, 2);
  });

  it("raises the errors of rows whose port leads nowhere with their row, and completes the list once", async () => {
    const { send, caught, completed } = await service.start({}, { wired: [0] });
    send({ payload: [row(1, ""), row(2, ""), row(3, "Carla")] });
    const errors = await caught.until(2);
    await completed.until(1);
    assert.deepEqual(
      errors.map(({ payload }) => (payload as Config).mobile),
      ["+41790000001", "+41790000002"],
    );
  });
});

describe("rows of people: WhatsApp and RCS", () => {
  const whatsapp = new SimulatedService({ type: "messaging-whatsapp-send", braces: "fill" });
  const rcs = new SimulatedService({ type: "messaging-rcs-send", braces: "fill" });
  const ROWS = { recipients: "payload.people", recipientsSource: "msg" };
  const people = (): Config => ({ payload: { people: [row(1, "Anna"), row(2, "Beat")], other: 1 } });

  for (const [name, service, content] of [
    ["WhatsApp", whatsapp, { kind: "text", content: "Dear {{name}}", contentSource: "str" }],
    ["RCS", rcs, { kind: "text", textMessage: "Dear {{name}}", textMessageSource: "str" }],
  ] as const) {
    it(`sends rows of a deep property by ${name}`, async () => {
      const { send, all } = await service.start({ ...ROWS, ...content });
      send(people());
      const messages = [...(await all.until(2))].sort(byPlace);
      assert.deepEqual(
        messages.map(({ payload }) => payload),
        [
          { people: row(1, "Anna"), other: 1 },
          { people: row(2, "Beat"), other: 1 },
        ],
      );
      const sent = service.requests.map((each) => JSON.stringify(bodyOf(each)));
      assert.equal(sent.length, 2);
      assert.match(sent[0] ?? "", /Dear Anna/);
      assert.match(sent[1] ?? "", /Dear Beat/);
    });
  }
});
