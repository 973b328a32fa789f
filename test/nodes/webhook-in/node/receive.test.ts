import assert from "node:assert/strict";
import {
  deliveryReport,
  inboundMessage,
  inboundSms,
  statusMessage,
} from "../../../support/http/webhook-events";
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

  const report = (word: string) =>
    deliveryReport({ deliveryReportMessageStatus: word, notificationId: `of ${word}` });

  it("sends each kind of status by its own output", async () => {
    const { url, ports, all } = await start({ webhook: { kind: "status" } });
    for (const [event, port, kind] of [
      [statusMessage({ messageStatus: "delivered" }), 0, "status"],
      [statusMessage({ messageStatus: "failed" }), 1, "status"],
      [statusMessage({ messageStatus: "read" }), 2, "status"],
      [report("delivered"), 0, "report"],
      [report("expired"), 1, "report"],
      [report("accepted"), 2, "report"],
      [inboundMessage(), 3, "unrecognised"],
    ] as const) {
      const count = all.messages.length + 1;
      assert.deepEqual(await post(url + PATH, event), ACKNOWLEDGED);
      const msg = (await all.until(count)).at(-1) as ReceivedMessage;
      assert.deepEqual([msg.payload, msg.event.kind], [event, kind]);
      assert.equal(ports[port]!.messages.at(-1), msg, `not on port ${port + 1}`);
    }
  });

  const { content: _none, ...file } = inboundMessage({ mediaId: "0b6a2a7c-3a1e-4c59-8a63-2f6d3c1b9a11" });
  const telegram = (sender: string) => inboundMessage({ type: "Telegram", sender, content: "Hi" });
  /** Event, and what the message says of person and words; `undefined` where it says nothing. */
  type Person = readonly [event: object, from: string | undefined, text: string | undefined];
  const INBOUND: readonly Person[] = [
    [inboundMessage({ content: "Yes" }), "+41790000001", "Yes"],
    [inboundSms({ textMessageContent: "Yes" }), "+41790000001", "Yes"],
    [inboundMessage({ sender: "+41 79 000 00 01" }), "+41790000001", "yes"],
    [file, "+41790000001", ""],
    [inboundMessage({ sender: "user-17", content: "Hi" }), undefined, "Hi"],
    [telegram("41790000099"), "telegram:41790000099", "Hi"],
    [telegram("+41 79 000 00 99"), "+41790000099", "Hi"],
    [telegram("x, +417;\n50%"), "telegram:x%2C%20+417%3B%0A50%25", "Hi"],
    [{ content: "Yes", sender: "+41790000001" }, undefined, undefined],
  ];
  it("names person and words of each inbound message", async () => {
    const { url, all } = await start();
    for (const [event, from, text] of INBOUND) {
      const count = all.messages.length + 1;
      assert.deepEqual(await post(url + PATH, event), ACKNOWLEDGED);
      const msg = (await all.until(count)).at(-1) as ReceivedMessage;
      assert.deepEqual([msg.from, msg.text, msg.payload], [from, text, event]);
      assert.deepEqual(["from" in msg, "text" in msg], [from !== undefined, text !== undefined]);
    }
  });

  it("acknowledges any other value and emits it unchanged", async () => {
    const { url, ports } = await start({ webhook: { kind: "status" } });
    const values = [null, 7, "text", [], { messageType: "text" }];
    for (const [at, value] of values.entries()) {
      assert.deepEqual(await post(url + PATH, JSON.stringify(value)), ACKNOWLEDGED);
      const msg = (await ports[3]!.until(at + 1))[at] as ReceivedMessage;
      assert.deepEqual([msg.payload, msg.event.kind], [value, "unrecognised"]);
      assert.equal("unparsed" in msg.event, false);
    }
  });

  it("emits a body as text when it is too deep or has a forbidden key", async () => {
    const { url, ports } = await start({ webhook: { kind: "status", acknowledge: "flow", ackTimeout: 60 } });
    const deep = `{"deep":${"[".repeat(40)}${"]".repeat(40)},`;
    for (const [at, [unparsed, text]] of [
      ["too-deep", JSON.stringify(statusMessage()).replace("{", deep)],
      ["forbidden-key", JSON.stringify(statusMessage()).replace("{", '{ "__proto__":{"polluted":1},')],
      ["forbidden-key", '{"constructor":{"prototype":{"polluted":1}}}'],
    ].entries()) {
      assert.deepEqual(await post(url + PATH, text), ACKNOWLEDGED);
      const msg = (await ports[3]!.until(at + 1))[at] as ReceivedMessage;
      assert.deepEqual([msg.payload, msg.event.kind, msg.event.unparsed], [text, "unrecognised", unparsed]);
      assert.equal(({} as { polluted?: number }).polluted, undefined);
    }
  });

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
