import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import type { Digest } from "../../../lib/runtime/digest/digest-message";
import { Account } from "../../../lib/runtime/account/account";
import { AccountMemory } from "../../../lib/runtime/memory/account-memory";
import { MemoryDigests } from "../../../lib/runtime/memory/memory-digests";
import registerDigest from "../../../nodes/message-digest/message-digest";
import { KEY_FILE } from "../../../lib/shared/own-files";
import type { Language } from "../../../lib/texts/catalogues";
import { setLanguage } from "../../../lib/texts/say";
import { waitFor } from "../../support/wait-for";
import { useFolder } from "../../unit/store/use-folder";
import { assertShortGerman, errorOf, HOSTILE } from "../answering-node";
import { ACCOUNT, type Config, startFlow, stopFlow, stopServer, type TestFlow, untilBadge } from "../flow";
import { inStore } from "../store/stored-flow";

type Msg = NodeMessage & {
  readonly digest: Digest;
  readonly topic?: unknown;
  readonly to?: unknown;
  readonly sensitive?: unknown;
};

const TEXTS = {
  one: "One: {{first.payload}}",
  several: "{{count}}, the latest: {{last.payload}}. {{#items}}[{{payload}}]{{/items}}",
  over: "Over, {{total}} in all",
};
/** Messages that come at once. */
const UNDER_WAY = 1_000;
const SECRET = "4711-0815";

describe("message-digest", () => {
  const folder = useFolder();
  afterEach(async () => {
    setLanguage(() => "en-US");
    await stopFlow();
    // Memory outlives flows.
    Object.assign(AccountMemory.of(ACCOUNT), { digests: new MemoryDigests() });
    // An account remembers its places as long as the process lives.
    rmSync(folder(), { recursive: true });
  });
  after(stopServer);

  const start = (
    sender: Config = {},
    account: Config = {},
    language: Language = "en-US",
  ): Promise<TestFlow> =>
    startFlow({
      language,
      account,
      sender: { type: "message-digest", every: "1h", quiet: "1h", outputs: 2, ...TEXTS, ...sender },
      register: [registerDigest],
    });
  /** Gives the node messages with these payloads, one after the other. */
  const give = async (flow: TestFlow, payloads: readonly unknown[], more: Config = {}): Promise<void> => {
    for (const payload of payloads) {
      const before = flow.completed.messages.length;
      flow.send({ payload, ...more });
      await flow.completed.until(before + 1);
    }
  };
  const left = async (flow: TestFlow, count: number, port = 0): Promise<Msg[]> =>
    (await flow.ports[port]?.until(count)) as Msg[];
  const warnings = (flow: TestFlow): readonly string[] =>
    flow.log("warn").filter((line) => !/^\[helper\]|unencrypted$/.test(line));

  for (const keepMessages of ["memory", "computer"]) {
    describe(`with an account that keeps messages in ${keepMessages}`, () => {
      const open = (
        sender: Config = {},
        account: Config = {},
        language: Language = "en-US",
      ): Promise<TestFlow> => start(sender, { keepMessages, storeFolder: folder(), ...account }, language);

      it("sends the first message at once, and gathers the others into one", async () => {
        const flow = await open({ most: "2" }, { timeZone: "Europe/Zurich" });
        const more = { topic: "pump", to: "+41790000001", parts: { id: "p" } };
        await give(flow, ["stops"], more);
        const [first] = await left(flow, 1);
        await give(flow, ["is hot", { bar: 3 }, 4], more);
        assert.equal(first?.payload, "One: stops");
        assert.deepEqual(
          [first?.topic, first?.to, first?.digest.count, first?.digest.suppressed],
          ["pump", "+41790000001", 1, 0],
        );
        await untilBadge(flow, /^3 gathered · next \d\d:\d\d$/);
        await give(flow, ["ignored"], { digest: "flush" });
        const [, several] = await left(flow, 2);
        assert.equal(several?.payload, '3, the latest: 4. [is hot][{"bar":3}]');
        const { id, items, last, since, ...rest } = several?.digest ?? assert.fail();
        assert.match(id, /^digest-\d+-\d+-\d{13}$/);
        assert.notEqual(id, first?.digest.id);
        assert.deepEqual(
          { ...rest, first: rest.first?.payload },
          { key: "", count: 3, suppressed: 1, total: 4, first: "is hot", over: false },
        );
        assert.deepEqual(
          items.map(({ payload, topic }) => [payload, topic]),
          [
            ["is hot", "pump"],
            [{ bar: 3 }, "pump"],
          ],
        );
        assert.equal(last?.payload, 4);
        assert.match(last?.at ?? "", /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        assert.equal(since <= (last?.at ?? ""), true);
        assert.equal(Object.hasOwn(several ?? {}, "parts"), false);
        await untilBadge(flow, /^last \d\d:\d\d$/);
        assert.deepEqual([flow.caught.messages, warnings(flow)], [[], []]);
      });

      it("sends one message a period while an alarm goes on, and says when it is quiet", async () => {
        const flow = await open({ every: "1s", quiet: "1s" });
        await give(flow, ["a"]);
        await left(flow, 1);
        await give(flow, ["b", "c"]);
        const [one, two] = await left(flow, 2);
        assert.deepEqual([one?.digest.count, two?.digest.count, two?.digest.total], [1, 2, 3]);
        const [over] = await left(flow, 1, 1);
        assert.deepEqual(
          [over?.payload, over?.digest.over, over?.digest.first],
          ["Over, 3 in all", true, null],
        );
        assert.equal(over?.digest.last?.payload, "c");
        assert.equal(flow.ports[0]?.messages.length, 2);
      });

      it("waits with the first one, by key, and counts keys in words", async () => {
        const flow = await open({ first: "wait", wait: "1h", key: "topic", keySource: "msg" });
        await give(flow, ["a", "b"], { topic: "pump" });
        await give(flow, ["c"], { topic: 7 });
        await untilBadge(flow, /^2 groups · 3 gathered · next \d\d:\d\d$/);
        await give(flow, [""], { topic: "pump", digest: "flush" });
        const [pump] = await left(flow, 1);
        assert.deepEqual([pump?.digest.key, pump?.digest.count, pump?.topic], ["pump", 2, "pump"]);
        await untilBadge(flow, /^1 group · 1 gathered · next/);
        await give(flow, [""], { digest: "drop-all" });
        await untilBadge(flow, /^last /);
        assert.equal(flow.ports[0]?.messages.length, 1);
        // A message without the key is not gathered.
        flow.send({ payload: "lost?" });
        const [caught] = (await flow.caught.until(1)) as (NodeMessage & { error: { code: string } })[];
        assert.deepEqual([caught?.error.code, caught?.payload], ["FIELD_UNRESOLVED", "lost?"]);
      });

      it("keeps back what comes after somebody has confirmed, until it is quiet", async () => {
        const flow = await open({ every: "1s", quiet: "2s" });
        await give(flow, ["a"]);
        await left(flow, 1);
        await give(flow, ["ok"], { digest: "mute" });
        await give(flow, ["b", "c"]);
        await untilBadge(flow, /^2 gathered · 1 muted$/);
        const [over] = await left(flow, 1, 1);
        assert.deepEqual(
          [over?.payload, over?.digest.count, over?.digest.items.map(({ payload }) => payload)],
          ["Over, 3 in all", 2, ["b", "c"]],
        );
        assert.equal(flow.ports[0]?.messages.length, 1);
      });

      it("leaves without what is too long in a message, and says so once", async () => {
        const flow = await open({ key: "topic", keySource: "msg" });
        const image = Buffer.alloc(200_000);
        await give(flow, ["a"], { topic: "pump", to: "+41790000001", image });
        await give(flow, ["b"], { topic: "door", to: "+41790000001", image, text: "x".repeat(300_000) });
        const digests = await left(flow, 2);
        assert.deepEqual(
          digests.map((msg) => [msg.topic, msg.to, "image" in msg, "text" in msg]),
          ["pump", "door"].map((topic) => [topic, "+41790000001", false, false]),
        );
        assert.equal(warnings(flow).length, 1);
        assert.match(warnings(flow)[0] ?? "", /longer than 256 KiB .* without msg\.image\. /);
      });

      it("goes on after a deploy", async () => {
        const flow = await open();
        await give(flow, ["a"]);
        await left(flow, 1);
        await waitFor("it to be forgotten", async () => AccountMemory.of(ACCOUNT).departed.size === 0);
        await give(flow, ["b", "c"]);
        await stopFlow();
        const next = await open();
        await untilBadge(next, /^2 gathered · next/);
        await give(next, ["d"]);
        await give(next, [""], { digest: "flush" });
        const [digest] = await left(next, 1);
        assert.deepEqual(
          [digest?.digest.count, digest?.digest.total, digest?.digest.restored],
          [3, 4, undefined],
        );
      });

      it("sends once more, marked, what left just before a deploy", async () => {
        const flow = await open();
        await give(flow, ["a"]);
        const [first] = await left(flow, 1);
        await stopFlow();
        const next = await open();
        const [again] = await left(next, 1);
        assert.deepEqual(
          [first?.digest.restored, again?.digest.restored, again?.digest.id, again?.payload],
          [undefined, true, first?.digest.id, "One: a"],
        );
        await waitFor("it to be forgotten", async () => AccountMemory.of(ACCOUNT).departed.size === 0);
        await stopFlow();
        const last = await open();
        await give(last, ["b"]);
        assert.deepEqual(last.all.messages, []);
      });

      for (const isFirst of [true, false]) {
        it(`gathers what is under way when the flows stop, ${isFirst ? "and have just begun" : "after others"}`, async () => {
          const flow = await open({ first: "wait", wait: "1h" });
          if (!isFirst) {
            await give(flow, ["first"]);
          }
          const errors: string[] = [];
          flow.sender.error = (error: unknown) => void errors.push(String(error));
          for (let n = 0; n < UNDER_WAY; n++) {
            flow.send({ payload: n });
          }
          // Node-RED gives them to the node in a later turn.
          await new Promise((resolve) => setImmediate(resolve));
          await stopFlow();
          assert.deepEqual(errors, []);
          const next = await open({ first: "wait", wait: "1h" });
          await give(next, [""], { digest: "flush" });
          const [digest] = await left(next, 1);
          assert.equal(digest?.digest.count, isFirst ? UNDER_WAY : UNDER_WAY + 1);
        });
      }

      it("says what its texts lack, once, and sends them nevertheless", async () => {
        const flow = await open({ one: "{{first.payload.bar}} bar at {{place}}" });
        await give(flow, [{ bar: 3 }]);
        const [first] = await left(flow, 1);
        assert.equal(first?.payload, "3 bar at ");
        await give(flow, [4, 5]);
        assert.equal(warnings(flow).length, 1);
        assert.match(warnings(flow)[0] ?? "", /nothing in the place of place: /);
      });

      it("refuses an order that there is none of, and a key that is none", async () => {
        const flow = await open({ key: "topic", keySource: "msg" });
        const [code, text] = await errorOf(flow, { digest: "flsuh", topic: "a" });
        assert.equal(code, "FIELD_INVALID");
        assert.match(
          text,
          /^msg\.digest must be one of flush, drop, mute, flush-all, drop-all, mute-all, or nothing, but is .flsuh/,
        );
        for (const digest of [true, 0, { count: 1 }, ["flush"], "", "-all", "flush-all-all"]) {
          await stopFlow();
          const [odd] = await errorOf(await open({ key: "topic", keySource: "msg" }), { digest, topic: "a" });
          assert.equal(odd, "FIELD_INVALID", JSON.stringify(digest));
        }
        await stopFlow();
        const [, ordered] = await errorOf(await open(), { digest: SECRET, sensitive: true });
        assert.match(ordered, /^msg\.digest must be one of .* is not shown/);
        assert.equal(ordered.includes(SECRET), false);
        await stopFlow();
        const [other, said] = await errorOf(await open({ key: "topic", keySource: "msg" }), {
          topic: { a: 1 },
        });
        assert.equal(other, "FIELD_INVALID");
        assert.match(said, /^“Gather by” must be a text of at most 200 characters/);
        await stopFlow();
        const [, hidden] = await errorOf(await open({ key: "topic", keySource: "msg" }), {
          topic: SECRET.repeat(50),
          sensitive: true,
        });
        assert.match(hidden, /^“Gather by” must be a text of at most 200 characters/);
        assert.equal(hidden.includes(SECRET), false);
      });

      it("takes a key with half a character in it", async () => {
        const flow = await open({ key: "topic", keySource: "msg" });
        await give(flow, ["a"], { topic: "pump \ud83d" });
        const [digest] = await left(flow, 1);
        assert.equal(digest?.digest.key, "pump \ufffd");
      });

      it("refuses an order that does not say for which group it is, and says how to mean all", async () => {
        const flow = await open({ first: "wait", key: "topic", keySource: "msg" });
        await give(flow, ["a"], { topic: "pump" });
        flow.send({ digest: "drop" });
        const [caught] = (await flow.caught.until(1)) as (NodeMessage & {
          error: { code: string; message: string };
        })[];
        assert.equal(caught?.error.code, "FIELD_UNRESOLVED");
        assert.match(
          caught?.error.message ?? "",
          /^“Gather by” .* all groups of the node: flush-all, drop-all, mute-all/,
        );
        await give(flow, [""], { topic: "pump", digest: "flush" });
        const [digest] = await left(flow, 1);
        assert.equal(digest?.digest.count, 1);
      });

      it("takes an empty text for a key of its own, in an order as well", async () => {
        const flow = await open({ first: "wait", key: "topic", keySource: "msg" });
        await give(flow, ["a"], { topic: "pump" });
        await give(flow, ["b"], { topic: "" });
        await give(flow, ["ok"], { topic: "", digest: "mute" });
        await untilBadge(flow, /^2 groups · 2 gathered · .*1 muted/);
        await give(flow, ["go"], { digest: "flush-all" });
        const digests = await left(flow, 2);
        assert.deepEqual(digests.map(({ digest }) => digest.key).sort(), ["", "pump"]);
      });

      it("gathers digests of others", async () => {
        const flow = await open();
        await give(flow, ["a"]);
        const [first] = await left(flow, 1);
        await give(flow, ["b"], { digest: first?.digest });
        await untilBadge(flow, /^1 gathered/);
      });

      it("says in German, on one short line, what is wrong", async () => {
        const german = (sender: Config) => () => open(sender, {}, "de");
        const key = { key: "topic", keySource: "msg" };
        await assertShortGerman([
          [german({ every: HOSTILE }), {}],
          [german({ quiet: "" }), {}],
          [german({ first: "wait", wait: "0s" }), {}],
          [german({ most: HOSTILE }), {}],
          [german({ most: "101" }), {}],
          [german({ first: HOSTILE }), {}],
          [german({ one: "" }), {}],
          [german({ several: "{{count" }), {}],
          [german({ over: "{{/x}}" }), {}],
          [german({ one: "{{>x}}" }), {}],
          [german(key), { topic: HOSTILE }],
          [german(key), { topic: "a\0b" }],
          [german(key), { topic: "a", digest: HOSTILE }],
          [german(key), { digest: "mute" }],
        ]);
      });
    });
  }

  const kept = (sender: Config = {}, account: Config = {}): Promise<TestFlow> =>
    start(sender, { keepMessages: "computer", storeFolder: folder(), ...account });

  it("is sensitive in memory where one of its messages is", async () => {
    const flow = await start({ first: "wait", most: "1" }, { keepMessages: "memory" });
    await give(flow, ["a"]);
    await give(flow, ["b"], { sensitive: true });
    await give(flow, ["c"]);
    await give(flow, [""], { digest: "flush" });
    const [digest] = await left(flow, 1);
    assert.deepEqual([digest?.digest.count, digest?.sensitive], [3, true]);
  });

  it("says what it has gathered where the account kept its messages before", async () => {
    const inMemory = await start({ first: "wait" }, { keepMessages: "memory" });
    await give(inMemory, ["a"]);
    await stopFlow();
    const former = await kept({ first: "wait" });
    await waitFor("the first warning", () =>
      warnings(former).some((line) => line.startsWith("1 gathered messages are in memory")),
    );
    await give(former, ["b", "c"]);
    // A node that sends looks for former places.
    await Account.of(former.account).sending.access();
    await stopFlow();
    const present = await kept({ first: "wait" }, { storeFolder: join(folder(), "present") });
    const { leftBehind, sending } = Account.of(present.account);
    await sending.access();
    await waitFor("the second warning", () =>
      warnings(present).some((line) => /2 gathered messages .*messages\.db/.test(line)),
    );
    const { places } = await leftBehind.look();
    assert.deepEqual(
      places.map(({ waiting, gathered }) => [waiting, gathered]),
      [[0, 2]],
    );
  });

  it("says what is gathered in memory only when the flows stop", async () => {
    const flow = await start({ first: "wait" }, { keepMessages: "memory" });
    await give(flow, ["a"]);
    const said: string[] = [];
    flow.sender.warn = (text) => void said.push(String(text));
    await stopFlow();
    assert.match(said.join(), /stop with 1 gathered messages/);
  });

  it("sends once more, marked, what may have left before a crash", async () => {
    const flow = await kept({ first: "wait" });
    await give(flow, ["a", "b"]);
    await stopFlow();
    await inStore(
      folder(),
      `UPDATE digests SET phase = 'digest', owner = 'dead', departure = 'd', left_batch = batch, left_count = count, left_total = total,
        left_begun = begun_at, left_message = message, left_item = last_item, batch = batch + 1, count = 0`,
    );
    const next = await kept({ first: "wait" });
    const [digest] = await left(next, 1);
    assert.deepEqual(
      [digest?.digest.count, digest?.digest.restored, digest?.digest.items.length],
      [2, true, 2],
    );
    await waitFor("the digest to be marked", async () => {
      const [row] = await inStore(folder(), "SELECT count(*) AS n FROM digests WHERE phase IS NOT NULL");
      return Number(row?.n) === 0;
    });
    await stopFlow();
    const last = await kept({ first: "wait" });
    await give(last, ["c"]);
    assert.deepEqual(last.all.messages, [], "it does not leave a third time");
  });

  it("has nothing of a sensitive message in the store, and can read it after a restart", async () => {
    const flow = await kept({ first: "wait", key: "to", keySource: "msg" });
    await give(flow, [`Your code is ${SECRET}`, "again"], {
      to: `+41 ${SECRET}`,
      sensitive: true,
      topic: SECRET,
    });
    await untilBadge(flow, /^1 group · 2 gathered/);
    await stopFlow();
    for (const name of readdirSync(folder(), { recursive: true, withFileTypes: true })) {
      if (name.isFile()) {
        assert.equal(
          readFileSync(join(name.parentPath ?? folder(), name.name)).includes(SECRET),
          false,
          name.name,
        );
      }
    }
    const next = await kept({ first: "wait", key: "to", keySource: "msg" });
    await give(next, [""], { digest: "flush", to: `+41 ${SECRET}` });
    const [digest] = await left(next, 1);
    assert.deepEqual(
      [digest?.digest.key, digest?.to, digest?.sensitive, digest?.digest.first?.payload],
      [`+41 ${SECRET}`, `+41 ${SECRET}`, true, `Your code is ${SECRET}`],
    );
  });

  it("sends nothing sensitive and refuses orders for it while the key of the account cannot be read, and loses nothing", async () => {
    const byTo = { first: "wait", key: "to", keySource: "msg" };
    const flow = await kept(byTo);
    await give(flow, [SECRET], { to: "+41790000001", sensitive: true });
    await stopFlow();
    const file = join(folder(), KEY_FILE);
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    await inStore(folder(), "UPDATE digests SET next_at = 1, wake_at = 1");
    const next = await kept(byTo);
    await untilBadge(next, /^store folder is wrong$/);
    const [code] = await errorOf(next, { digest: "mute", to: "+41790000001" });
    assert.match(code, /^STORE_/);
    // What is not sensitive waits for nothing.
    await give(next, ["plain"], { to: "+41790000001" });
    next.send({ digest: "flush", to: "+41790000001" });
    await next.caught.until(2);
    const [plain] = await left(next, 1);
    assert.equal(plain?.digest.first?.payload, "plain");
    assert.match(warnings(next).join(), /^Digests do not leave: /);
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    const digest = (await left(next, 2)).at(-1);
    assert.deepEqual([digest?.digest.first?.payload, digest?.to], [SECRET, "+41790000001"]);
    await give(next, [""], { digest: "mute", to: "+41790000001" });
    await untilBadge(next, /2 muted$/);
  });

  it("gathers nothing and says so where the store cannot be used", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const flow = await kept({}, { storeFolder: join(file, "store") });
    const [code] = await errorOf(flow, { payload: "a" });
    assert.equal(code, "STORE_NO_FOLDER");
    await untilBadge(flow, /^store folder is wrong$/);
    assert.match(warnings(flow).join(), /^Digests do not leave: /);
    rmSync(file);
    await give(flow, ["b"]);
    const [first] = await left(flow, 1);
    assert.deepEqual([first?.digest.count, first?.payload], [1, "One: b"]);
    await untilBadge(flow, /^last /);
  });
});
