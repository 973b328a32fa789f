import assert from "node:assert/strict";
import type { NewReply } from "../../../../lib/store/waits/wait";
import { type FactsUnderTest, factsOf } from "./facts-under-test";
import { newEvent, type OpenStore, useFixture } from "./store-under-test";

const ANNA = "41790000001";
const BEAT = "41790000002";
const HOUR = 3_600_000;

let events = 0;

/** An inbound message. */
const wrote = (number: string, { at, key = `event ${++events}`, ...by }: Given = {}) =>
  newEvent({
    kind: "inbound",
    status: null,
    key,
    number,
    at: at ?? null,
    reply: { channel: "whatsapp", application: "app", body: "{}", ...by },
  });

type Given = Partial<NewReply> & { readonly at?: number; readonly key?: string };

/** When people last wrote, wherever it is kept. */
export function contactsContract(use: () => FactsUnderTest): void {
  const note = (...all: readonly ReturnType<typeof wrote>[]) => use().note("a1", all);
  const last = async (numbers: readonly string[], application = "app", account = "a1") =>
    Object.fromEntries(await use().of(account).contacts.lastInbound("whatsapp", application, numbers));

  describe("the contacts of an account", () => {
    it("are known by channel and application, for that account only", async () => {
      const { clock } = use();
      const first = clock.time;
      await note(wrote(ANNA));
      clock.pass(1_000);
      await note(wrote(ANNA, { channel: "rcs" }), wrote(BEAT, { channel: "sms", application: "" }));
      clock.pass(1_000);
      await note(wrote(ANNA, { application: "other" }));
      assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: first });
      assert.deepEqual(await last([ANNA], "other"), { [ANNA]: clock.time });
      assert.deepEqual(await last([ANNA], "app", "a2"), {});
      assert.deepEqual(await last([]), {});
      const sms = await use().of("a1").contacts.lastInbound("sms", "", [ANNA, BEAT]);
      assert.deepEqual([...sms], [[BEAT, first + 1_000]]);
    });

    it("have the time of the latest message", async () => {
      const { clock } = use();
      await note(wrote(ANNA));
      const first = clock.time;
      clock.pass(2_000);
      await note(wrote(BEAT), wrote(ANNA), wrote(ANNA));
      assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: first + 2_000, [BEAT]: first + 2_000 });
      clock.pass(2_000);
      await note();
      await note(newEvent({ number: ANNA }));
      assert.deepEqual(await last([ANNA]), { [ANNA]: first + 2_000 });
    });

    it("have not written again where a copy of an old message comes, alone or with new ones of others", async () => {
      const { clock } = use();
      const first = clock.time;
      await note(wrote(ANNA, { key: "once" }));
      clock.pass(20 * HOUR);
      await note(wrote(ANNA, { key: "once" }), wrote(BEAT, { key: "new" }));
      assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: first, [BEAT]: clock.time });
      await note(wrote(ANNA, { key: "twice" }), wrote(ANNA, { key: "once" }));
      assert.deepEqual(await last([ANNA]), { [ANNA]: clock.time });
    });

    it("are found for lists longer than one operation", async () => {
      const numbers = Array.from({ length: 2_345 }, (_, at) => `4179${String(at).padStart(7, "0")}`);
      await note(...numbers.map((number) => wrote(number)));
      const found = await last(numbers.toReversed());
      assert.equal(Object.keys(found).length, 2_345);
      assert.equal(found[numbers[2_344]!], use().clock.time);
    });
  });
}

/** The same in a database. */
export function contactsSuite(open: OpenStore): void {
  const { clock, store } = useFixture(open);
  contactsContract(() => factsOf({ clock, store }));

  const note = (all: readonly ReturnType<typeof wrote>[]) => store.deliveries.note("a1", all);
  const last = async (numbers: readonly string[]) =>
    Object.fromEntries(await store.contacts("a1").lastInbound("whatsapp", "app", numbers));

  it("contacts have the time of the latest event, whatever the order in which they come", async () => {
    await note([wrote(ANNA, { at: 2_000 }), wrote(ANNA, { at: 3_000 }), wrote(ANNA, { at: 1_000 })]);
    assert.deepEqual(await last([ANNA]), { [ANNA]: 3_000 });
    await note([wrote(ANNA, { at: 2_500 }), wrote(BEAT, { at: 2_500 })]);
    assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: 3_000, [BEAT]: 2_500 });
    await note([wrote(ANNA, { at: 4_000 })]);
    assert.deepEqual(await last([ANNA]), { [ANNA]: 4_000 });
  });

  it("contacts are complete where several processes note the same people in another order", async () => {
    const people = Array.from({ length: 500 }, (_, at) => `4179${1_000_000 + at}`);
    const all = (at: number) => people.map((number) => wrote(number, { at }));
    await Promise.all([note(all(1_000)), note(all(2_000).toReversed()), note(all(1_500))]);
    const found = await last(people);
    assert.deepEqual([...new Set(Object.values(found))], [2_000]);
    assert.equal(Object.keys(found).length, 500);
  });
}
