import assert from "node:assert/strict";
import { localVerdict, type Verdict } from "../../../../lib/gateway/codec/verdict";
import { findBareStatus } from "../../../../lib/gateway/contract/local-outcomes";
import type { OperationId } from "../../../../lib/gateway/contract/operations";
import { PROBE_PAUSE, SignInGate } from "../../../../lib/gateway/queue/sign-in-gate";
import { findStatusCode, type Style } from "../../../../lib/shared/outcomes";
import { waitFor } from "../../../support/wait-for";
import { SENT, type TestQueue, useQueue } from "./queue-fixture";

const byCode = (style: Style, code: number): Verdict => {
  const { outcome, name, retry } = findStatusCode(style, code)!;
  return { ...SENT, statusCode: code, outcome, statusName: name, retry };
};
const byStatus = (status: number): Verdict => {
  const { outcome, name, retry } = findBareStatus(status);
  return { ...SENT, statusCode: null, httpStatus: status, outcome, statusName: name, retry };
};
const REFUSED = byCode("legacy", 4001);
const ACCEPTED = byCode("legacy", 2000);
const FORBIDDEN = byStatus(403);
const CLIENT_REFUSED = localVerdict("TOKEN_REFUSED", "", 1);
const SCOPE_REFUSED: Verdict = { ...CLIENT_REFUSED, retry: "sign-in" };

const CHANNELS: readonly OperationId[] = ["sms-form", "whatsapp-broadcast", "whatsapp-text", "rcs"];
const sent = (id: number, operation: OperationId = "sms-json") => ({ id, job: id, operation });

describe("SignInGate", () => {
  let now = 0;
  let gate: SignInGate;
  beforeEach(() => {
    now = 0;
    gate = new SignInGate(true, () => now);
  });
  const paused = () => CHANNELS.filter((operation) => gate.isPaused(operation));
  const signIns = () => gate.refused.map(({ signIn }) => signIn);

  it("pauses the legacy sign-in alone when the service refuses it", () => {
    assert.equal(gate.keeps(sent(1), REFUSED), true);
    assert.deepEqual(paused(), ["sms-form", "whatsapp-broadcast"]);
    assert.deepEqual(gate.pausedOperations, ["sms-form", "sms-get", "sms-json", "whatsapp-broadcast"]);
    assert.deepEqual(signIns(), ["legacy"]);
  });

  it("pauses all scopes when the token service refuses the client", () => {
    assert.equal(gate.keeps(sent(1, "rcs"), CLIENT_REFUSED), true);
    assert.deepEqual(paused(), ["whatsapp-text", "rcs"]);
    assert.deepEqual(signIns(), ["client"]);
  });

  it("pauses one scope when that scope is refused", () => {
    for (const verdict of [SCOPE_REFUSED, byStatus(401), byCode("oauth", 4014)]) {
      gate = new SignInGate(true, () => now);
      assert.equal(gate.keeps(sent(1, "rcs"), verdict), true);
      assert.deepEqual([paused(), signIns()], [["rcs"], ["rcs"]]);
    }
  });

  it("opens the client when the token service refuses only a scope", () => {
    gate.keeps(sent(1, "rcs"), CLIENT_REFUSED);
    gate.keeps(sent(1, "rcs"), SCOPE_REFUSED);
    assert.deepEqual([paused(), signIns()], [["rcs"], ["rcs"]]);
  });

  it("pauses nothing when one message is refused", () => {
    for (const [style, code] of [
      ["oauth", 4001],
      ["legacy", 4033],
      ["legacy", 4035],
      ["legacy", 4002],
    ] as const) {
      const operation = style === "oauth" ? "rcs" : "sms-json";
      assert.equal(gate.keeps(sent(1, operation), byCode(style, code)), false, `${code}`);
    }
    assert.deepEqual(paused(), []);
  });

  it("pauses by HTTP 403 when a second message got it", () => {
    assert.equal(gate.keeps(sent(1), FORBIDDEN), false);
    // Another request of the same message.
    assert.equal(gate.keeps({ ...sent(2), job: 1 }, FORBIDDEN), false);
    assert.deepEqual(paused(), []);
    assert.equal(gate.keeps(sent(3), FORBIDDEN), true);
    assert.deepEqual(paused(), ["sms-form", "whatsapp-broadcast"]);
  });

  it("pauses nothing by HTTP 403 when a message between was accepted", () => {
    gate.keeps(sent(1), FORBIDDEN);
    gate.keeps(sent(2), ACCEPTED);
    assert.equal(gate.keeps(sent(3), FORBIDDEN), false);
    assert.deepEqual(paused(), []);
  });

  it("admits one probe every five minutes", () => {
    gate.keeps(sent(1), REFUSED);
    assert.equal(gate.admit(sent(1)), false);
    assert.equal(gate.nextProbeIn, PROBE_PAUSE);
    now += PROBE_PAUSE - 1;
    assert.equal(gate.admit(sent(1)), false);
    now += 1;
    assert.equal(gate.nextProbeIn, null);
    assert.deepEqual([gate.admit(sent(1)), gate.admit(sent(2))], [true, false]);
    assert.equal(gate.keeps(sent(1), REFUSED), true);
    assert.equal(gate.admit(sent(2)), false);
    assert.equal(gate.nextProbeIn, PROBE_PAUSE);
  });

  it("sends only the probe of the requests that had started before", () => {
    gate.admit(sent(2));
    gate.keeps(sent(1), REFUSED);
    assert.equal(gate.mayLeave(sent(2)), false);
    now += PROBE_PAUSE;
    gate.admit(sent(3));
    assert.deepEqual([gate.mayLeave(sent(2)), gate.mayLeave(sent(3))], [false, true]);
  });

  it("admits another probe when the first one was not tried", () => {
    gate.keeps(sent(1), REFUSED);
    now += PROBE_PAUSE;
    gate.admit(sent(1));
    gate.unsent(sent(1));
    assert.equal(gate.admit(sent(2)), true);
  });

  it("opens when the service answers about the message", () => {
    for (const verdict of [ACCEPTED, byCode("legacy", 4002), byCode("legacy", 4035)]) {
      gate.keeps(sent(1), REFUSED);
      assert.equal(gate.keeps(sent(2), verdict), false);
      assert.deepEqual(paused(), [], verdict.statusName);
    }
  });

  it("stays paused when the answer says nothing about the sign-in", () => {
    gate.keeps(sent(1), REFUSED);
    const unclear = [
      byCode("legacy", 5000),
      byCode("legacy", 4023),
      byStatus(404),
      localVerdict("NO_ANSWER"),
    ];
    for (const verdict of unclear) {
      assert.equal(gate.keeps(sent(2), verdict), false);
      assert.equal(gate.isPaused("sms-json"), true, verdict.statusName);
    }
  });

  it("ends a message that three probes refused", () => {
    const probe = () => {
      now += PROBE_PAUSE;
      assert.equal(gate.admit(sent(1)), true);
      return gate.keeps(sent(1), REFUSED);
    };
    gate.keeps(sent(1), REFUSED);
    assert.deepEqual([probe(), probe(), probe()], [true, true, false]);
    assert.equal(gate.isPaused("sms-json"), true);
  });

  it("does not count the probes before Resume", () => {
    gate.keeps(sent(1), REFUSED);
    for (let press = 0; press < 5; press++) {
      gate.resume();
      assert.equal(gate.admit(sent(1)), true);
      assert.equal(gate.keeps(sent(1), REFUSED), true);
    }
  });

  it("notifies of each pause once, of Resume and of its end", () => {
    const seen: string[] = [];
    gate.watch(() => void seen.push(signIns().join()));
    gate.keeps(sent(1), REFUSED);
    gate.keeps(sent(2), REFUSED);
    gate.keeps(sent(3, "rcs"), SCOPE_REFUSED);
    gate.resume();
    gate.keeps(sent(1), ACCEPTED);
    assert.deepEqual(seen, ["legacy", "legacy,rcs", "legacy,rcs", "rcs"]);
  });

  it("lets messages fail when the account says so", () => {
    gate = new SignInGate(false, () => now);
    assert.equal(gate.keeps(sent(1), REFUSED), false);
    assert.deepEqual(paused(), []);
  });
});

describe("durable queue: a refused sign-in", () => {
  const fixture = useQueue();
  const open = (concurrency = 8): TestQueue & { readonly signIns: SignInGate } => {
    const { clock } = fixture();
    const signIns = new SignInGate(true, clock.elapsed);
    return { ...fixture().open({ concurrency, signIns }), signIns };
  };
  const started = ({ dispatcher }: TestQueue): string[] => dispatcher.started.map(({ content }) => content);
  const startedCount = (opened: TestQueue, count: number) =>
    waitFor(
      () => `${count} requests, after ${started(opened).join(", ")}`,
      () => opened.dispatcher.started.length >= count,
    );
  const answerAll = ({ dispatcher }: TestQueue, verdict?: Verdict) => {
    for (const { content } of [...dispatcher.underWay]) {
      dispatcher.answer(content, verdict);
    }
  };
  const queued = async (count: number) =>
    waitFor(`${count} queued`, async () => {
      const rows = await fixture().rows();
      return rows.filter((row) => row.endsWith(" queued")).length === count;
    });
  /** Nothing is claimed although the queue is woken. */
  const claimsNothing = async (opened: TestQueue) => {
    const { engine } = fixture();
    const before = engine.ran.length;
    const count = opened.dispatcher.started.length;
    opened.queue.wake();
    await waitFor("a claim", () => engine.ran.slice(before).includes("requests_claim"));
    await queued((await fixture().rows()).filter((row) => / (queued|leaving)$/.test(row)).length);
    assert.equal(opened.dispatcher.started.length, count);
  };

  it("sends 120 waiting messages once after Resume", async () => {
    const contents = Array.from({ length: 120 }, (_none, n) => `m${n}`);
    await fixture().take(...contents);
    const opened = open();
    await startedCount(opened, 8);
    answerAll(opened, REFUSED);
    await queued(120);
    await claimsNothing(opened);
    assert.deepEqual(opened.settled, []);
    opened.signIns.resume();
    await startedCount(opened, 9);
    await queued(119);
    assert.deepEqual(started(opened).slice(8), ["m0"]);
    assert.equal(opened.dispatcher.started[8]?.attempts, 0);
    await waitFor("all results", () => {
      answerAll(opened, ACCEPTED);
      return opened.settled.length === 120;
    });
    assert.deepEqual(started(opened).slice(8).sort(), [...contents].sort());
    assert.equal(new Set(opened.settled).size, 120);
  });

  it("sends one probe every five minutes and ends a message that three refused", async () => {
    const { take, ledger, clock } = fixture();
    await take("a", "b", "c");
    const opened = open(1);
    await startedCount(opened, 1);
    answerAll(opened, REFUSED);
    await queued(3);
    for (let probe = 1; probe <= 3; probe++) {
      await claimsNothing(opened);
      clock.pass(PROBE_PAUSE);
      opened.queue.wake();
      await startedCount(opened, probe + 1);
      answerAll(opened, REFUSED);
      await (probe < 3 ? queued(3) : ledger("a emitted denied 1", "b queued", "c queued"));
    }
    assert.deepEqual(started(opened), ["a", "a", "a", "a"]);
    assert.deepEqual(opened.settled, ["a denied INVALID_CREDENTIALS"]);
  });

  it("probes by its own timer", async () => {
    const { take, clock } = fixture();
    await take("a");
    const opened = open(1);
    await startedCount(opened, 1);
    answerAll(opened, REFUSED);
    await queued(1);
    clock.pass(PROBE_PAUSE);
    await startedCount(opened, 2);
  });

  it("goes on with messages of other sign-ins, and takes new ones at once", async () => {
    const { take, takeOf, ledger } = fixture();
    await take("a");
    const opened = open(2);
    await startedCount(opened, 1);
    answerAll(opened, REFUSED);
    await queued(1);
    await takeOf("rcs", "b");
    opened.queue.wake();
    await startedCount(opened, 2);
    answerAll(opened);
    await ledger("a queued", "b emitted sent 1");
    await waitFor("an idle queue", () => opened.queue.mayAcceptSending("rcs"));
    assert.equal(opened.queue.mayAcceptSending("sms-json"), false);
    assert.deepEqual(started(opened), ["a", "b"]);
  });

  it("requeues a claimed request when the sign-in is refused meanwhile", async () => {
    const { take, engine, ledger } = fixture();
    await take("a");
    const opened = open(2);
    await startedCount(opened, 1);
    const free = engine.hold("requests_claim");
    await take("b");
    opened.queue.wake();
    await waitFor("the claim", () => engine.ran.filter((name) => name === "requests_claim").length >= 2);
    opened.dispatcher.answer("a", REFUSED);
    free();
    await ledger("a queued", "b queued");
    assert.deepEqual(started(opened), ["a"]);
  });

  it("requeues what the next queue of the account then sends", async () => {
    const { take, ledger } = fixture();
    await take("a");
    const first = open(1);
    await startedCount(first, 1);
    answerAll(first, REFUSED);
    await ledger("a queued");
    await first.queue.close(0);
    const next = open(1);
    await startedCount(next, 1);
    answerAll(next);
    await ledger("a emitted sent 1");
  });
});
