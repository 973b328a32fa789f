// Slow: the shortest periods and quiet times, one second each, pass for real.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeMessage } from "node-red";
import type { Digest } from "../../../../nodes/message-digest/runtime/digest-message";
import registerDigest from "../../../../nodes/message-digest/message-digest";
import { waitFor } from "../../../support/wait-for";
import { useFolder } from "../../../unit/store/use-folder";
import { errorOf } from "../../../node/answering-node";
import { type Config, startFlow, stopFlow, stopServer, type TestFlow, untilBadge } from "../../../node/flow";
import { inStore } from "../../../node/store/stored-flow";

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
    await stopFlow();
    // An account remembers its places as long as the process lives.
    rmSync(folder(), { recursive: true });
  });
  after(stopServer);

  const start = (sender: Config = {}, account: Config = {}): Promise<TestFlow> =>
    startFlow({
      account,
      sender: { type: "messaging-message-digest", every: "1h", quiet: "1h", outputs: 2, ...TEXTS, ...sender },
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

  const open = (sender: Config = {}, account: Config = {}): Promise<TestFlow> =>
    start(sender, { keepMessages: "computer", storeFolder: folder(), ...account });

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
    assert.deepEqual([over?.payload, over?.digest.over, over?.digest.first], ["Over, 3 in all", true, null]);
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

  for (const keepMessages of ["computer", "memory"]) {
    it(`goes on after a deploy with an account in: ${keepMessages}`, async () => {
      const flow = await open({ first: "wait" }, { keepMessages });
      await give(flow, ["a", "b"]);
      await stopFlow();
      const next = await open({ first: "wait" }, { keepMessages });
      await untilBadge(next, /^2 gathered · next/);
      await give(next, ["c"]);
      await give(next, [""], { digest: "flush" });
      const [digest] = await left(next, 1);
      assert.deepEqual(
        [digest?.digest.count, digest?.digest.total, digest?.digest.restored],
        [3, 3, undefined],
      );
    });
  }

  it("gathers messages that arrive while the flows stop", async () => {
    const flow = await open({ first: "wait", wait: "1h" });
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
    assert.equal(digest?.digest.count, UNDER_WAY);
  });

  it("refuses a wrong order or key, and quotes nothing sensitive", async () => {
    const byTopic = { key: "topic", keySource: "msg" };
    for (const [config, msg, text] of [
      [byTopic, { digest: "flsuh", topic: "a" }, /^msg\.digest must be one of flush, drop, .*is .flsuh/],
      [byTopic, { digest: true, topic: "a" }, /^msg\.digest must be one of/],
      [byTopic, { digest: "-all", topic: "a" }, /^msg\.digest must be one of/],
      [{}, { digest: SECRET, sensitive: true }, /^msg\.digest must be one of .* is not shown/],
      [byTopic, { topic: { a: 1 } }, /^“Gather by” must be a text of at most 200 characters/],
      [byTopic, { topic: SECRET.repeat(50), sensitive: true }, /^“Gather by” must be a text/],
      [byTopic, { digest: "drop" }, /^“Gather by” .* all groups of the node: flush-all, drop-all, mute-all/],
    ] as const) {
      const [code, said] = await errorOf(await open(config), msg);
      assert.match(code, /^FIELD_/);
      assert.match(said, text);
      assert.equal(said.includes(SECRET), false);
      await stopFlow();
    }
  });

  it("sends once more, marked, what may have left before a crash", async () => {
    const flow = await open({ first: "wait" });
    await give(flow, ["a", "b"]);
    await stopFlow();
    await inStore(
      folder(),
      `UPDATE digests SET phase = 'digest', owner = 'dead', emission = 'd', emission_batch = batch, emission_count = count, emission_total = total,
        emission_started_at = started_at, emission_message = message, emission_item = last_item, batch = batch + 1, count = 0`,
    );
    const next = await open({ first: "wait" });
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
    const last = await open({ first: "wait" });
    await give(last, ["c"]);
    assert.deepEqual(last.all.messages, [], "it does not leave a third time");
  });

  it("writes nothing of a sensitive message to the disk", async () => {
    const flow = await open({ first: "wait", key: "to", keySource: "msg" });
    const more = { to: "+41790000001", sensitive: true, topic: SECRET };
    await give(flow, [`Your code is ${SECRET}`, "again"], more);
    await untilBadge(flow, /^1 group · 2 gathered/);
    for (const name of readdirSync(folder(), { recursive: true, withFileTypes: true })) {
      if (name.isFile()) {
        const bytes = readFileSync(join(name.parentPath ?? folder(), name.name));
        assert.equal(bytes.includes(SECRET), false, name.name);
      }
    }
    await give(flow, [""], { digest: "flush", to: more.to });
    const [digest] = await left(flow, 1);
    assert.deepEqual([digest?.digest.count, digest?.digest.key, digest?.sensitive], [2, more.to, true]);
    assert.match(String(digest?.payload), new RegExp(`again. \\[Your code is ${SECRET}\\]`));
    assert.equal(digest?.topic, SECRET);
  });

  it("counts a sensitive message whose process ended, and says that its text was not stored", async () => {
    const flow = await open({ first: "wait" });
    await give(flow, [SECRET, SECRET], { sensitive: true });
    await stopFlow();
    await inStore(
      folder(),
      "UPDATE digest_items SET item = 'before ' || item",
      "UPDATE digests SET last_item = 'before ' || last_item",
    );
    const next = await open({ first: "wait" });
    await give(next, [""], { digest: "flush" });
    const [digest] = await left(next, 1);
    const { count, suppressed, items, last } = digest?.digest ?? assert.fail();
    assert.deepEqual([count, suppressed, items, last], [2, 2, [], null]);
    assert.match(warnings(next).join(), /text of a sensitive message was not stored/);
    await untilBadge(next, /^last .* · text not stored$/);
  });

  it("gathers nothing and says so where the store cannot be used", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const flow = await open({}, { storeFolder: join(file, "store") });
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
