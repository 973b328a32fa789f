import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import type { CodeResult } from "../../../lib/runtime/codes/code-node";
import type { Language } from "../../../lib/texts/catalogues";
import { setLanguage } from "../../../lib/texts/say";
import registerVerifyCode from "../../../nodes/verify-code/verify-code";
import { findEnglish } from "../../support/locales/english-words";
import { useFolder } from "../../unit/store/use-folder";
import { ACCOUNT, type Config, startFlow, stopFlow, stopServer, type TestFlow } from "../flow";

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
  afterEach(async () => {
    setLanguage(() => "en-US");
    await stopFlow();
  });
  after(stopServer);

  /** A flow with a node that makes codes, and `n-check`, which checks them and has ports of its own. */
  const start = (
    make: Config = {},
    check: Config = {},
    account: Config = {},
    language: Language = "en-US",
  ): Promise<TestFlow> =>
    startFlow({
      language,
      account,
      sender: { type: "verify-code", kind: "make", template: TEMPLATE, ...make },
      register: [registerVerifyCode],
      more: [
        {
          id: "n-check",
          z: "tab",
          type: "verify-code",
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

  for (const keepMessages of ["memory", "computer"]) {
    describe(`with an account that keeps messages in ${keepMessages}`, () => {
      const open = (first: Config = {}, second: Config = {}, account: Config = {}): Promise<TestFlow> =>
        start(first, second, { keepMessages, storeFolder: folder(), ...account });

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
        const flow = await open({ tries: "3" });
        const to = somebody();
        const code = await codeFor(flow, to);
        const found: unknown[] = [];
        for (const payload of [other(code), "", other(code), code]) {
          const [port, { code: result }] = await check(flow, { to, payload });
          assert.ok("triesLeft" in result);
          found.push([port, result.state, result.triesLeft]);
        }
        assert.deepEqual(found, [
          [WRONG, "wrong", 2],
          [WRONG, "wrong", 1],
          [OVER, "too-many", null],
          [OVER, "too-many", null],
        ]);
      });

      it("has one code for a purpose and number, and others for others", async () => {
        const flow = await open(
          { purposeSource: "msg", purpose: "what", length: "12" },
          { purposeSource: "msg", purpose: "what" },
        );
        const to = somebody();
        const codes: string[] = [];
        for (const what of ["login", "payment", "login"]) {
          const [, msg] = await make(flow, { to, what });
          codes.push(String(msg.payload).slice(0, 12));
        }
        const [old, payment, latest] = codes;
        const state = async (what: string, payload: unknown): Promise<string> =>
          (await check(flow, { to, what, payload }))[1].code.state;
        assert.equal(await state("login", old), "wrong");
        assert.equal(await state("login", payment), "wrong");
        assert.equal(await state("payment", payment), "right");
        assert.equal(await state("login", latest), "right");
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
        assert.equal(
          (await check(flow, { to, payload: String(payload).slice(0, 6) }))[1].code.state,
          "right",
        );
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

      it("knows its codes after a deploy", async () => {
        const to = somebody();
        const code = await codeFor(await open(), to);
        await stopFlow();
        assert.equal((await check(await open(), { to, payload: code }))[0], RIGHT);
      });
    });
  }

  it("makes codes of letters, and reads them in small letters", async () => {
    const flow = await start({ characters: "letters", length: "8", validFor: "90s" });
    const to = somebody();
    const [, msg] = await make(flow, { to });
    const [, code = "", minutes] =
      /^([BCDFGHJKMNPQRSTVWXZ]{8}) is your code, for (\d) minutes/.exec(String(msg.payload)) ?? [];
    assert.equal(minutes, "1");
    assert.equal((await check(flow, { to, payload: code.toLowerCase() }))[0], RIGHT);
  });

  /** @returns code and text of the error of one message */
  async function errorOf(flow: TestFlow, msg: Record<string, unknown> = {}): Promise<[string, string]> {
    flow.send(msg);
    const [caught] = await flow.caught.until(1);
    assert.deepEqual(flow.all.messages, [], "nothing may leave");
    assert.deepEqual(flow.completed.messages, []);
    const { error } = caught as NodeMessage & { error: { message: string; code: string } };
    return [error.code, error.message];
  }

  const FAULTS: readonly (readonly [string, Config, Record<string, unknown>, string, RegExp])[] = [
    ["no number", {}, {}, "FIELD_UNRESOLVED", /Number is set to msg\.to, which holds no value/],
    [
      "two numbers",
      {},
      { to: "+41790000001, +41790000002" },
      "FIELD_INVALID",
      /Number must be one phone number/,
    ],
    ["a wrong number", {}, { to: "555-SECRET" }, "FIELD_INVALID", /Number must be one phone number/],
    ["a list with a wrong one", {}, { to: ["+41790000001", "x"] }, "FIELD_INVALID", /Number must be one/],
    [
      "a blank purpose",
      { purposeSource: "msg", purpose: "p" },
      { to: "+41790000001", p: " " },
      "FIELD_INVALID",
      /Purpose must be/,
    ],
    [
      "a long purpose",
      { purpose: "x".repeat(101) },
      { to: "+41790000001" },
      "FIELD_INVALID",
      /Purpose must be .* 100/,
    ],
    [
      "a blank caller",
      { callerSource: "msg", caller: "c" },
      { to: "+41790000001", c: "" },
      "FIELD_INVALID",
      /Caller must be/,
    ],
    [
      "no caller",
      { callerSource: "msg", caller: "req.ip" },
      { to: "+41790000001" },
      "FIELD_UNRESOLVED",
      /Caller is set to msg\.req\.ip/,
    ],
    [
      "a caller that is an object",
      { callerSource: "msg", caller: "c" },
      { to: "+41790000001", c: {} },
      "FIELD_INVALID",
      /Caller must be/,
    ],
    [
      "a code that is a list",
      { kind: "check" },
      { to: "+41790000001", payload: ["987654"] },
      "FIELD_INVALID",
      /“Typed code” must be a text/,
    ],
    [
      "no code",
      { kind: "check" },
      { to: "+41790000001" },
      "FIELD_UNRESOLVED",
      /“Typed code” is set to msg\.payload/,
    ],
    [
      "a template without a code",
      { template: "Hello {{minutes}}" },
      { to: "+41790000001" },
      "BAD_SETTING",
      /\{\{code\}\}/,
    ],
    ["no template", { template: undefined }, { to: "+41790000001" }, "BAD_SETTING", /\{\{code\}\}/],
    [
      "a template that is no text",
      { template: ["{{code}}"] },
      { to: "+41790000001" },
      "BAD_SETTING",
      /\{\{code\}\}/,
    ],
    ["a short code", { length: "3" }, { to: "+41790000001" }, "BAD_SETTING", /length .* 4 to 12/],
    ["many tries", { tries: "11" }, { to: "+41790000001" }, "BAD_SETTING", /1 to 10/],
    ["a limit that is no number", { perNumber: "many" }, { to: "+41790000001" }, "BAD_SETTING", /1 to 1000/],
    ["a limit of nothing", { perCaller: "0" }, { to: "+41790000001" }, "BAD_SETTING", /1 to 100000/],
    ["a time that is none", { validFor: "soon" }, { to: "+41790000001" }, "BAD_SETTING", /1 min to 24 h/],
    ["a time that is too long", { validFor: "2 d" }, { to: "+41790000001" }, "BAD_SETTING", /1 min to 24 h/],
    ["other characters", { characters: "emoji" }, { to: "+41790000001" }, "BAD_SETTING", /digits, letters/],
    ["another action", { kind: "guess" }, { to: "+41790000001" }, "BAD_SETTING", /make, check/],
    [
      "a result in the message",
      { resultProperty: "payload.code" },
      { to: "+41790000001" },
      "BAD_SETTING",
      /msg\.payload\.code/,
    ],
    ["no account", { account: "gone" }, { to: "+41790000001" }, "NO_ACCOUNT", /account/],
  ];
  for (const [title, config, msg, code, pattern] of FAULTS) {
    it(`refuses ${title}, and quotes nothing that a person has typed`, async () => {
      const [found, text] = await errorOf(await start(config), msg);
      assert.equal(found, code);
      assert.match(text, pattern);
      assert.doesNotMatch(text, /SECRET|987654/);
    });
  }

  it("says all of that in German", async () => {
    for (const [title, config, msg] of FAULTS) {
      const [, text] = await errorOf(await start(config, {}, {}, "de"), msg);
      assert.equal(findEnglish(text), null, `${title}: ${text}`);
      await stopFlow();
    }
  });

  it("says where the result is when its property cannot be set", async () => {
    const flow = await start({}, { resultProperty: "payload.length" });
    const [, msg] = await check(flow, { to: somebody(), payload: "123456" });
    assert.equal(msg.code.state, "none");
    assert.match(flow.log("warn").join("\n"), /in msg\.code, because msg\.payload\.length leads through/);
  });

  it("finds nothing right and sends nothing while the store cannot be used, shows it, and goes on after that", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const account = { keepMessages: "computer", storeFolder: join(file, "store") };
    const flow = await start({}, {}, account);
    const to = somebody();
    const [code] = await errorOf(flow, { to });
    assert.equal(code, "STORE_NO_FOLDER");
    const [shown] = await flow.statuses.until(1);
    const { fill, text } = (shown as unknown as { status: Record<string, string> }).status;
    assert.deepEqual([fill, text], ["red", "store folder is wrong"]);
    flow.node("n-check").receive({ to, payload: "123456" } as unknown as NodeMessage);
    const [, second] = await flow.caught.until(2);
    assert.equal((second as NodeMessage & { error: { code: string } }).error.code, "STORE_NO_FOLDER");
    rmSync(file);
    flow.send({ to });
    await flow.ports[MADE]?.until(1);
  });

  it("shows in its badge what came of the latest message", async () => {
    const flow = await start({ perNumber: "1" });
    const to = somebody();
    const badge = async (at: number): Promise<string> => {
      const { status } = (await flow.statuses.until(at))[at - 1] as unknown as {
        status: { text: string; fill: string };
      };
      return `${status.fill}: ${status.text}`;
    };
    flow.send({ to });
    assert.equal(await badge(1), "green: code made");
    flow.send({ to });
    assert.equal(await badge(2), "yellow: too many");
    flow.send({ to: "12" });
    assert.equal(await badge(3), "red: no valid number");
    flow.send({});
    assert.equal(await badge(4), "red: no valid number");
    setLanguage(() => "de");
    flow.send({ to: "ask his mother" });
    assert.equal(await badge(5), "red: keine gültige Nummer");
  });

  it("says nothing in an error of what an expression was given, only where it failed", async () => {
    const flow = await start({}, { codeSource: "jsonata", code: "$number(payload & 'x')" });
    const [port, msg] = await check(flow, { to: somebody(), payload: "471108" });
    const { message } = (msg as unknown as { error: { message: string } }).error;
    assert.equal(port, -1);
    assert.match(message, /^“Typed code” could not be read from the expression: D3030, \d+$/);
    assert.ok(!flow.log("error").join().includes("471108"));
  });

  it("refuses a purpose that PostgreSQL cannot hold, with every account", async () => {
    const flow = await start({ purpose: "purpose", purposeSource: "msg" });
    flow.send({ to: somebody(), purpose: "log\0in" } as unknown as NodeMessage);
    const [caught] = await flow.caught.until(1);
    const { message } = (caught as unknown as { error: { message: string } }).error;
    assert.match(message, /^Purpose must be a text of 1 to 100 characters/);
  });

  it("puts no result where the message for the person is, also where the path begins with msg.", async () => {
    for (const resultProperty of ["payload", "msg.payload", "msg.to.x", "msg.sensitive"]) {
      const flow = await start({ resultProperty });
      flow.send({ to: somebody() } as unknown as NodeMessage);
      const [caught] = await flow.caught.until(1);
      const { message } = (caught as unknown as { error: { message: string } }).error;
      assert.match(message, /^The result cannot be in msg\./, resultProperty);
      await stopFlow();
    }
  });
});
