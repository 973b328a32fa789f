import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { CodeResult } from "../../../../nodes/verify-code/runtime/code-node";
import registerVerifyCode from "../../../../nodes/verify-code/verify-code";
import { useFolder } from "../../../unit/store/use-folder";
import { errorOf } from "../../../node/answering-node";
import { ACCOUNT, type Config, startFlow, stopFlow, stopServer, type TestFlow } from "../../../node/flow";

const TEMPLATE = "{{code}} is your code, for {{ minutes }} minutes.";
const TEXT = /^(\d{6}) is your code, for 10 minutes\.$/;

/** Outputs. */
const MADE = 0;
const REFUSED = 1;
const RIGHT = 0;
const WRONG = 1;
const OVER = 2;

type Msg = NodeMessage & {
  readonly to: unknown;
  readonly sensitive?: unknown;
  readonly code: CodeResult;
};

let people = 0;
/** A number that no other test has made codes for. */
const somebody = (): string => `+4179${String(1_000_000 + ++people)}`;

describe("verify-code", () => {
  const folder = useFolder();
  afterEach(stopFlow);
  after(stopServer);

  /** A flow with a node that makes codes, and `n-check`, which checks them and has ports of its own. */
  const start = (
    make: Config = {},
    check: Config = {},
    account: Config = {},
    password = "first",
  ): Promise<TestFlow> =>
    startFlow({
      account,
      credentials: { username: "user", password },
      sender: { type: "messaging-verify-code", kind: "make", template: TEMPLATE, ...make },
      register: [registerVerifyCode],
      more: [
        {
          id: "n-check",
          z: "tab",
          type: "messaging-verify-code",
          kind: "check",
          account: ACCOUNT,
          wires: [["check0"], ["check1"], ["check2"]],
          ...check,
        },
        ...[0, 1, 2].map((port) => ({ id: `check${port}`, z: "tab", type: "helper" })),
      ],
      completing: ["n-check"],
    });

  /** Gives one message to the node that makes codes. @returns what leaves, and by which output */
  async function make(flow: TestFlow, msg: Record<string, unknown>): Promise<readonly [number, Msg]> {
    const before = flow.all.messages.length;
    const sizes = flow.ports.map(({ messages }) => messages.length);
    flow.send(msg);
    await Promise.race([flow.all.until(before + 1), flow.caught.until(1)]);
    assert.deepEqual(flow.caught.messages, []);
    const port = flow.ports.findIndex(({ messages }, at) => messages.length > (sizes[at] ?? 0));
    return [port, flow.ports[port]?.messages.at(-1) as Msg];
  }

  async function codeFor(flow: TestFlow, to: string): Promise<string> {
    const [port, msg] = await make(flow, { to });
    assert.equal(port, MADE);
    return TEXT.exec(String(msg.payload))?.[1] ?? assert.fail(String(msg.payload));
  }

  /** Gives one message to the node that checks codes. */
  function check(flow: TestFlow, msg: Record<string, unknown>): Promise<readonly [number, Msg]> {
    return new Promise((resolve) => {
      for (const port of [0, 1, 2]) {
        flow.node(`check${port}`).removeAllListeners("input");
        flow.node(`check${port}`).on("input", (found: NodeMessage) => resolve([port, found as Msg]));
      }
      void flow.caught.until(1).then(([caught]) => resolve([-1, caught as Msg]));
      flow.node("n-check").receive(msg as unknown as NodeMessage);
    });
  }

  const other = (code: string): string => code.replace(/^./, (first) => String((Number(first) + 1) % 10));

  const open = (first: Config = {}, second: Config = {}, account: Config = {}): Promise<TestFlow> =>
    start(first, second, { keepMessages: "computer", storeFolder: folder(), ...account });

  it("makes a text with a code for one number, ready for a send node", async () => {
    const flow = await open({}, {}, { defaultCountry: "CH" });
    const kept = { deep: ["as it was"] };
    const before = Date.now();
    const [port, msg] = await make(flow, {
      to: "079 123 45 67",
      topic: "kept",
      kept,
      payload: { user: 1 },
    });
    assert.equal(port, MADE);
    assert.match(String(msg.payload), TEXT);
    assert.deepEqual([msg.to, msg.sensitive, msg.topic], ["+41791234567", true, "kept"]);
    assert.deepEqual((msg as unknown as { kept: unknown }).kept, { deep: ["as it was"] });
    assert.ok("expiresAt" in msg.code);
    const { expiresAt, ...rest } = msg.code;
    assert.deepEqual(rest, { state: "made", purpose: "login", number: "+41791234567" });
    const ends = Date.parse(String(expiresAt)) - 600_000;
    assert.ok(ends >= before && ends <= Date.now(), String(expiresAt));
  });

  it("finds the right code right once, however it is typed, and leaves the message as it came", async () => {
    const flow = await open();
    const to = somebody();
    const code = await codeFor(flow, to);
    const typed = ` ${code.slice(0, 3)} - ${code.slice(3)}`;
    const [port, msg] = await check(flow, { to, payload: typed, topic: "kept" });
    assert.equal(port, RIGHT);
    assert.deepEqual(msg.code, { state: "right", triesLeft: null, purpose: "login", number: to });
    assert.deepEqual([msg.payload, msg.to, msg.topic, msg.sensitive], [typed, to, "kept", undefined]);
    const [again, { code: second }] = await check(flow, { to, payload: code });
    assert.deepEqual([again, second.state], [OVER, "none"]);
  });

  it("says how many tries are left, and takes no code after the last one", async () => {
    const flow = await open({ tries: "2" });
    const to = somebody();
    const code = await codeFor(flow, to);
    const found: unknown[] = [];
    for (const payload of ["", other(code), code]) {
      const [port, msg] = await check(flow, { to, payload });
      found.push([port, msg.code]);
    }
    const over = { state: "too-many", triesLeft: null, purpose: "login", number: to };
    assert.deepEqual(found, [
      [WRONG, { ...over, state: "wrong", triesLeft: 1 }],
      [OVER, over],
      [OVER, over],
    ]);
  });

  it("makes no more codes for a number than it may, and none of those it made is lost by that", async () => {
    const flow = await open({ perNumber: "2", resultProperty: "made.code" });
    const to = somebody();
    await make(flow, { to });
    const [, { payload }] = await make(flow, { to });
    const [port, msg] = await make(flow, { to, payload: "as it came" });
    assert.equal(port, REFUSED);
    const { made } = msg as unknown as { made: { code: CodeResult } };
    assert.deepEqual(made.code, { state: "too-many", purpose: "login", number: to, expiresAt: null });
    assert.deepEqual([msg.payload, msg.to, msg.sensitive], ["as it came", to, undefined]);
    assert.equal((await check(flow, { to, payload: String(payload).slice(0, 6) }))[1].code.state, "right");
  });

  it("lets a caller make and check no more than it may", async () => {
    const caller = { callerSource: "msg", caller: "req.ip", perCaller: "3" };
    const flow = await open(caller, caller);
    const req = { ip: `192.0.2.${++people}` };
    const [to, second] = [somebody(), somebody()];
    const [, { payload }] = await make(flow, { to, req });
    const code = String(payload).slice(0, 6);
    assert.equal((await check(flow, { to: second, payload: code, req }))[1].code.state, "none");
    assert.equal((await check(flow, { to, payload: other(code), req }))[1].code.state, "wrong");
    assert.deepEqual((await check(flow, { to, payload: code, req }))[0], OVER);
    assert.equal((await make(flow, { to: second, req }))[0], REFUSED);
    const found = await check(flow, { to, payload: code, req: { ip: `192.0.2.${++people}` } });
    assert.equal(found[0], RIGHT, "the refused check was not compared, and not counted as a try");
  });

  it("counts an IPv6 address by its network, and an IPv4 address in whatever spelling", async () => {
    const caller = { callerSource: "msg", caller: "req.ip", perCaller: "2" };
    const flow = await open(caller);
    const makeFrom = async (ip: string): Promise<unknown> =>
      (await make(flow, { to: somebody(), req: { ip } }))[0];
    const network = `2001:db8:0:${(++people).toString(16)}`;
    assert.notEqual(await makeFrom(`${network}::1`), REFUSED);
    assert.notEqual(await makeFrom(`${network}:aaaa:bbbb:cccc:dddd`), REFUSED);
    assert.equal(await makeFrom(`${network}::3`), REFUSED);
    assert.notEqual(await makeFrom(`2001:db8:1:${people.toString(16)}::1`), REFUSED, "another network");
    const ip = `192.0.2.${++people}`;
    assert.notEqual(await makeFrom(ip), REFUSED);
    assert.notEqual(await makeFrom(`::ffff:${ip}`), REFUSED);
    assert.equal(await makeFrom(ip), REFUSED);
    assert.notEqual(await makeFrom(`192.0.2.${++people}`), REFUSED, "another address");
  });

  for (const keepMessages of ["computer", "memory"]) {
    it(`knows its codes after a deploy with another password, account in: ${keepMessages}`, async () => {
      const account = { keepMessages, storeFolder: folder() };
      const to = somebody();
      const code = await codeFor(await start({}, {}, account), to);
      await stopFlow();
      const next = await start({}, {}, account, "second");
      assert.equal((await check(next, { to, payload: code }))[0], RIGHT);
    });
  }

  const TO = "+41790000001";
  it("refuses a wrong field or setting, and quotes nothing that a person has typed", async () => {
    const cases: readonly (readonly [config: Config, msg: Config, code: RegExp, text: RegExp])[] = [
      [{}, { to: undefined }, /^FIELD_/, /^Number is set to msg\.to, which holds no value/],
      [{}, { to: `${TO}, +41790000002` }, /^FIELD_/, /^Number must be one phone number/],
      [{}, { to: "555-SECRET" }, /^FIELD_/, /^Number must be one phone number/],
      [{ purpose: "x".repeat(101) }, {}, /^FIELD_/, /^Purpose must be .* 1 to 100 characters/],
      [{ callerSource: "msg", caller: "c" }, { c: "" }, /^FIELD_/, /^Caller is set to msg/],
      [{ kind: "check" }, { payload: ["987654"] }, /^FIELD_/, /^“Typed code” must be a text/],
      [{ template: "Hello {{minutes}}" }, {}, /^BAD_SETTING$/, /\{\{code\}\}/],
      [{ length: "3" }, {}, /^BAD_SETTING$/, /length .* 4 to 12/],
      [{ tries: "11" }, {}, /^BAD_SETTING$/, /1 to 10/],
      [{ perNumber: "many" }, {}, /^BAD_SETTING$/, /1 to 1000/],
      [{ validFor: "2 d" }, {}, /^BAD_SETTING$/, /1 min to 24 h/],
      [{ resultProperty: "payload.code" }, {}, /^BAD_SETTING$/, /^The result cannot be in msg\./],
      [{ resultProperty: "msg.sensitive" }, {}, /^BAD_SETTING$/, /^The result cannot be in msg\./],
    ];
    for (const [config, msg, code, text] of cases) {
      const [found, said] = await errorOf(await start(config), { to: TO, ...msg });
      assert.match(found, code);
      assert.match(said, text);
      assert.doesNotMatch(said, /SECRET|987654/);
      await stopFlow();
    }
  });

  it("says nothing in an error of what an expression was given, only where it failed", async () => {
    const flow = await start({}, { codeSource: "jsonata", code: "$number(payload & 'x')" });
    const [port, msg] = await check(flow, { to: somebody(), payload: "471108" });
    const { message } = (msg as unknown as { error: { message: string } }).error;
    assert.equal(port, -1);
    assert.match(message, /^“Typed code” could not be read from the expression: D3030, \d+$/);
    assert.ok(!flow.log("error").join().includes("471108"));
  });
});
