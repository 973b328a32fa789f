import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { Acknowledgements } from "../../../lib/webhook/acknowledgements";
import type { Entered, EventLedger } from "../../../lib/webhook/event-ledger";
import type { Gates, Passed } from "../../../lib/webhook/gates/gates";
import { Receiver } from "../../../lib/webhook/receiver";
import type { OptOutReader, ReceiverEvent, ReceivedEvent } from "../../../lib/webhook/receiver-parts";
import type { MessageChannel } from "../../../lib/shared/message-channel";
import { deliveryReport, inboundMessage, statusMessage } from "../../support/http/webhook-events";
import { SetLedger } from "../../support/webhook/set-ledger";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Call {
  readonly res: ServerResponse;
  readonly done: Promise<void>;
}

/** A receiver whose gates let everything pass, and calls to it whose connections the test owns. */
function setUp(
  options: {
    kind?: "inbound" | "status";
    channel?: MessageChannel;
    flowDecidesWithin?: number | null;
    ledger?: EventLedger;
    optOuts?: OptOutReader;
  } = {},
) {
  const events: ReceivedEvent[] = [];
  const reported: ReceiverEvent[] = [];
  const known = new SetLedger();
  const acknowledgements = new Acknowledgements();
  const audience = { now: "some" as "some" | "none" | "gone", gone: new Set<number>() };
  const parts = { emit: (event: ReceivedEvent): void => void events.push(event) };
  const receiver = new Receiver(
    {
      kind: options.kind ?? "status",
      channel: options.channel ?? null,
      flowDecidesWithin: options.flowDecidesWithin ?? null,
    },
    {
      gates: {
        challenge: null,
        pass: (req: IncomingMessage & { given?: unknown }): Promise<Passed> => {
          const raw = Buffer.from(JSON.stringify(req.given));
          const from = { ip: "", headers: {} };
          return Promise.resolve({ ok: true, raw, value: req.given, unparsed: null, req: from });
        },
      } as unknown as Gates,
      ledger: options.ledger ?? known,
      optOuts: options.optOuts ?? null,
      acknowledgements,
      audience: (port) => (audience.gone.has(port) ? "gone" : audience.now),
      emit: (event) => parts.emit(event),
      happened: (event) => reported.push(event),
    },
  );
  receiver.open();
  const call = (given: unknown, shared?: Socket): Call => {
    // A connection to nowhere that takes whatever is written.
    const socket =
      shared ?? (new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as unknown as Socket);
    const req = Object.assign(new IncomingMessage(socket), { given, complete: true });
    const res = new ServerResponse(req);
    if (shared === undefined) {
      res.assignSocket(socket);
    }
    return { res, done: receiver.handle(req, res) };
  };
  /** Calls with each of these in one turn, and tells the answers there are a turn later. */
  const deliver = async (...given: unknown[]): Promise<(number | null)[]> => {
    const calls = given.map((each) => call(each));
    await Promise.all(calls.map(({ done }) => done));
    await turn();
    return answers(...calls);
  };
  return { events, reported, known, acknowledgements, parts, audience, receiver, call, deliver };
}

const answers = (...calls: Call[]): (number | null)[] =>
  calls.map(({ res }) => (res.headersSent ? res.statusCode : null));

/** Settings with which the flow decides. */
const BY_FLOW = { flowDecidesWithin: 60_000 };

describe("Receiver", () => {
  it("acknowledges an event in the tick after it was emitted", async () => {
    const { call, events } = setUp();
    const first = call(statusMessage());
    await first.done;
    assert.deepEqual([events.length, answers(first)], [1, [null]]);
    await turn();
    assert.deepEqual(answers(first), [200]);
  });

  it("recognises copies in the same tick", async () => {
    const { deliver, events } = setUp();
    const answered = await deliver(statusMessage(), statusMessage(), statusMessage({ transferId: "2" }));
    assert.deepEqual([events.length, answered], [2, [200, 200, 200]]);
  });

  it("accepts equal texts in the same tick as two messages", async () => {
    const { deliver, events } = setUp({ kind: "inbound" });
    const answered = await deliver(inboundMessage(), inboundMessage());
    assert.deepEqual([events.length, answered], [2, [200, 200]]);
  });

  it("redelivers events that stopping flows may have missed, and forgets their keys", async () => {
    const { call, deliver, receiver, known, events, reported } = setUp();
    const calls = [call(statusMessage()), call(statusMessage())];
    await Promise.all(calls.map(({ done }) => done));
    receiver.pause();
    await turn();
    assert.deepEqual(answers(...calls), [503, 503]);
    assert.deepEqual(reported.at(-1), { what: "sent-back", by: "closing" });
    assert.equal(known.doneKeys.size, 0);
    receiver.open();
    assert.deepEqual(await deliver(statusMessage()), [200]);
    assert.deepEqual(
      events.map(({ possibleDuplicate }) => possibleDuplicate),
      [false, true],
    );
  });

  it("records once an inbound message whose response was cut", async () => {
    const { call, deliver, events } = setUp({ kind: "inbound" });
    const first = call(inboundMessage());
    await first.done;
    first.res.socket?.destroy();
    await turn();
    assert.deepEqual([await deliver(inboundMessage()), events.length], [[200], 1]);
    assert.deepEqual([await deliver(inboundMessage()), events.length], [[200], 2]);
  });

  it("redelivers an event when emitting throws", async () => {
    const { deliver, parts, reported, known } = setUp();
    parts.emit = () => {
      throw new Error("broken");
    };
    assert.deepEqual(await deliver(statusMessage()), [503]);
    assert.deepEqual(reported, [{ what: "sent-back", by: "error" }]);
    assert.equal(known.doneKeys.size, 0);
  });

  it("redelivers an event when all its nodes are missing or disabled", async () => {
    for (const options of [{}, BY_FLOW]) {
      const { call, deliver, audience, events, reported, known, receiver } = setUp(options);
      audience.now = "gone";
      assert.deepEqual([await deliver(statusMessage()), events.length], [[503], 0]);
      assert.deepEqual(reported, [{ what: "sent-back", by: "nobody" }]);
      audience.now = "some";
      await call(statusMessage()).done;
      assert.deepEqual([events.length, known.seenKeys.size], [1, 1]);
      // Its wait for the flow would keep the process alive.
      await receiver.close(0);
    }
  });

  it("acknowledges an event at once when its port is not wired", async () => {
    const { deliver, audience } = setUp(BY_FLOW);
    audience.now = "none";
    assert.deepEqual(await deliver(statusMessage()), [200]);
  });

  it("acknowledges unrecognised bodies on receipt, also when the flow decides", async () => {
    for (const heard of ["some", "none", "gone"] as const) {
      const { deliver, audience, events } = setUp(BY_FLOW);
      audience.now = heard;
      const unknown = { type: "a new one of the service" };
      assert.deepEqual(await deliver(unknown), [200]);
      const [{ kind, ack, payload }] = events as [ReceivedEvent];
      assert.deepEqual({ kind, ack, payload }, { kind: "unrecognised", ack: null, payload: unknown });
    }
  });

  it("lets the flow decide about known events", async () => {
    const { call, events, acknowledgements } = setUp(BY_FLOW);
    const known = call(statusMessage());
    const unknown = call(null);
    await Promise.all([known.done, unknown.done]);
    await turn();
    assert.deepEqual(answers(known, unknown), [null, 200]);
    acknowledgements.decide(events[0]!.ack!, "acknowledge");
    assert.deepEqual(answers(known), [200]);
  });

  it("redelivers events above the limit of waiting ones", async () => {
    const { deliver, acknowledgements, reported } = setUp(BY_FLOW);
    const others: string[] = [];
    while (acknowledgements.hasRoom) {
      others.push(acknowledgements.wait(60_000, () => {}));
    }
    assert.deepEqual(await deliver(statusMessage()), [503]);
    assert.deepEqual(reported, [{ what: "sent-back", by: "busy" }]);
    others.map((id) => acknowledgements.giveUp(id));
  });

  it("records acknowledged events and no redelivered ones", async () => {
    const { call, deliver, acknowledgements, events } = setUp(BY_FLOW);
    for (const [decision, status] of [
      ["redeliver", 503],
      ["acknowledge", 200],
    ] as const) {
      const next = call(statusMessage());
      await next.done;
      acknowledgements.decide(events.at(-1)!.ack!, decision);
      assert.deepEqual(answers(next), [status]);
    }
    assert.deepEqual([await deliver(statusMessage()), events.length], [[200], 2]);
  });

  it("waits at close for a limited time while a node can decide", async () => {
    const { call, deliver, acknowledgements, receiver, events } = setUp(BY_FLOW);
    acknowledgements.join();
    const first = call(statusMessage());
    const second = call(statusMessage({ transferId: "2" }));
    await Promise.all([first.done, second.done]);
    const closed = receiver.close(40);
    assert.deepEqual([await deliver(statusMessage({ transferId: "3" })), events.length], [[503], 2]);
    acknowledgements.decide(events[0]!.ack!, "acknowledge");
    assert.deepEqual(answers(first, second), [200, null]);
    await closed;
    assert.deepEqual(answers(first, second), [200, 503]);
  });
});

/** A ledger whose writes end when the test says so. */
function slowLedger() {
  const log: string[] = [];
  const open: ((end: Partial<Entered> | Error) => void)[] = [];
  const done = new Set<string>();
  const state = { hasRoom: true };
  const ledger: EventLedger = {
    get hasRoom() {
      return state.hasRoom;
    },
    enter: ({ kind, unique }) => {
      log.push(`enter ${kind}${unique ? "" : " that may be repeated"}`);
      return new Promise((resolve, reject) => {
        open.push((end) =>
          end instanceof Error
            ? reject(end)
            : resolve({
                duplicate: false,
                seen: false,
                elsewhere: false,
                message: null,
                channel: null,
                sentBack: () => log.push("sent back"),
                ...end,
              }),
        );
      });
    },
    done: (key) => {
      log.push("done");
      done.add(key);
    },
    isCopy: (key) => done.has(key),
    cut: () => log.push("cut"),
  };
  /** Ends the oldest write of an event. */
  const entered = async (end: Partial<Entered> | Error = {}): Promise<void> => {
    open.shift()?.(end);
    await turn();
    await turn();
  };
  return { ledger, log, state, entered };
}

/** A receiver with such a ledger. */
function withLedger(options: Omit<Parameters<typeof setUp>[0] & object, "ledger"> = {}) {
  const slow = slowLedger();
  const under = setUp({ ...options, ledger: slow.ledger });
  /** Calls, ends the write of the event, and tells the answer. */
  const bring = async (given: unknown, end?: Partial<Entered> | Error): Promise<number | null> => {
    const called = under.call(given);
    await turn();
    await slow.entered(end);
    return answers(called)[0] ?? null;
  };
  return { ...slow, ...under, bring };
}

describe("Receiver for the statuses of one channel", () => {
  const FAILED = { messageStatus: "failed" };
  const FAILED_SMS = { deliveryReportMessageStatus: "rejected" };
  const where = (events: readonly ReceivedEvent[]) =>
    events.map(({ channel, port, otherChannel }) => [channel, port, otherChannel]);

  it("uses the event's own channel, and other status when it has none", async () => {
    const { deliver, events, reported } = setUp({ channel: "sms" });
    const answered = await deliver(deliveryReport(FAILED_SMS), statusMessage(FAILED), { some: "json" });
    assert.deepEqual(answered, [200, 200, 200]);
    assert.deepEqual(where(events), [
      ["sms", 1, false],
      [null, 2, true],
      [null, 3, false],
    ]);
    assert.deepEqual(reported, [
      { what: "event", kind: "report", otherChannel: false },
      { what: "event", kind: "status", otherChannel: true },
      { what: "event", kind: "unrecognised", otherChannel: false },
    ]);
  });

  it("uses the channel of the message when the ledger knows it", async () => {
    const { bring, events } = withLedger({ channel: "whatsapp" });
    for (const [at, channel] of (["whatsapp", "rcs", null] as const).entries()) {
      assert.equal(await bring(statusMessage({ ...FAILED, transferId: `${at}` }), { channel }), 200);
    }
    assert.deepEqual(where(events), [
      ["whatsapp", 1, false],
      ["rcs", 2, true],
      [null, 2, true],
    ]);
  });

  it("redelivers an event when all nodes of its routed output are missing", async () => {
    const { bring, events, audience, reported } = withLedger({ channel: "whatsapp" });
    audience.gone.add(1);
    assert.equal(await bring(statusMessage(FAILED), { channel: "whatsapp" }), 503);
    assert.equal(await bring(statusMessage({ ...FAILED, transferId: "2" }), { channel: "rcs" }), 200);
    assert.deepEqual(where(events), [["rcs", 2, true]]);
    assert.deepEqual(reported[0], { what: "sent-back", by: "nobody" });
    const plain = setUp({ channel: "whatsapp" });
    plain.audience.gone.add(2);
    assert.deepEqual(await plain.deliver(deliveryReport(FAILED_SMS)), [503]);
  });
});

describe("Receiver with a ledger", () => {
  it("emits and acknowledges an event after it is stored", async () => {
    const { call, events, log, entered } = withLedger();
    const message = { request: 7, node: "n1", outcome: "sent", wasUnknown: true };
    const first = call(statusMessage());
    await turn();
    assert.deepEqual([log, events.length], [["enter status"], 0]);
    await entered({ seen: true, message });
    assert.deepEqual(
      events.map(({ possibleDuplicate, message: found }) => ({ possibleDuplicate, found })),
      [{ possibleDuplicate: true, found: message }],
    );
    assert.deepEqual([log.at(-1), answers(first)], ["done", [200]]);
  });

  it("gives copies the response of their event at any time", async () => {
    const { call, events, reported, log, entered } = withLedger();
    const calls = [call(statusMessage()), call(statusMessage())];
    await turn();
    assert.deepEqual(answers(...calls), [null, null]);
    await entered();
    calls.push(call(statusMessage()));
    await turn();
    assert.deepEqual(answers(...calls), [200, 200, 200]);
    assert.deepEqual([events.length, log], [1, ["enter status", "done"]]);
    assert.equal(reported.filter(({ what }) => what === "duplicate").length, 2);
  });

  it("acknowledges a duplicate without emitting it", async () => {
    for (const [kind, event] of [
      ["status", statusMessage()],
      ["inbound", inboundMessage()],
    ] as const) {
      const { bring, events, reported, log } = withLedger({ kind });
      assert.deepEqual([await bring(event, { duplicate: true }), events.length, log.length], [200, 0, 1]);
      assert.deepEqual(reported, [{ what: "duplicate" }]);
    }
  });

  it("redelivers an event and its copies when it cannot be stored", async () => {
    const { bring, call, events, reported, entered } = withLedger();
    const calls = [call(statusMessage()), call(statusMessage())];
    await turn();
    await entered(new Error("disk full"));
    assert.deepEqual([answers(...calls), events.length], [[503, 503], 0]);
    assert.deepEqual(reported.at(-1), { what: "sent-back", by: "store" });
    assert.deepEqual([await bring(statusMessage()), events.length], [200, 1]);
  });

  it("redelivers a stored event when its flow has stopped or is missing", async () => {
    for (const gone of [true, false]) {
      const { call, events, reported, receiver, audience, log, entered } = withLedger({ kind: "inbound" });
      const late = call(inboundMessage());
      await turn();
      if (gone) {
        audience.now = "gone";
      } else {
        receiver.pause();
      }
      await entered();
      assert.deepEqual([answers(late), events.length], [[503], 0]);
      assert.deepEqual(log, ["enter inbound that may be repeated", "sent back"]);
      assert.deepEqual(reported, [{ what: "sent-back", by: gone ? "nobody" : "closing" }]);
    }
  });

  it("releases an event in the ledger when the flow did not accept it", async () => {
    for (const how of ["throws", "decides", "stops"] as const) {
      const options = { kind: "inbound", ...(how === "decides" ? BY_FLOW : {}) } as const;
      const { call, events, parts, acknowledgements, receiver, log, entered } = withLedger(options);
      const { emit } = parts;
      parts.emit = (event) => {
        emit(event);
        if (how === "throws") {
          throw new Error("broken");
        }
        if (how === "stops") {
          receiver.pause();
        }
      };
      const first = call(inboundMessage());
      await turn();
      await entered();
      if (how === "decides") {
        acknowledgements.decide(events[0]!.ack!, "redeliver");
      }
      assert.deepEqual([answers(first), log.at(-1), log.length], [[503], "sent back", 2], how);
    }
  });

  it("redelivers events above the limit of the ledger", async () => {
    const { deliver, reported, log, state } = withLedger();
    state.hasRoom = false;
    assert.deepEqual(await deliver(statusMessage()), [503]);
    assert.deepEqual([reported, log], [[{ what: "sent-back", by: "busy" }], []]);
  });

  it("redelivers events of another process until it has processed them", async () => {
    const { bring, events, reported } = withLedger();
    assert.equal(await bring(statusMessage(), { elsewhere: true, seen: true }), 503);
    assert.deepEqual([events.length, reported.at(-1)], [0, { what: "sent-back", by: "elsewhere" }]);
    assert.equal(await bring(statusMessage(), { elsewhere: true, duplicate: true }), 200);
    assert.equal(events.length, 0);
  });

  it("stores a decision after a deploy in the ledger of the new node", async () => {
    const [old, next] = [withLedger(BY_FLOW), withLedger(BY_FLOW)];
    const first = old.call(statusMessage());
    await turn();
    await old.entered();
    next.receiver.takeOver(old.receiver);
    old.receiver.pause();
    old.acknowledgements.decide(old.events[0]!.ack!, "acknowledge");
    assert.deepEqual([old.log, next.log], [["enter status"], ["done"]]);
    assert.deepEqual(answers(first), [200]);
  });
});
