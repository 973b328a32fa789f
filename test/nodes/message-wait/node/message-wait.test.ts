import assert from "node:assert/strict";
import type { NodeAPI, NodeMessage } from "node-red";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import type { WaitResult } from "../../../../lib/runtime/message-wait/wait-result";
import { NODE } from "../../../../nodes/message-wait/node";
import { WaitNode } from "../../../../lib/runtime/message-wait/wait-node";
import type { WaitConfig } from "../../../../lib/runtime/message-wait/wait-settings";
import { registerNode } from "../../../../lib/runtime/node-red/register-node";
import { MessagingError } from "../../../../lib/shared/messaging-error";
import type { Language } from "../../../../lib/texts/catalogues";
import registerWebhook from "../../../../nodes/webhook-in/webhook-in";
import { waitFor } from "../../../support/wait-for";
import { FakeWaits, replyOf } from "../../../support/waits/fake-waits";
import {
  ACCOUNT,
  type Config,
  SENDER,
  startFlow,
  stopFlow,
  stopServer,
  type TestFlow,
} from "../../../node/flow";

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
  type: "messaging-webhook-in",
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
    registerNode<WaitConfig>(RED, "messaging-message-wait", () => ({
      ...NODE,
      start: (_RED, node, config) => void new WaitNode(RED, node, config, () => open()),
    }));
  };

  interface Start {
    readonly account?: Config;
    readonly language?: Language;
    readonly more?: readonly Config[];
    readonly ports?: 6;
  }

  async function start(config: Config = {}, options: Start = {}): Promise<TestFlow> {
    const kind = config.kind === "reply" ? "inbound" : "status";
    return startFlow({
      sender: { type: "messaging-message-wait", ...config },
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

    it("waits for replies by the channel of the message, or by any", async () => {
      for (const [operation, replyChannel, channel] of [
        ["sms-form", "same", "sms"],
        ["whatsapp-template", "same", "whatsapp"],
        ["rcs", "same", "rcs"],
        ["rcs", "any", "any"],
      ]) {
        const flow = await start({ kind: "reply", replyChannel });
        await begin(flow, { result: result({ operation, transferId: null }) });
        assert.equal(waits.begun.at(-1)?.channel, channel);
        await stopFlow();
      }
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

    it("as long as is set: a duration, or a moment in the zone of the account", async () => {
      const flow = await start(
        { within: "payload", withinSource: "msg" },
        { account: { timeZone: "Asia/Tokyo" } },
      );
      const now = Date.now();
      const tomorrow = new Date(now + 86_400_000).toISOString().slice(0, 10);
      const cases: readonly (readonly [unknown, number])[] = [
        ["1h 30min", now + 5_400_000],
        [now + 60_000, now + 60_000],
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
          assert.equal(waits.listener.matches(replyOf(text)), true);
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

    it("of replies by a pattern, while others stay for later", async () => {
      const config = { kind: "reply", match: "pattern", pattern: String.raw`^(yes|ok)\b`, others: "later" };
      await start(config);
      const { listener } = await waitFor("the node to join", () => waits.joined.size > 0 && waits);
      assert.equal(listener.others, "later");
      const isMeant = (text: string): boolean => listener.matches(replyOf(text));
      assert.deepEqual(["OK then", "okay", "oh yes"].map(isMeant), [true, false, false]);
    });
  });

  it("fails at once with a message for each recipient when the service has not accepted it", async () => {
    for (const outcome of ["rejected", "denied", "retry-later"]) {
      const flow = await start();
      const to = [ANNA, BEAT, "Ada"];
      const refused = result({ outcome, recipients: to, transferId: null, clientMessageId: null });
      await begin(flow, { result: refused, to, payload: { n: 1 } });
      const messages = (await flow.ports[FAILED]!.until(3)) as Msg[];
      assert.deepEqual(
        messages.map(({ to, wait, parts }) => [to, wait.outcome, wait.status, parts?.index, parts?.count]),
        [
          [`+${ANNA}`, "failed", null, 0, undefined],
          [`+${BEAT}`, "failed", null, 1, undefined],
          ["Ada", "failed", null, 2, 3],
        ],
      );
      assert.equal(new Set(messages.map(({ payload }) => payload)).size, 3, "an object of its own for each");
      assert.deepEqual(waits.begun, []);
      await stopFlow();
    }
  });

  /** @returns code and text of the error of one message */
  async function errorOf(flow: TestFlow, msg: Record<string, unknown>): Promise<[string, string]> {
    flow.send({ ...msg });
    const [caught] = await flow.caught.until(1);
    assert.deepEqual([flow.all.messages, flow.completed.messages, waits.begun], [[], [], []]);
    const { error } = caught as NodeMessage & { error: { message: string; code: string } };
    return [error.code, error.message];
  }

  it("refuses a message with a wrong result or time", async () => {
    const far = new Date(Date.now() + 91 * 86_400_000).toISOString().slice(0, 10);
    const cases: readonly (readonly [text: RegExp, given: Parameters<typeof result>[0], config?: Config])[] =
      [
        [/has no result of a send node/, { outcome: "toString" }],
        [/is the result of a file transfer/, { operation: "media-upload", recipients: [] }],
        [/has no recipients/, { recipients: [] }],
        [/neither a transferId nor a clientMessageId/, { transferId: null, clientMessageId: null }],
        [/^Within must be a duration .* but is 'soon'$/, {}, { within: "soon" }],
        [/^Within must be at least one second from now/, {}, { within: "0s" }],
        [/^Within must be at most 90 days from now/, {}, { within: far }],
      ];
    for (const [text, given, config] of cases) {
      const flow = await start(config);
      const [code, message] = await errorOf(flow, { result: result(given) });
      assert.match(code, /^FIELD_/);
      assert.match(message, text);
      await stopFlow();
    }
  });

  it("waits for nothing with a wrong setting, and tells each message", async () => {
    const cases: readonly (readonly [config: Config, text: RegExp, code?: string])[] = [
      [{ match: "words", words: " , " }, /has no words to wait for/],
      [{ match: "words", words: "n".repeat(101) }, /more than 100 characters/],
      [{ match: "pattern", pattern: "(yes" }, /is not a regular expression/],
      [{ match: "words", words: "${NO_SUCH}" }, /environment variable NO_SUCH/, "UNRESOLVED_VARIABLE"],
      [{ kind: "arrived" }, /'arrived', which is none of: delivered, read, reply/],
      [{ account: "gone" }, /No account is chosen/, "NO_ACCOUNT"],
    ];
    for (const [config, text, code = "BAD_SETTING"] of cases) {
      const flow = await start({ kind: "reply", ...config });
      const [found, message] = await errorOf(flow, { result: result() });
      assert.equal(found, code);
      assert.match(message, text);
      assert.equal(waits.joined.size, 0);
      await stopFlow();
    }
  });

  it("counts in its badge who is waited for and what came of the others", async () => {
    const flow = await start({ kind: "reply", match: "words" });
    await begin(flow);
    waits.end({ reply: replyOf("yes") });
    waits.end({ what: "other", reply: replyOf("perhaps") });
    waits.end({ what: "silent", recipients: [ANNA, BEAT] });
    waits.listener.counted(1);
    await untilBadge(flow, "yellow dot: waiting for 1 · 1 replied · 1 other · 2 nothing heard");
  });

  it("shows in its badge that the store is away, and that it is back", async () => {
    const flow = await start();
    await begin(flow);
    waits.listener.counted(1);
    waits.listener.trouble(new MessagingError("ANY", "the disk is full"));
    await untilBadge(flow, "red ring: failed · waiting for 1");
    waits.listener.trouble(null);
    await untilBadge(flow, "blue dot: waiting for 1");
  });

  it("warns when no webhook-in node of its account receives the events", async () => {
    const unheard: readonly (readonly [string, readonly Config[]])[] = [
      ["delivered", []],
      ["delivered", [webhook({ account: "other" })]],
      ["read", [webhook({ kind: "inbound" })]],
      ["reply", [webhook()]],
      ["delivered", [webhook({ d: true })]],
    ];
    for (const [kind, more] of unheard) {
      const flow = await start({ kind }, { more });
      await begin(flow);
      const what = kind === "reply" ? "replies" : "status messages";
      await untilBadge(flow, `yellow ring: no webhook-in for ${what}`);
      const warnings = flow
        .log("warn")
        .filter((line) => line.startsWith("No webhook-in node of these flows"));
      assert.equal(warnings.length, 1);
      await stopFlow();
    }
  });

  it("warns of no missing webhook-in node when one has its account in a variable", async () => {
    const flow = await start({ kind: "delivered" }, { more: [webhook({ account: "${ACC}" })] });
    await begin(flow);
    waits.listener.counted(1);
    await untilBadge(flow, "blue dot: waiting for 1");
    assert.ok(!flow.log("warn").some((line) => line.startsWith("No webhook-in node of these flows")));
  });

  describe("opens the waits of its account", () => {
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
