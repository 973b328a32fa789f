import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { OptOutResult } from "../../../../nodes/opt-out/runtime/opt-out-actions";
import type { OptOutRow } from "../../../../lib/shared/opt-outs";
import registerOptOut from "../../../../nodes/opt-out/opt-out";
import { useFolder } from "../../../unit/store/use-folder";
import { errorOf } from "../../../node/answering-node";
import {
  ACCOUNT,
  type Config,
  startFlow,
  stopFlow,
  stopServer,
  type TestFlow,
  untilBadge,
} from "../../../node/flow";

const FREE = 0;
const OPTED_OUT = 1;
const ANNA = "+41790000001";
const BEAT = "+41790000002";
const CARLA = "+41790000003";

type Msg = NodeMessage & { readonly to: unknown; readonly optOut: OptOutResult; readonly parts?: Parts };
interface Parts {
  readonly id: string;
  readonly type: string;
  readonly index: number;
  readonly len: number;
  readonly count?: number;
  readonly parts?: unknown;
}

const rowsOf = (msg: NodeMessage | undefined): readonly OptOutRow[] => (msg as Msg).payload as never;

describe("opt-out", () => {
  const folder = useFolder();
  afterEach(stopFlow);
  after(stopServer);

  const start = (config: Config, account: Config = {}): Promise<TestFlow> =>
    startFlow({
      account,
      sender: { type: "messaging-opt-out", ...config },
      register: [registerOptOut],
      more: [
        {
          id: "n-add",
          z: "tab",
          type: "messaging-opt-out",
          kind: "add",
          account: ACCOUNT,
          wires: [["added"]],
        },
        { id: "added", z: "tab", type: "helper" },
      ],
      completing: ["n-add"],
    });

  /** Puts numbers into the list of the flow that runs. */
  async function add(flow: TestFlow, to: unknown): Promise<void> {
    const before = flow.completed.messages.length;
    flow.node("n-add").receive({ to } as unknown as NodeMessage);
    await flow.completed.until(before + 1);
  }

  async function result(flow: TestFlow, msg: Record<string, unknown>, port = FREE): Promise<Msg> {
    const log = flow.ports[port]!;
    const before = log.messages.length;
    flow.send(msg);
    await Promise.race([log.until(before + 1), flow.caught.until(1)]);
    assert.deepEqual(flow.caught.messages, []);
    return log.messages[before] as Msg;
  }

  const open = (config: Config, account: Config = {}): Promise<TestFlow> =>
    start(config, { keepMessages: "computer", storeFolder: folder(), ...account });

  it("warns once of rounded numbers of an import, in the log and the badge", async () => {
    const flow = await start({ kind: "import", column: "mobile", columnSource: "str" });
    for (const mobile of [41_791_200_000, 41_791_300_000]) {
      await result(flow, { payload: [{ mobile }] });
    }
    await untilBadge(flow, /check numbers: rounded\?/);
    assert.equal(flow.log("warn").filter((line) => line.includes("parse numerical values")).length, 1);
  });

  it("adds numbers in any spelling once, and says which are wrong", async () => {
    const flow = await open({ kind: "add" }, { defaultCountry: "CH" });
    const first = await result(flow, {
      to: ["079 000 00 01", ANNA, "0041 79 000 00 02", "abc", 41790000003, null],
      payload: "kept",
    });
    assert.equal(first.payload, "kept");
    const { wrong, ...counts } = first.optOut;
    assert.deepEqual(counts, { action: "add", added: 3, known: 0, duplicates: 1 });
    assert.deepEqual(
      wrong.map(({ value, position, reason }) => [value, position, reason]),
      [
        ["abc", null, "not-a-number"],
        ["null", 6, "missing"],
      ],
    );
    assert.match(wrong[0]!.message, /only digits/);
    const again = await result(flow, { to: `${BEAT}; ${ANNA}` });
    assert.deepEqual(again.optOut, { action: "add", added: 0, known: 2, wrong: [], duplicates: 0 });
    assert.match(
      flow.log("warn").join("\n"),
      /Numbers has 2 entries that are no phone numbers; the first is 'abc'/,
    );
  });

  it("takes numbers off", async () => {
    const flow = await open({ kind: "remove" });
    await add(flow, [ANNA, BEAT]);
    const msg = await result(flow, { to: [ANNA, CARLA] });
    assert.deepEqual(msg.optOut, { action: "remove", removed: 1, unknown: 1, wrong: [], duplicates: 0 });
    const again = await result(flow, { to: ANNA });
    assert.deepEqual(again.optOut, { ...msg.optOut, removed: 0 });
  });

  it("divides a list into two messages, and leaves what is no number in the first", async () => {
    const flow = await open({ kind: "check", numbers: "people.phones", resultProperty: "checked.list" });
    await add(flow, BEAT);
    const people = { phones: [ANNA, "41 79 000 00 02", "abc", CARLA, ANNA], kept: true };
    flow.send({ people, payload: "Hello" });
    const [free] = await flow.ports[FREE]!.until(1);
    const [held] = await flow.ports[OPTED_OUT]!.until(1);
    const read = (msg: unknown) =>
      msg as { people: { phones: unknown }; payload: unknown; checked: { list: OptOutResult } };
    assert.deepEqual(read(free).people, { phones: [ANNA, CARLA, "abc"], kept: true });
    assert.deepEqual(read(held).people, { phones: [BEAT], kept: true });
    assert.deepEqual([read(free).payload, read(held).payload], ["Hello", "Hello"]);
    assert.equal(free?._msgid, held?._msgid);
    for (const msg of [free, held]) {
      const checked = read(msg).checked.list;
      assert.ok(checked.action === "check");
      assert.deepEqual([checked.free, checked.optedOut, checked.duplicates], [2, 1, 1]);
      assert.deepEqual(
        checked.wrong.map(({ value, position }) => [value, position]),
        [["abc", null]],
      );
      assert.deepEqual(
        checked.entries.map(({ number, scope, source }) => [number, scope, source]),
        [[BEAT, "all", "flow"]],
      );
      assert.ok(Math.abs(Date.parse(checked.entries[0]!.since) - Date.now()) < 60_000);
    }
  });

  it("passes a message whose numbers belong to one output as it came", async () => {
    const flow = await open({ kind: "check" });
    await add(flow, [ANNA, BEAT]);
    const one = "079/nothing, +41 79 000 00 03";
    assert.equal((await result(flow, { to: one })).to, one);
    assert.deepEqual((await result(flow, { to: [] })).to, []);
    const held = await result(flow, { to: 41790000001 }, OPTED_OUT);
    assert.equal(held.to, 41790000001);
    const both = await result(flow, { to: [ANNA, BEAT] }, OPTED_OUT);
    assert.deepEqual(both.to, [ANNA, BEAT]);
    assert.equal(flow.ports[FREE]!.messages.length, 2);
  });

  it("holds back who does not want advertisement from advertisement only", async () => {
    const adding = await open({
      kind: "add",
      scopeSource: "msg",
      scope: "scope",
      sourceSource: "choice",
      source: "inbound",
    });
    await result(adding, { to: ANNA, scope: "advertisement" });
    await result(adding, { to: BEAT, scope: "all" });
    await stopFlow();
    const check = async (config: Config): Promise<readonly unknown[]> => {
      const flow = await open({ kind: "check", ...config });
      flow.send({ to: [ANNA, BEAT, CARLA] });
      const [free] = await flow.ports[FREE]!.until(1);
      const [held] = await flow.ports[OPTED_OUT]!.until(1);
      const { entries } = (held as Msg).optOut as { entries: readonly OptOutRow[] };
      assert.ok(entries.every(({ source }) => source === "inbound"));
      await stopFlow();
      return [(free as Msg).to, (held as Msg).to];
    };
    assert.deepEqual(await check({}), [[CARLA], [ANNA, BEAT]]);
    assert.deepEqual(await check({ categorySource: "choice", category: "informational" }), [
      [ANNA, CARLA],
      [BEAT],
    ]);
  });

  it("imports a column of rows, one row, and a plain list", async () => {
    const flow = await open({ kind: "import", column: "phone", scope: "advertisement" });
    const rows = [
      { name: "Anna", phone: ANNA },
      { name: "Beat", phone: "wrong" },
      { name: "Carla" },
      { name: "Anna again", phone: 41790000001 },
      { name: "Carla", phone: CARLA },
    ];
    const { optOut } = await result(flow, { payload: rows });
    const { wrong, ...counts } = optOut;
    assert.deepEqual(counts, { action: "import", added: 2, known: 0, duplicates: 1 });
    assert.deepEqual(
      wrong.map(({ value, position, reason }) => [value, position, reason]),
      [
        ["wrong", null, "not-a-number"],
        ["undefined", 3, "missing"],
      ],
    );
    assert.equal(((await result(flow, { payload: { phone: BEAT } })).optOut as { added: number }).added, 1);
    const spreadsheet = await result(flow, { payload: [{ "\uFEFFPhone ": BEAT }, { PHONE: ANNA }] });
    assert.equal((spreadsheet.optOut as { known: number }).known, 2);
    const plain = await result(flow, { payload: `${ANNA}\n${BEAT}\n+41790000004` });
    assert.deepEqual(plain.optOut, { action: "import", added: 1, known: 2, wrong: [], duplicates: 0 });
    const list = await result(flow, { payload: [ANNA, "+41790000005"] });
    assert.deepEqual(list.optOut, { action: "import", added: 1, known: 1, wrong: [], duplicates: 0 });
    await stopFlow();
    const listing = await open({ kind: "list" });
    const listed = rowsOf(await result(listing, {}));
    assert.deepEqual(
      listed.map(({ number, scope, source }) => [number, scope, source]),
      [1, 2, 3, 4, 5].map((n) => [`+4179000000${n}`, "advertisement", "import"]),
    );
  });

  it("lists in pages that a join node puts together, also an empty list", async () => {
    const flow = await open({ kind: "list", pageSize: "2" });
    const empty = await result(flow, { payload: "gone", topic: "kept", parts: { id: "outer" } });
    assert.deepEqual([empty.payload, empty.topic], [[], "kept"]);
    const { id: _id, ...only } = empty.parts as Parts;
    assert.deepEqual(only, { type: "array", index: 0, len: 2, count: 1, parts: { id: "outer" } });
    await add(
      flow,
      [1, 2, 3, 4].map((n) => `+4179000000${n}`),
    );
    const even = flow.all.messages.length;
    flow.send({});
    const pages = (await flow.ports[FREE]!.until(even + 2)).slice(even) as Msg[];
    await flow.completed.until(3);
    assert.equal(flow.ports[FREE]!.messages.length, even + 2, "no page without entries follows");
    assert.deepEqual(
      pages.map((page) => [page.parts?.index, page.parts?.count]),
      [
        [0, undefined],
        [1, 2],
      ],
    );
    assert.equal(pages[0]?.parts?.id, pages[1]?.parts?.id);
    assert.deepEqual(
      pages.flatMap(rowsOf).map(({ number }) => number),
      [1, 2, 3, 4].map((n) => `+4179000000${n}`),
    );
  });

  for (const keepMessages of ["computer", "memory"]) {
    it(`keeps the list over a deploy with an account in: ${keepMessages}`, async () => {
      await add(await open({ kind: "check" }, { keepMessages }), ANNA);
      await stopFlow();
      const held = await result(await open({ kind: "check" }, { keepMessages }), { to: ANNA }, OPTED_OUT);
      assert.equal(held.to, ANNA);
    });
  }

  it("refuses a wrong number, choice, column or page size", async () => {
    const scope = { kind: "add", scopeSource: "msg", scope: "payload" };
    const page = { kind: "list", pageSizeSource: "msg", pageSize: "payload" };
    const cases: readonly (readonly [config: Config, msg: Config, text: RegExp])[] = [
      [{ kind: "add" }, {}, /Numbers is set to msg\.to, which holds no value/],
      [{ kind: "check" }, { to: "" }, /Numbers has no phone number/],
      [{ kind: "add" }, { to: "Ada" }, /Numbers has an entry that is no phone number: 'Ada'/],
      [scope, { to: ANNA, payload: "toString" }, /Scope must be one of all, advertisement, but is 'toS/],
      [
        { kind: "check", categorySource: "msg", category: "payload" },
        { to: ANNA, payload: "all" },
        /“To be sent” must be one of advertisement, informational/,
      ],
      [
        { kind: "import", column: "phone" },
        { payload: [{ telephone: ANNA, name: "Anna" }] },
        /Column is 'phone', which no row has; columns of the first row: 'telephone', 'name'/,
      ],
      [page, { payload: 0 }, /“Page size” must be a whole number from 2 to 10000, but is 0/],
      [page, { payload: 10_001 }, /“Page size” must be/],
    ];
    for (const [config, msg, text] of cases) {
      const [code, message] = await errorOf(await start(config), msg);
      assert.match(code, /^FIELD_/);
      assert.match(message, text);
      await stopFlow();
    }
  });

  it("keeps a message from those who opted out when its first output leads to a send node", async () => {
    const flow = await startFlow({
      sender: { type: "messaging-opt-out", kind: "check", wires: [["n-sms"], ["port1"]] },
      register: [registerOptOut],
      more: [
        {
          id: "n-sms",
          z: "tab",
          type: "messaging-sms-send",
          account: ACCOUNT,
          wires: [["port0"], ["port0"], ["port0"], ["port0"]],
        },
        { id: "n-add", z: "tab", type: "messaging-opt-out", kind: "add", account: ACCOUNT, wires: [[]] },
      ],
      completing: ["n-add"],
    });
    await add(flow, BEAT);
    flow.send({ to: [ANNA, BEAT, "Ada"], payload: "Hello" });
    const sent = (await flow.ports[0]!.until(2)) as unknown as {
      result: { outcome: string; recipients: readonly string[] };
    }[];
    assert.deepEqual(
      sent.map(({ result: { outcome, recipients } }) => `${outcome} ${recipients.join()}`).sort(),
      ["rejected Ada", "sent 41790000001"],
    );
  });
});
