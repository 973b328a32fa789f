import assert from "node:assert/strict";
import type { NodeAPI, NodeMessage } from "node-red";
import type { SendResult } from "../../../lib/runtime/channels/send-result";
import type { WaitResult } from "../../../lib/runtime/message-wait/wait-result";
import { WaitNode } from "../../../lib/runtime/message-wait/wait-node";
import type { WaitConfig } from "../../../lib/runtime/message-wait/wait-settings";
import { registerNode } from "../../../lib/runtime/node-red/register-node";
import { MessagingError } from "../../../lib/shared/messaging-error";
import type { Language } from "../../../lib/texts/catalogues";
import registerWebhook from "../../../nodes/webhook-in/webhook-in";
import { findEnglish } from "../../support/locales/english-words";
import { reportLate } from "../../../lib/runtime/waits/late-answers";
import { waitFor } from "../../support/wait-for";
import { FakeWaits, replyOf } from "../../support/waits/fake-waits";
import { ACCOUNT, type Config, SENDER, startFlow, stopFlow, stopServer, type TestFlow } from "../flow";

const HAPPENED = 0;
const FAILED = 1;
const SILENT = 2;
const OTHER = 3;
const ANNA = "41790000001";
const BEAT = "41790000002";
const AT = "2027-03-01T12:00:00.000Z";

type Parts = Readonly<Record<string, unknown>>;
type Msg = NodeMessage & {
  readonly to: unknown;
  readonly wait: WaitResult;
  readonly parts?: Parts;
  readonly result: SendResult;
};

const result = (given: Partial<Record<keyof SendResult, unknown>> = {}): Record<string, unknown> => ({
  operation: "sms-json",
  outcome: "sent",
  statusCode: 2000,
  transferId: "t-1",
  clientMessageId: "c-1",
  recipients: [ANNA],
  ...given,
});

/** A webhook-in node of the account, so that no warning is in the way. */
const webhook = (given: Config = {}): Config => ({
  id: "n-webhook",
  z: "tab",
  type: "webhook-in",
  account: ACCOUNT,
  kind: "status",
  wires: [[], [], [], []],
  ...given,
});

describe("message-wait", () => {
  let waits: FakeWaits;
  let open: () => Promise<FakeWaits>;

  beforeEach(() => {
    waits = new FakeWaits();
    open = async () => waits;
  });
  afterEach(stopFlow);
  after(stopServer);

  const register = (RED: NodeAPI): void => {
    runtime = RED;
    registerNode<WaitConfig>(RED, "message-wait", (node, config) => {
      new WaitNode(RED, node, config, () => open());
    });
  };

  interface Start {
    readonly account?: Config;
    readonly language?: Language;
    readonly more?: readonly Config[];
    readonly ports?: 6;
  }

  let runtime: Pick<NodeAPI, "events">;

  async function start(config: Config = {}, options: Start = {}): Promise<TestFlow> {
    const kind = config.kind === "reply" ? "inbound" : "status";
    return startFlow({
      sender: { type: "message-wait", ...config },
      register: [register, registerWebhook],
      more: [webhook({ kind })],
      ...options,
    });
  }

  /** Sends a message that begins to wait. */
  async function begin(flow: TestFlow, msg: Record<string, unknown> = { result: result() }): Promise<void> {
    const before = flow.completed.messages.length;
    flow.send(msg);
    await Promise.race([flow.completed.until(before + 1), flow.caught.until(1)]);
    assert.deepEqual(flow.caught.messages, []);
  }

  const leaving = async (flow: TestFlow, port: number, count = 1): Promise<Msg> =>
    (await flow.ports[port]!.until(count))[count - 1] as Msg;

  const badges = (flow: TestFlow): readonly string[] =>
    flow.statuses.messages.map((msg) => {
      const { status } = msg as unknown as { status: { fill: string; shape: string; text: string } };
      return `${status.fill} ${status.shape}: ${status.text}`;
    });
  const untilBadge = (flow: TestFlow, badge: string): Promise<unknown> =>
    waitFor(
      () => `the badge ${badge}, but it is ${badges(flow).at(-1)}`,
      () => badges(flow).at(-1) === badge,
    );

  describe("begins to wait", () => {
    it("for the recipients of a result, and is done with the message then", async () => {
      const flow = await start();
      const before = Date.now();
      await begin(flow, { result: result({ recipients: [ANNA, `+${BEAT}`] }), payload: "kept" });
      const [{ msg, until, ...request }] = waits.begun as [FakeWaits["begun"][number]];
      assert.deepEqual(request, {
        node: SENDER,
        kind: "delivered",
        channel: "any",
        transferId: "t-1",
        clientMessageId: "c-1",
        recipients: [ANNA, BEAT],
        group: null,
      });
      assert.equal(msg.payload, "kept");
      assert.ok(until >= before + 300_000 && until <= Date.now() + 300_000, "5 minutes");
      assert.deepEqual(flow.all.messages, []);
    });

    it("once more only where it does not wait already, after a restart", async () => {
      const flow = await start();
      await begin(flow, { result: result({ restored: true }) });
      assert.equal(waits.begun.at(-1)?.repeated, true);
    });

    it("for replies by the channel of the message, or by any", async () => {
      const channels: Record<string, string> = {};
      for (const replyChannel of ["same", "any"]) {
        const flow = await start({ kind: "reply", replyChannel });
        for (const operation of ["sms-form", "sms-get", "whatsapp-broadcast", "whatsapp-template", "rcs"]) {
          await begin(flow, { result: result({ operation, transferId: null }) });
          channels[`${operation} ${replyChannel}`] = waits.begun.at(-1)!.channel;
        }
        await stopFlow();
      }
      assert.deepEqual(channels, {
        "sms-form same": "sms",
        "sms-get same": "sms",
        "whatsapp-broadcast same": "whatsapp",
        "whatsapp-template same": "whatsapp",
        "rcs same": "rcs",
        "sms-form any": "any",
        "sms-get any": "any",
        "whatsapp-broadcast any": "any",
        "whatsapp-template any": "any",
        "rcs any": "any",
      });
    });

    it("also where the outcome is unknown, or the message is queued", async () => {
      const flow = await start();
      await begin(flow, { result: result({ outcome: "unknown", transferId: null, statusCode: null }) });
      await begin(flow, { result: result({ outcome: "queued", clientMessageId: "" }) });
      assert.deepEqual(
        waits.begun.map(({ transferId, clientMessageId }) => [transferId, clientMessageId]),
        [
          [null, "c-1"],
          ["t-1", null],
        ],
      );
    });

    it("together for the parts of a list that a send node has split, and only for these", async () => {
      const flow = await start({ resultProperty: "sent.sms" });
      const parts = (property: unknown, clientMessageId = "c-1", index = 0): Record<string, unknown> => ({
        sent: { sms: result({ clientMessageId }) },
        parts: { id: "g-1", index, count: 2, type: "array", property },
      });
      await begin(flow, parts("sent.sms"));
      await begin(flow, parts("sent.sms", "c-2", 1));
      await begin(flow, parts("payload"));
      await begin(flow, { sent: { sms: result() }, parts: "odd" });
      // Sent on by itself, with the part that a first send node has made.
      await begin(flow, parts("sent.sms", "another"));
      await begin(flow, parts("sent.sms", "c-1", 1));
      assert.deepEqual(
        waits.begun.map(({ group }) => group),
        ["g-1", "g-1", null, null, null, null],
      );
    });

    it("together also where they have waited before, but not with what was sent since", async () => {
      const flow = await start();
      const parts = { id: "g-1", index: 0, count: 2, type: "array", property: "result" };
      await begin(flow, { result: result({ transferId: "t-1" }), parts });
      waits.end({ what: "failed", status: "failed" });
      const failed = await leaving(flow, FAILED);
      assert.deepEqual(failed.parts, { ...parts, sent: "t-1" });
      await begin(flow, { ...failed });
      await begin(flow, { ...failed, result: result({ transferId: "t-2" }) });
      assert.deepEqual(
        waits.begun.map(({ group }) => group),
        ["g-1", "g-1", null],
      );
    });

    it("as long as is set: a duration, or a moment in the zone of the account", async () => {
      const flow = await start(
        { within: "payload", withinSource: "msg" },
        { account: { timeZone: "Asia/Tokyo" } },
      );
      const now = Date.now();
      const tomorrow = new Date(now + 86_400_000).toISOString().slice(0, 10);
      const cases: readonly (readonly [unknown, number])[] = [
        ["1h 30min", now + 5_400_000],
        ["90 d", now + 90 * 86_400_000],
        ["P1D", now + 86_400_000],
        [now + 60_000, now + 60_000],
        [new Date(now + 70_000), now + 70_000],
        [`${tomorrow} 12:00`, Date.parse(`${tomorrow}T12:00:00+09:00`)],
      ];
      for (const [payload, until] of cases) {
        await begin(flow, { result: result(), payload });
        const late = waits.begun.at(-1)!.until - until;
        assert.ok(late >= 0 && late < 10_000, `${String(payload)}: ${late} ms late`);
      }
    });
  });

  describe("says what was heard", () => {
    it("of a delivery, with the message as it was", async () => {
      const flow = await start();
      await begin(flow, { result: result(), payload: { kept: true }, topic: "kept", to: "before" });
      waits.end({ status: "delivered" });
      const msg = await leaving(flow, HAPPENED);
      assert.deepEqual(msg.wait, {
        outcome: "happened",
        for: "delivered",
        recipients: [`+${ANNA}`],
        status: "delivered",
        at: AT,
        text: null,
        word: null,
        event: null,
        channel: null,
      });
      assert.deepEqual([msg.to, msg.payload, msg.topic], [`+${ANNA}`, { kept: true }, "kept"]);
      assert.equal(msg.parts, undefined);
      assert.equal(msg.result.transferId, "t-1");
    });

    it("of failures, silence and restored ends by their outputs", async () => {
      const flow = await start({ kind: "read" });
      await begin(flow);
      waits.end({ what: "failed", status: "undeliverable" });
      const failed = await leaving(flow, FAILED);
      assert.deepEqual(
        [failed.wait.outcome, failed.wait.for, failed.wait.status],
        ["failed", "read", "undeliverable"],
      );
      waits.end({ what: "silent", replaced: true, restored: true });
      const silent = await leaving(flow, SILENT);
      assert.deepEqual(
        [silent.wait.outcome, silent.wait.replaced, silent.wait.restored, silent.to],
        ["silent", true, true, `+${ANNA}`],
      );
      assert.equal(flow.all.messages.length, 2);
    });

    it("of a list one by one, and of all who are silent in one list that can be sent to", async () => {
      const flow = await start();
      await begin(flow, {
        result: result({ recipients: [ANNA, BEAT, "41790000003"] }),
        parts: { id: "outer" },
      });
      waits.end({ sequence: { id: "s-1", index: 0, count: null } });
      const first = await leaving(flow, HAPPENED);
      assert.deepEqual(first.parts, { id: "s-1", type: "array", index: 0, parts: { id: "outer" } });
      waits.end({
        what: "silent",
        recipients: [BEAT, "41790000003"],
        sequence: { id: "s-1", index: 1, count: 2 },
      });
      const silent = await leaving(flow, SILENT);
      assert.deepEqual(silent.to, [`+${BEAT}`, "+41790000003"]);
      assert.deepEqual(silent.wait.recipients, silent.to);
      assert.deepEqual(silent.parts, {
        id: "s-1",
        type: "array",
        index: 1,
        count: 2,
        parts: { id: "outer" },
      });
      waits.end({ what: "silent", recipients: [BEAT], sequence: { id: "s-1", index: 1, count: 2 } });
      assert.deepEqual((await leaving(flow, SILENT, 2)).to, [`+${BEAT}`], "a list of one is a list");
    });

    describe("with an output for each word", () => {
      const perWord = { kind: "reply", match: "start", words: "Ja, Nein, nein danke", perWord: true };
      const [YES, NO, NO_THANKS, FAILED_BEHIND, SILENT_BEHIND, OTHER_BEHIND] = [0, 1, 2, 3, 4, 5];

      it("of a reply the word's own, and behind them those of the other ends", async () => {
        const flow = await start(perWord, { ports: 6 });
        await begin(flow);
        for (const [text, port] of [
          ["JA, gern!", YES],
          ["nein", NO],
          ["Nein danke", NO_THANKS],
        ] as const) {
          assert.equal(await waits.listener.matches(replyOf(text)), true);
          waits.end({ reply: replyOf(text) });
          assert.equal((await leaving(flow, port)).wait.text, text);
        }
        waits.end({ what: "other", reply: replyOf("vielleicht") });
        assert.equal((await leaving(flow, OTHER_BEHIND)).wait.outcome, "other");
        waits.end({ what: "silent" });
        assert.equal((await leaving(flow, SILENT_BEHIND)).wait.outcome, "silent");
        flow.send({ result: result({ outcome: "rejected", transferId: null }) });
        assert.equal((await leaving(flow, FAILED_BEHIND)).wait.outcome, "failed");
        assert.equal(flow.all.messages.length, 6);
      });

      it("never of another word: what was heard before the words changed is another reply", async () => {
        const flow = await start(perWord, { ports: 6 });
        await begin(flow);
        waits.end({ reply: replyOf("vielleicht") });
        await leaving(flow, OTHER_BEHIND);
        assert.equal(flow.all.messages.length, 1);
      });

      it("only where they are switched on, typed in, and waited for", async () => {
        for (const [config, port] of [
          [{ ...perWord, perWord: undefined }, HAPPENED],
          [{ ...perWord, words: "${WORDS}" }, HAPPENED],
          [{ ...perWord, match: "any" }, HAPPENED],
        ] as const) {
          process.env.WORDS = "Ja, Nein";
          const flow = await start(config);
          await begin(flow);
          waits.end({ reply: replyOf("Nein") });
          assert.equal((await leaving(flow, port)).wait.text, "Nein");
          await stopFlow();
        }
        delete process.env.WORDS;
      });
    });

    it("of replies: their text, the word as it was typed, channel and event", async () => {
      const flow = await start({
        kind: "reply",
        match: "words",
        words: "Ja, Nein",
        waitProperty: "heard.now",
      });
      await begin(flow);
      const { listener } = waits;
      assert.equal(listener.matches(replyOf("JA!")), true);
      assert.equal(listener.matches(replyOf("vielleicht")), false);
      const reply = replyOf("JA!", { channel: "whatsapp" });
      waits.end({ reply });
      const heard = (msg: Msg): WaitResult => (msg as unknown as { heard: { now: WaitResult } }).heard.now;
      const yes = await leaving(flow, HAPPENED);
      const { text, word, channel, event, status } = heard(yes);
      assert.deepEqual([text, word, channel, event, status], ["JA!", "Ja", "whatsapp", reply.event, null]);
      assert.equal((yes as { wait?: unknown }).wait, undefined);
      waits.end({ what: "other", reply: replyOf("vielleicht") });
      const other = heard(await leaving(flow, OTHER));
      assert.deepEqual([other.outcome, other.text, other.word], ["other", "vielleicht", null]);
    });

    it("of another reply in the log, where no node is wired to its output", async () => {
      const flow = await start({ kind: "reply", match: "words", wires: [] });
      await begin(flow);
      waits.end({ what: "other", reply: replyOf("Yes, I will come") });
      await waitFor("a warning", () => flow.log("warn").some((line) => /last output/.test(line)));
      const [line = ""] = flow.log("warn").filter((each) => /last output/.test(each));
      assert.match(line, /^A reply of \+4179…\d+ is none of those/);
      assert.doesNotMatch(line, /come/);
    });

    it("of another reply that nobody gets whether the wait goes on", async () => {
      const ended =
        /^A reply of \+4179…\d+ is none of those.*has ended the wait for this person.*last output/;
      const open = /last output.*The wait goes on\.$/;
      // What the node is set to now may not be what it was when the reply came.
      for (const [others, goesOn, text] of [
        ["over", false, ended],
        ["output", false, ended],
        ["output", true, open],
        ["over", true, open],
      ] as const) {
        const flow = await start({ kind: "reply", match: "words", others, wires: [] });
        await begin(flow);
        waits.end({ what: "other", reply: replyOf("perhaps"), ...(goesOn && { goesOn }) });
        await waitFor("a warning", () => flow.log("warn").some((line) => text.test(line)));
        await stopFlow();
      }
    });

    it("of another reply that ended the question before the node lost the output for it, to a catch node", async () => {
      for (const config of [
        { kind: "reply", match: "words", others: "later" },
        { kind: "delivered", match: "words", others: "over" },
        { kind: "reply", match: "words", others: "later", words: "YES, NO", perWord: true, outputs: 4 },
      ]) {
        const flow = await start(config);
        await begin(flow, { result: result(), payload: "order 7" });
        waits.end({ what: "other", kind: "reply", reply: replyOf("perhaps") });
        const [caught] = (await flow.caught.until(1)) as [Msg & { error: { message: string } }];
        assert.match(caught.error.message, /^A reply of \+4179…\d+ .* ended the wait .* only a catch node/);
        assert.doesNotMatch(caught.error.message, /perhaps|goes on/);
        assert.deepEqual([caught.payload, caught.wait.outcome], ["order 7", "other"]);
        assert.deepEqual(
          flow.ports.map(({ messages }) => messages.length),
          flow.ports.map(() => 0),
        );
        assert.doesNotMatch(flow.log("warn").join("\n"), /A reply of/);
        await stopFlow();
      }
    });

    it("of another reply that ended the question before every reply counted by the output for those that count", async () => {
      const flow = await start({ kind: "reply", match: "any" });
      await begin(flow);
      waits.end({ what: "other", reply: replyOf("perhaps") });
      const { outcome, text } = (await leaving(flow, HAPPENED)).wait;
      assert.deepEqual([outcome, text], ["happened", "perhaps"]);
      await untilBadge(flow, "green dot: 1 replied");
      assert.doesNotMatch(flow.log("warn").join("\n"), /A reply of/);
    });

    it("of those who are silent who has written something else", async () => {
      const flow = await start({ kind: "reply", match: "words" });
      await begin(flow);
      waits.end({ what: "silent", recipients: [ANNA, BEAT], wrote: [BEAT] });
      assert.deepEqual((await leaving(flow, SILENT)).wait.wrote, [`+${BEAT}`]);
    });

    it("of replies by a pattern, while others stay for later", async () => {
      const config = { kind: "reply", match: "pattern", pattern: String.raw`^(yes|ok)\b`, others: "later" };
      await start(config);
      const { listener } = await waitFor("the node to join", () => waits.joined.size > 0 && waits);
      assert.equal(listener.others, "later");
      const isMeant = async (text: string): Promise<boolean | null> => listener.matches(replyOf(text));
      assert.deepEqual(await Promise.all(["OK then", "okay", "oh yes"].map(isMeant)), [true, false, false]);
    });

    it("of a reply that its pattern takes too long for: what it is is not known, and a flow can catch that", async () => {
      const flow = await start({ kind: "reply", match: "pattern", pattern: String.raw`^(\w+\s?)*$` });
      const { listener } = await waitFor("the node to join", () => waits.joined.size > 0 && waits);
      const reply = replyOf(`${"a".repeat(40)}!`);
      assert.equal(await listener.matches(reply), null);
      const [caught] = (await flow.caught.until(1)) as [
        NodeMessage & { error: { code: string; message: string } },
      ];
      assert.equal(caught.error.code, "PATTERN_TOO_SLOW");
      assert.match(caught.error.message, /within 100 ms/);
      assert.deepEqual(caught.payload, reply.event);
      await untilBadge(flow, "red ring: pattern is too slow");
      assert.equal(await listener.matches(replyOf("yes please")), true, "the next reply is compared");
    });

    it("elsewhere where the property cannot be set", async () => {
      for (const waitProperty of ["payload.length", "a["]) {
        const flow = await start({ waitProperty });
        await begin(flow, { result: result(), payload: "Hello" });
        waits.end({});
        assert.equal((await leaving(flow, HAPPENED)).wait.outcome, "happened");
        assert.match(flow.log("warn").join("\n"), /in msg\.wait, because msg\..* cannot be set/);
        await stopFlow();
      }
    });
  });

  describe("lets what was not accepted fail at once", () => {
    for (const outcome of ["rejected", "denied", "retry-later"]) {
      it(outcome, async () => {
        const flow = await start();
        await begin(flow, { result: result({ outcome, transferId: null, clientMessageId: null }) });
        const { wait, to, parts } = await leaving(flow, FAILED);
        assert.deepEqual(
          [wait.outcome, wait.for, wait.status, wait.recipients, to, parts],
          ["failed", "delivered", null, [`+${ANNA}`], `+${ANNA}`, undefined],
        );
        assert.ok(Math.abs(Date.parse(wait.at) - Date.now()) < 60_000);
        assert.deepEqual(waits.begun, []);
      });
    }

    it("with a message for each recipient of a list, as they were given", async () => {
      const flow = await start();
      const to = [ANNA, BEAT, "Ada"];
      await begin(flow, { result: result({ outcome: "rejected", recipients: to }), to, payload: { n: 1 } });
      const messages = (await flow.ports[FAILED]!.until(3)) as Msg[];
      assert.deepEqual(
        messages.map((msg) => [msg.to, msg.parts?.index, msg.parts?.count]),
        [
          [`+${ANNA}`, 0, undefined],
          [`+${BEAT}`, 1, undefined],
          ["Ada", 2, 3],
        ],
      );
      assert.equal(new Set(messages.map(({ parts }) => parts?.id)).size, 1);
      assert.equal(new Set(messages.map(({ payload }) => payload)).size, 3, "an object of its own for each");
    });
  });

  /** @returns code and text of the error of one message */
  async function errorOf(flow: TestFlow, msg: Record<string, unknown>): Promise<[string, string]> {
    flow.send({ ...msg });
    const [caught] = await flow.caught.until(1);
    assert.deepEqual([flow.all.messages, flow.completed.messages, waits.begun], [[], [], []]);
    const { error } = caught as NodeMessage & { error: { message: string; code: string } };
    return [error.code, error.message];
  }

  const FAR = new Date(Date.now() + 91 * 86_400_000).toISOString().slice(0, 10);
  const SENT = { result: result() };
  const NO_RESULT = /^“Send result” \(msg\.result\) has no result of a send node\. Wire the input/;
  const resultWith = (given: Parameters<typeof result>[0]) => ({ result: result(given) });
  type Wrong = readonly [title: string, text: RegExp, msg: Record<string, unknown>, config?: Config];
  const WRONG: readonly Wrong[] = [
    ["a message without a result", NO_RESULT, {}],
    ["a result that is something else", NO_RESULT, { result: { outcome: "sent" } }],
    ["an outcome that is none", NO_RESULT, resultWith({ outcome: "toString" })],
    [
      "a result elsewhere",
      /^“Send result” \(msg\.sent\.sms\) has no result/,
      SENT,
      { resultProperty: "sent.sms" },
    ],
    [
      "the result of a file transfer",
      /^“Send result” \(msg\.result\) is the result of a file transfer/,
      resultWith({ operation: "media-upload", recipients: [] }),
    ],
    ["an operation that is none", /file transfer/, resultWith({ operation: "toString" })],
    ["a result without recipients", /has no recipients/, resultWith({ recipients: [] })],
    [
      "a refused result without recipients",
      /has no recipients/,
      resultWith({ outcome: "rejected", recipients: [] }),
    ],
    [
      "a result without ids",
      /neither a transferId nor a clientMessageId/,
      resultWith({ transferId: null, clientMessageId: null }),
    ],
    [
      "a time that is none",
      /^Within must be a duration such as 5 min, .* but is 'soon'$/,
      SENT,
      { within: "soon" },
    ],
    ["no time", /Within is set to msg\.t/, SENT, { within: "t", withinSource: "msg" }],
    ["a blank time", /^Within must be a duration .* but is ''$/, SENT, { within: "" }],
    ["a number without a unit", /^Within must be a duration/, SENT, { within: "300" }],
    [
      "a time that has passed",
      /^Within must be at least one second from now, but is '2024-01-01'/,
      SENT,
      { within: "2024-01-01" },
    ],
    ["no time at all", /at least one second from now/, SENT, { within: "0s" }],
    ["a time too far away", /^Within must be at most 90 days from now, but is '\d{4}/, SENT, { within: FAR }],
  ];
  for (const [title, text, msg, config] of WRONG) {
    it(`refuses ${title}`, async () => {
      const flow = await start(config);
      const [code, message] = await errorOf(flow, msg);
      assert.match(code, /^FIELD_/);
      assert.match(message, text);
      await untilBadge(flow, "red ring: a field is wrong");
    });
  }

  const words = (given: string): Config => ({ match: "words", words: given });
  type Setting = readonly [title: string, config: Config, text: RegExp, code?: string];
  const SETTINGS: readonly Setting[] = [
    ["no words", words(" , "), /has no words to wait for/],
    ["a word without letters", words("yes, ?"), /the entry '\?' without/],
    ["a long word", words("n".repeat(101)), /more than 100 characters/],
    ["no pattern", { match: "pattern", pattern: "" }, /has no pattern/],
    [
      "a wrong pattern",
      { match: "pattern", pattern: "(yes" },
      /is not a regular expression: Unterminated group\./,
    ],
    [
      "a variable that does not exist",
      words("${NO_SUCH}"),
      /The list of words of the wait node is set to the environment variable NO_SUCH/,
      "UNRESOLVED_VARIABLE",
    ],
    ["another kind", { kind: "arrived" }, /'arrived', which is none of: delivered, read, reply/],
    ["another channel", { replyChannel: "voice" }, /'voice', which is none of: same, any/],
    ["another match", { match: "all" }, /'all', which is none of: any, words, start, pattern/],
    ["another rest", { others: "drop" }, /'drop', which is none of: over, output, later/],
    ["an account that is not there", { account: "gone" }, /No account is chosen/, "NO_ACCOUNT"],
  ];
  for (const [title, config, text, code = "BAD_SETTING"] of SETTINGS) {
    it(`waits for nothing with ${title}, and tells each message`, async () => {
      const flow = await start({ kind: "reply", ...config });
      const [found, message] = await errorOf(flow, SENT);
      assert.equal(found, code);
      assert.match(message, text);
      assert.equal(waits.joined.size, 0);
    });
  }

  it("does not mind settings of replies where it waits for none", async () => {
    const flow = await start({ kind: "delivered", match: "words", words: "", replyChannel: "old" });
    await begin(flow);
    assert.equal(waits.begun.length, 1);
  });

  it("says in German, on one short line, what is wrong with values of others", async () => {
    const hostile = `a\r\n[error] forged\u001b[2J\u202e${"x".repeat(100_000)}`;
    const cases: readonly Config[] = [
      { within: "payload", withinSource: "msg" },
      { resultProperty: "payload" },
      { kind: hostile },
      { kind: "reply", match: "words", words: hostile.replaceAll(/[,\r\n]/g, "") },
      { kind: "reply", match: "pattern", pattern: `(${hostile}` },
    ];
    for (const config of cases) {
      const flow = await start(config, { language: "de" });
      const [, text] = await errorOf(flow, { result: result(), payload: hostile });
      await stopFlow();
      assert.equal(findEnglish(text.replace(/^[a-z.]+ |: Unterminated group/g, "")), null, text);
      assert.doesNotMatch(text, /[\p{Cc}\u202e]/u);
      assert.ok(text.length < 500, `${text.length} characters`);
    }
  });

  describe("shows in its badge", () => {
    it("how many people it waits for", async () => {
      const flow = await start();
      await waitFor("the node to join", () => waits.joined.size > 0);
      await untilBadge(flow, "grey ring: waiting for nobody");
      waits.listener.counted(12);
      await untilBadge(flow, "blue dot: waiting for 12");
      waits.listener.counted(0);
      await untilBadge(flow, "grey ring: waiting for nobody");
    });

    it("what became of the others, in the words of what it waits for", async () => {
      const flow = await start({ kind: "reply", match: "words" });
      await begin(flow);
      waits.end({ reply: replyOf("yes") });
      await untilBadge(flow, "green dot: 1 replied");
      waits.end({ what: "other", reply: replyOf("perhaps") });
      waits.end({ what: "silent", recipients: [ANNA, BEAT] });
      await untilBadge(flow, "yellow dot: 1 replied · 1 other · 2 nothing heard");
      waits.listener.counted(1);
      await untilBadge(flow, "yellow dot: waiting for 1 · 1 replied · 1 other · 2 nothing heard");
    });

    const comesLate = (text = "yes"): void => {
      const reply = { channel: "sms", application: "", body: JSON.stringify(replyOf(text).event) } as const;
      const ids = { transferId: null, clientMessageId: null };
      reportLate(ACCOUNT, { number: ANNA, ...ids, status: null, at: null, reply });
    };

    it("when an answer came after the time", async () => {
      const flow = await start({ kind: "reply", match: "words" });
      await begin(flow);
      waits.end({ what: "silent", recipients: [ANNA] });
      await untilBadge(flow, "yellow dot: 1 nothing heard");
      comesLate();
      await waitFor("the badge", () =>
        /^yellow dot: 1 nothing heard · 1 late, \d\d:\d\d:\d\d$/.test(badges(flow).at(-1) ?? ""),
      );
    });

    it("when an answer came after another reply that has ended the question, but not while it is open", async () => {
      for (const [goesOn, colour, badge] of [
        [false, "yellow", /^yellow dot: waiting for 1 · 1 other · 1 late, \d\d:\d\d:\d\d$/],
        [true, "green", /^blue dot: waiting for 1 · 1 other$/],
      ] as const) {
        const flow = await start({ kind: "reply", match: "words" });
        await begin(flow);
        waits.end({ what: "other", reply: replyOf("perhaps"), ...(goesOn && { goesOn }) });
        await untilBadge(flow, `${colour} dot: 1 other`);
        waits.listener.counted(1);
        // The same event again, and then one that is late.
        comesLate("perhaps");
        waits.listener.counted(2);
        const again = `waiting for 2 · 1 other`;
        await waitFor(`the badge ${again}`, () => badges(flow).at(-1)?.endsWith(again) === true);
        comesLate();
        waits.listener.counted(1);
        await waitFor(
          () => `the badge ${badge.source}, but it is ${badges(flow).at(-1)}`,
          () => badge.test(badges(flow).at(-1) ?? ""),
        );
        await stopFlow();
      }
    });

    it("that the store is away, which the log says once, and that it is back", async () => {
      const flow = await start();
      await begin(flow);
      waits.listener.counted(1);
      const away = new MessagingError("ANY", "the disk is full");
      waits.listener.trouble(away);
      waits.listener.trouble(away);
      await untilBadge(flow, "red ring: failed · waiting for 1");
      assert.deepEqual(
        flow.log("warn").filter((line) => /disk/.test(line)),
        ["What waits here does not go on: the disk is full"],
      );
      waits.listener.trouble(null);
      await untilBadge(flow, "blue dot: waiting for 1");
    });

    it("an error until the next message waits", async () => {
      const flow = await start();
      flow.send({});
      await flow.caught.until(1);
      await untilBadge(flow, "red ring: a field is wrong");
      flow.send({ result: result() });
      await flow.completed.until(1);
      await untilBadge(flow, "grey ring: waiting for nobody");
    });
  });

  describe("without a webhook-in node that hears it", () => {
    const UNHEARD: readonly (readonly [string, string, readonly Config[]])[] = [
      ["has none", "delivered", []],
      ["has one of another account", "delivered", [webhook({ account: "other" })]],
      ["has one without an account", "delivered", [webhook({ account: "" })]],
      ["has one for inbound messages only", "read", [webhook({ kind: "inbound" })]],
      ["has one for status messages only", "reply", [webhook()]],
      ["has a disabled one", "delivered", [webhook({ d: true })]],
      [
        "has one on a disabled tab",
        "delivered",
        [{ id: "off", type: "tab", label: "off", disabled: true }, webhook({ z: "off" })],
      ],
    ];
    for (const [title, kind, more] of UNHEARD) {
      it(`warns when the flow ${title}`, async () => {
        const flow = await start({ kind }, { more });
        await begin(flow);
        waits.listener.counted(1);
        // As after a deploy of other flows.
        runtime.events.emit("flows:started", {});
        const what = kind === "reply" ? "replies" : "status messages";
        await untilBadge(flow, `yellow ring: no webhook-in for ${what} · waiting for 1`);
        const warnings = flow
          .log("warn")
          .filter((line) => line.startsWith("No webhook-in node of these flows"));
        assert.equal(warnings.length, 1);
        assert.match(warnings[0]!, kind === "reply" ? /no reply is ever heard/ : /no delivery is ever heard/);
      });
    }

    it("does not warn when another Node-RED with the same database may have it", async () => {
      const account = { keepMessages: "postgresql" };
      const flow = await start({}, { more: [], account });
      await untilBadge(flow, "grey ring: waiting for nobody");
      assert.doesNotMatch(flow.log("warn").join("\n"), /webhook-in/);
    });
  });

  describe("opens the waits of its account", () => {
    it("when the flows run, and leaves them when it closes", async () => {
      await start();
      await waitFor("the node to join", () => waits.joined.has(SENDER));
      await stopFlow();
      assert.equal(waits.joined.size, 0);
    });

    it("again for the next message where they could not be opened", async () => {
      let away: Error | null = new MessagingError("ANY", "the store is away");
      open = async () => {
        if (away !== null) {
          throw away;
        }
        return waits;
      };
      const flow = await start();
      const [, message] = await errorOf(flow, { result: result() });
      assert.equal(message, "the store is away");
      await untilBadge(flow, "red ring: failed");
      away = null;
      flow.send({ result: result() });
      await flow.completed.until(1);
      assert.equal(waits.begun.length, 1);
      await untilBadge(flow, "grey ring: waiting for nobody");
      assert.equal(flow.log("warn").filter((line) => /the store is away/.test(line)).length, 1);
    });

    it("and tells the message when the wait cannot begin", async () => {
      waits.fault = new MessagingError("UNKNOWN_MESSAGE", "the account has not sent it");
      const flow = await start();
      const [code] = await errorOf(flow, { result: result() });
      assert.equal(code, "UNKNOWN_MESSAGE");
    });
  });
});
