import assert from "node:assert/strict";
import type { NodeMessage } from "node-red";
import type { OptOutResult } from "../../../lib/runtime/opt-outs/opt-out-actions";
import type { OptOutRow } from "../../../lib/shared/opt-outs";
import { AccountMemory } from "../../../lib/runtime/memory/account-memory";
import type { Language } from "../../../lib/texts/catalogues";
import registerOptOut from "../../../nodes/opt-out/opt-out";
import { useFolder } from "../../unit/store/use-folder";
import { assertShortGerman, badgeOf, errorOf, HOSTILE } from "../answering-node";
import { ACCOUNT, type Config, startFlow, stopFlow, stopServer, type TestFlow } from "../flow";

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
  afterEach(async () => {
    await stopFlow();
    const list = AccountMemory.of(ACCOUNT).optOuts;
    await list.remove((await list.page("", 1_000_000)).map(({ number }) => number));
  });
  after(stopServer);

  const start = (config: Config, account: Config = {}, language: Language = "en-US"): Promise<TestFlow> =>
    startFlow({
      language,
      account,
      sender: { type: "opt-out", ...config },
      register: [registerOptOut],
      more: [
        { id: "n-add", z: "tab", type: "opt-out", kind: "add", account: ACCOUNT, wires: [["added"]] },
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

  for (const keepMessages of ["memory", "computer"]) {
    describe(`with an account that keeps messages in ${keepMessages}`, () => {
      const open = (config: Config, account: Config = {}): Promise<TestFlow> =>
        start(config, { keepMessages, storeFolder: folder(), ...account });

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

      it("puts numbers of another source into msg.to", async () => {
        const flow = await open({ kind: "check", numbersSource: "str", numbers: `${ANNA}, ${BEAT}` });
        await add(flow, BEAT);
        assert.deepEqual((await result(flow, {})).to, [ANNA]);
        const [held] = await flow.ports[OPTED_OUT]!.until(1);
        assert.deepEqual((held as Msg).to, [BEAT]);
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
        assert.equal(
          ((await result(flow, { payload: { phone: BEAT } })).optOut as { added: number }).added,
          1,
        );
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

      it("handles 100,000 numbers without keeping others waiting", async () => {
        const numbers = Array.from(
          { length: 100_000 },
          (_, at) => `+4179${String(9_999_999 - at).padStart(7, "0")}`,
        );
        const flow = await open({ kind: "import" });
        let turns = 0;
        const timer = setInterval(() => turns++, 1);
        const { optOut } = await result(flow, { payload: numbers });
        assert.deepEqual(optOut, { action: "import", added: 100_000, known: 0, wrong: [], duplicates: 0 });
        await stopFlow();
        const listing = await open({ kind: "list" });
        listing.send({});
        const pages = await listing.ports[FREE]!.until(100);
        clearInterval(timer);
        assert.equal(new Set(pages.flatMap(rowsOf).map(({ number }) => number)).size, 100_000);
        assert.deepEqual((pages.at(-1) as Msg).parts?.count, 100);
        // In one go there are two or three.
        assert.ok(turns > 20, `${turns} turns`);
      });
    });
  }

  it("keeps the list after a restart where the account keeps messages", async () => {
    const kept = { keepMessages: "computer", storeFolder: folder() };
    await add(await start({ kind: "check" }, kept), ANNA);
    await stopFlow();
    const held = await result(await start({ kind: "check" }, kept), { to: ANNA }, OPTED_OUT);
    assert.equal(held.to, ANNA);
  });

  it("leaves a list that its join node makes one of again", async () => {
    const flow = await startFlow({
      sender: { type: "opt-out", kind: "list", pageSize: "2", wires: [["n-join"]] },
      register: [
        registerOptOut,
        require("@node-red/nodes/core/sequence/17-split.js") as typeof registerOptOut,
      ],
      more: [
        {
          id: "n-join",
          z: "tab",
          type: "join",
          mode: "auto",
          property: "payload",
          propertyType: "msg",
          wires: [["port0"]],
        },
        { id: "n-add", z: "tab", type: "opt-out", kind: "add", account: ACCOUNT, wires: [[]] },
      ],
      completing: ["n-add"],
    });
    const numbers = [1, 2, 3, 4, 5].map((n) => `+4179000000${n}`);
    await add(flow, numbers);
    const whole = await result(flow, {});
    assert.deepEqual(
      rowsOf(whole).map(({ number }) => number),
      numbers,
    );
  });

  const SCOPE = { kind: "add", scopeSource: "msg", scope: "payload" };
  const PAGE = { kind: "list", pageSizeSource: "msg", pageSize: "payload" };
  const WRONG: readonly (readonly [title: string, config: Config, msg: Config, text: RegExp])[] = [
    ["a missing number", { kind: "add" }, {}, /Numbers is set to msg\.to, which holds no value/],
    ["a blank number", { kind: "add" }, { to: " " }, /Numbers has no phone number/],
    ["a blank number of a check", { kind: "check" }, { to: "" }, /Numbers has no phone number/],
    [
      "what is no number",
      { kind: "add" },
      { to: "Ada" },
      /Numbers has an entry that is no phone number: 'Ada'/,
    ],
    ["several that are none", { kind: "remove" }, { to: ["Ada", {}] }, /2 entries .* the first is 'Ada': /],
    [
      "a scope that is none",
      SCOPE,
      { payload: "toString" },
      /Scope must be one of all, advertisement, but is 'toS/,
    ],
    [
      "a source that is none",
      { kind: "add", sourceSource: "msg", source: "payload" },
      { payload: "import" },
      /Source must be one of flow, inbound/,
    ],
    [
      "a category that is none",
      { kind: "check", categorySource: "msg", category: "payload" },
      { payload: "all" },
      /“To be sent” must be one of advertisement, informational/,
    ],
    [
      "a column that no row has",
      { kind: "import", column: "phone" },
      { payload: [{ telephone: ANNA, name: "Anna" }] },
      /Column is 'phone', which no row has; columns of the first row: 'telephone', 'name'/,
    ],
    ["rows without columns", { kind: "import" }, { payload: {} }, /columns of the first row: none/],
    [
      "rows without a number",
      { kind: "import" },
      { payload: [{ number: "", name: "Ada" }, { number: "Ada" }] },
      /Rows has an entry that is no phone number: 'Ada': /,
    ],
    ["a page of 0", PAGE, { payload: 0 }, /“Page size” must be a whole number from 2 to 10000, but is 0/],
    ["a page too long", PAGE, { payload: 10_001 }, /“Page size” must be/],
  ];
  for (const [title, config, msg, text] of WRONG) {
    it(`refuses ${title}`, async () => {
      const to = title.includes("number") ? {} : { to: ANNA };
      const [code, message] = await errorOf(await start(config), { ...to, ...msg });
      assert.match(code, /^FIELD_/);
      assert.match(message, text);
    });
  }

  it("says in German, on one short line, what is wrong with values of others", async () => {
    const cases: readonly (readonly [config: Config, msg: Config])[] = [
      [{ kind: "add" }, { to: HOSTILE }],
      [{ kind: "add" }, { to: [HOSTILE, HOSTILE] }],
      [SCOPE, { to: ANNA, payload: HOSTILE }],
      [{ kind: "import" }, { payload: { [HOSTILE]: ANNA } }],
      [PAGE, { payload: HOSTILE }],
      [{ kind: HOSTILE }, {}],
    ];
    await assertShortGerman(cases.map(([config, msg]) => [() => start(config, {}, "de"), msg]));
  });

  it("shows in its badge what it did", async () => {
    const flow = await start({ kind: "add" });
    flow.send({ to: [ANNA, BEAT] });
    assert.equal(await badgeOf(flow, 1), "green: 2 added");
    flow.send({ to: [ANNA, CARLA, "Ada"] });
    assert.equal(await badgeOf(flow, 2), "yellow: 1 added, 1 already in the list, 1 wrong");
    flow.send({ to: [] });
    assert.equal(await badgeOf(flow, 3), "green: 0 added");
  });

  it("keeps a message from those who opted out when its first output leads to a send node", async () => {
    const flow = await startFlow({
      sender: { type: "opt-out", kind: "check", wires: [["n-sms"], ["port1"]] },
      register: [registerOptOut],
      more: [
        {
          id: "n-sms",
          z: "tab",
          type: "sms-send",
          account: ACCOUNT,
          wires: [["port0"], ["port0"], ["port0"], ["port0"]],
        },
        { id: "n-add", z: "tab", type: "opt-out", kind: "add", account: ACCOUNT, wires: [[]] },
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
