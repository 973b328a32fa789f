import assert from "node:assert/strict";
import { deliveryReport, inboundMessage, inboundSms, statusMessage } from "../../support/http/webhook-events";
import { ACKNOWLEDGED, PATH, post, type ReceivedMessage, SECRET, useWebhook, WEBHOOK } from "./webhook-flow";

describe("webhook-in", () => {
  const { start } = useWebhook();

  it("acknowledges an inbound message and emits it as the service wrote it", async () => {
    const { url, ports } = await start();
    const event = inboundMessage({
      mediaId: "0b6a2a7c-3a1e-4c59-8a63-2f6d3c1b9a11",
      somethingNew: { kept: [1] },
    });
    assert.deepEqual(
      await post(url + PATH, event, { "x-forwarded-for": "203.0.113.9", cookie: "a=b" }),
      ACKNOWLEDGED,
    );
    const [msg] = (await ports[0]!.until(1)) as ReceivedMessage[];
    assert.deepEqual(msg!.payload, event);
    assert.equal(msg!.topic, "+41790000001");
    assert.match(msg!.event.key, /^sha256:[\w-]{43}$/);
    assert.deepEqual(
      { ...msg!.event, key: "" },
      { kind: "inbound", key: "", possibleDuplicate: false, simulated: false, channel: "whatsapp" },
    );
    assert.equal(msg!.req.ip, "127.0.0.1");
    assert.equal(msg!.req.headers["content-type"], "application/json;charset=UTF-8");
    assert.equal(msg!.req.headers.cookie, undefined);
  });

  it("notes in the badge that a public address without TLS shows the secret, and works all the same", async () => {
    const { url, untilBadge, log } = await start({ webhook: { publicAddress: "http://hooks.example.com" } });
    await untilBadge(/^public address without TLS · nothing received yet/);
    assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
    await untilBadge(/^1 received · public address without TLS · \d/);
    assert.deepEqual(log("error"), []);
  });

  for (const [title, webhook] of [
    ["over https", { publicAddress: "https://hooks.example.com" }],
    ["on this computer", { publicAddress: "http://localhost:1880" }],
    ["where there is no secret", { publicAddress: "http://hooks.example.com", auth: "none" }],
  ] as const) {
    it(`notes no such thing of an address ${title}`, async () => {
      const { url, untilBadge, statuses } = await start({ webhook });
      assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
      await untilBadge(/\d received/);
      assert.doesNotMatch(JSON.stringify(statuses.messages), /without TLS/);
    });
  }

  it("sends messages that can be copied and written down, with no secret in them", async () => {
    const { url, ports, RED } = await start({ webhook: { auth: "header", headerName: "X-Hook" } });
    const answer = await post(`${url}/messaging/${WEBHOOK}`, inboundMessage(), {
      "x-hook": SECRET,
      authorization: `Basic ${Buffer.from(`u:${SECRET}`).toString("base64")}`,
    });
    assert.deepEqual(answer, ACKNOWLEDGED);
    const [msg] = await ports[0]!.until(1);
    const copy = RED.util.cloneMessage(msg!);
    assert.deepEqual(JSON.parse(JSON.stringify(copy)), JSON.parse(JSON.stringify(msg)));
    assert.deepEqual(copy, msg);
    assert.doesNotMatch(JSON.stringify(msg), new RegExp(`${SECRET}|Basic|x-hook`, "i"));
  });

  type PortRow = readonly [
    kind: "inbound" | "status",
    what: string,
    event: Record<string, unknown>,
    port: number,
    expected: string,
    topic: string | undefined,
  ];
  const ofStatus = ([word, port]: readonly [string, number]): PortRow => {
    const event = statusMessage({ messageStatus: word });
    return ["status", `the status ${word}`, event, port, "status", "+41790000001"];
  };
  const ofReport = ([word, port]: readonly [string, number]): PortRow => {
    const event = deliveryReport({ deliveryReportMessageStatus: word });
    return ["status", `the report ${word}`, event, port, "report", "41790000001"];
  };
  const FAILED = ["rejected", "expired", "deleted"].map((word) => [word, 1] as const);
  const PORTS: readonly PortRow[] = [
    ["inbound", "an inbound message", inboundMessage(), 0, "inbound", "+41790000001"],
    ["inbound", "an inbound SMS", inboundSms(), 0, "inbound", "41790000001"],
    ["inbound", "a status", statusMessage(), 1, "unrecognised", undefined],
    ["inbound", "a report", deliveryReport(), 1, "unrecognised", undefined],
    ["status", "an inbound message", inboundMessage(), 3, "unrecognised", undefined],
    ...([["delivered", 0], ["failed", 1], ...FAILED, ["sent", 2], ["read", 2], ["new", 2]] as const).map(
      ofStatus,
    ),
    ...([["delivered", 0], ...FAILED, ["undelivered", 2], ["accepted", 2]] as const).map(ofReport),
  ];
  for (const [kind, what, event, port, expected, topic] of PORTS) {
    it(`of kind ${kind} sends ${what} to port ${port + 1}`, async () => {
      const { url, all, ports } = await start({ webhook: { kind } });
      assert.deepEqual(await post(url + PATH, event), ACKNOWLEDGED);
      await all.until(1);
      const [msg] = ports[port]!.messages as ReceivedMessage[];
      assert.ok(msg, `nothing on port ${port + 1}`);
      assert.deepEqual([msg.event.kind, msg.topic, msg.payload], [expected, topic, event]);
      assert.equal("topic" in msg, topic !== undefined);
    });
  }

  const without = (event: Record<string, unknown>, name: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(event).filter(([key]) => key !== name));
  const FILE = { mediaId: "0b6a2a7c-3a1e-4c59-8a63-2f6d3c1b9a11" };
  const telegram = (sender: string) => inboundMessage({ type: "Telegram", sender, content: "Hi" });
  /** Event, and what the message says of person and words; `undefined` where it says nothing. */
  type Person = readonly [what: string, event: object, from: string | undefined, text: string | undefined];
  const INBOUND: readonly Person[] = [
    ["a WhatsApp message", inboundMessage({ content: "Yes" }), "+41790000001", "Yes"],
    ["an RCS message", inboundMessage({ type: "RCS", content: "Tapped" }), "+41790000001", "Tapped"],
    ["an SMS", inboundSms({ textMessageContent: "Yes" }), "+41790000001", "Yes"],
    ["an SMS without words", inboundSms({ textMessageContent: "" }), "+41790000001", ""],
    ["a number in groups", inboundMessage({ sender: "+41 79 000 00 01" }), "+41790000001", "yes"],
    ["a caption", inboundMessage({ ...FILE, content: "My knee" }), "+41790000001", "My knee"],
    ["a file", { ...without(inboundMessage(), "content"), ...FILE }, "+41790000001", ""],
    [
      "a binary SMS",
      { messageType: "binary", senderAddress: "41790000001", binaryMessageContent: ["AAEC"] },
      "+41790000001",
      "",
    ],
    ["a user without a number", inboundMessage({ sender: "user-17", content: "Hi" }), undefined, "Hi"],
    ["a user of Telegram", telegram("41790000099"), "telegram:41790000099", "Hi"],
    ["a user of Telegram with zeros", telegram("0041790000099"), "telegram:0041790000099", "Hi"],
    ["a number on Telegram", telegram("+41 79 000 00 99"), "+41790000099", "Hi"],
    ["separators in an id", telegram("x, +417;\n50%"), "telegram:x%2C%20+417%3B%0A50%25", "Hi"],
    ["a voice call", inboundMessage({ type: "voice", sender: "41790000001" }), "+41790000001", "yes"],
    ["what is no message", { content: "Yes", sender: "+41790000001" }, undefined, undefined],
  ];
  const STATUSES: readonly Person[] = [
    ["a status of Viber", statusMessage({ type: "viber", sender: "41790000099" }), "viber:41790000099", ""],
    ["a status", statusMessage({ content: "not theirs" }), "+41790000001", ""],
    ["a report", deliveryReport(), "+41790000001", ""],
    ["a status about nobody", without(statusMessage(), "sender"), undefined, ""],
  ];
  for (const [kind, people] of [
    ["inbound", INBOUND],
    ["status", STATUSES],
  ] as const) {
    for (const [what, event, from, text] of people) {
      it(`says of ${what} who it is about, with plus, and what was written`, async () => {
        const { url, all } = await start({ webhook: { kind } });
        assert.deepEqual(await post(url + PATH, event), ACKNOWLEDGED);
        const [msg] = (await all.until(1)) as ReceivedMessage[];
        assert.deepEqual([msg!.from, msg!.text, msg!.payload], [from, text, event]);
        assert.deepEqual(["from" in msg!, "text" in msg!], [from !== undefined, text !== undefined]);
      });
    }
  }

  for (const value of [null, 7, "text", [], [1, 2], {}, { messageType: "text" }]) {
    it(`acknowledges ${JSON.stringify(value)} and sends it to the last port, raw`, async () => {
      const { url, ports } = await start({ webhook: { kind: "status" } });
      assert.deepEqual(await post(url + PATH, JSON.stringify(value)), ACKNOWLEDGED);
      const [msg] = (await ports[3]!.until(1)) as ReceivedMessage[];
      assert.deepEqual([msg!.payload, msg!.event.kind], [value, "unrecognised"]);
      assert.equal("unparsed" in msg!.event, false);
    });
  }

  const UNPARSED: readonly [unparsed: string, text: string][] = [
    ["too-deep", JSON.stringify(statusMessage()).replace("{", `{"deep":${"[".repeat(40)}${"]".repeat(40)},`)],
    ["forbidden-key", JSON.stringify(statusMessage()).replace("{", '{ "__proto__":{"polluted":1},')],
    ["forbidden-key", '{"constructor":{"prototype":{"polluted":1}}}'],
  ];
  for (const [unparsed, text] of UNPARSED) {
    for (const acknowledge of ["receipt", "flow"]) {
      it(`acknowledges (${acknowledge}) what is ${unparsed} as a value, and sends the text: ${text.slice(0, 20)}`, async () => {
        const { url, ports, RED } = await start({ webhook: { kind: "status", acknowledge, ackTimeout: 60 } });
        assert.deepEqual(await post(url + PATH, text), ACKNOWLEDGED);
        const [msg] = (await ports[3]!.until(1)) as ReceivedMessage[];
        assert.deepEqual(
          [msg!.payload, msg!.event.kind, msg!.event.unparsed, msg!.topic],
          [text, "unrecognised", unparsed, undefined],
        );
        assert.deepEqual(RED.util.cloneMessage(msg!), msg);
        assert.equal(({} as { polluted?: number }).polluted, undefined);
      });
    }
  }

  it("refuses without the secret, counts it in the badge, and emits nothing", async () => {
    const { url, all, untilBadge } = await start();
    const bare = `${url}/messaging/${WEBHOOK}`;
    assert.equal((await post(bare, inboundMessage())).status, 401);
    assert.equal((await post(`${bare}?secret=wrong`, '{"__proto__":1}')).status, 401);
    assert.deepEqual(await post(url + PATH, inboundMessage()), ACKNOWLEDGED);
    await all.until(1);
    await untilBadge(/^1 received · \d refused .*\d\d:\d\d:\d\d$/);
    assert.equal(all.messages.length, 1);
  });

  it("accepts two secrets at a time, and no blank one", async () => {
    const { url } = await start({ credentials: { secret: "new-secret", secondSecret: "old-secret" } });
    const at = (secret: string): string => `${url}/messaging/${WEBHOOK}?secret=${secret}`;
    const answers = await Promise.all(
      ["new-secret", "old-secret", "", "new-secre"].map((secret) => post(at(secret), inboundMessage())),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 401, 401],
    );
  });

  it("refuses every call while it has no secret, and reports it", async () => {
    const { url, log, untilBadge } = await start({ credentials: {} });
    assert.equal((await post(`${url}/messaging/${WEBHOOK}?secret=`, inboundMessage())).status, 401);
    assert.match(log("error").join(), /no secret yet.*Open the node/);
    await untilBadge(/no secret: open this node/);
  });

  it("takes Basic credentials, with two passwords at a time", async () => {
    const { url } = await start({
      webhook: { auth: "basic" },
      credentials: { username: "gateway", password: "pässword:1", secondPassword: "older" },
    });
    const as = (pair: string) =>
      post(`${url}/messaging/${WEBHOOK}`, inboundMessage(), {
        authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
      });
    const answers = await Promise.all(["gateway:pässword:1", "gateway:older", "gateway:", "x:older"].map(as));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 401, 401],
    );
  });
});
