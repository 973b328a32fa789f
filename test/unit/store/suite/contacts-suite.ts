import assert from "node:assert/strict";
import type { NewContact } from "../../../../lib/store/contacts";
import { newEvent, type OpenStore, useStore } from "./store-under-test";

const ANNA = "41790000001";
const BEAT = "41790000002";

/** When people last wrote, whatever the engine of the store. */
export function contactsSuite(open: OpenStore): void {
  const use = useStore(open);

  let events = 0;
  const wrote = (number: string, at: number, where: Partial<NewContact> = {}): NewContact => ({
    key: `event ${++events}`,
    channel: "whatsapp",
    application: "app",
    number,
    at,
    ...where,
  });
  const note = (contacts: readonly NewContact[], account = "a1") =>
    use().store.deliveries.note(
      account,
      contacts.map(({ key, number, at, channel, application }) =>
        newEvent({ kind: "inbound", key, number, at, reply: { channel, application, body: "{}" } }),
      ),
    );
  const last = async (numbers: readonly string[], application = "app", account = "a1") =>
    Object.fromEntries(await use().store.contacts(account).lastInbound("whatsapp", application, numbers));

  describe("the contacts of an account", () => {
    it("are known by channel and application, for that account only", async () => {
      await note([
        wrote(ANNA, 1_000),
        wrote(ANNA, 2_000, { channel: "rcs" }),
        wrote(ANNA, 3_000, { application: "other" }),
        wrote(BEAT, 4_000, { channel: "sms", application: "" }),
      ]);
      assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: 1_000 });
      assert.deepEqual(await last([ANNA], "other"), { [ANNA]: 3_000 });
      assert.deepEqual(await last([ANNA], "app", "a2"), {});
      assert.deepEqual(await last([]), {});
      const sms = await use().store.contacts("a1").lastInbound("sms", "", [ANNA, BEAT]);
      assert.deepEqual([...sms], [[BEAT, 4_000]]);
    });

    it("have the time of the latest message, whatever the order in which they come", async () => {
      await note([wrote(ANNA, 2_000), wrote(ANNA, 3_000), wrote(ANNA, 1_000)]);
      assert.deepEqual(await last([ANNA]), { [ANNA]: 3_000 });
      await note([wrote(ANNA, 2_500), wrote(BEAT, 2_500)]);
      assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: 3_000, [BEAT]: 2_500 });
      await note([wrote(ANNA, 4_000)]);
      assert.deepEqual(await last([ANNA]), { [ANNA]: 4_000 });
      await note([]);
      assert.deepEqual(await last([ANNA]), { [ANNA]: 4_000 });
    });

    it("have not written again where a copy of an old message comes, alone or with new ones of others", async () => {
      const { clock, store } = use();
      const inbound = (key: string, number: string) =>
        newEvent({
          kind: "inbound",
          key,
          number,
          reply: { channel: "whatsapp", application: "app", body: "{}" },
        });
      const first = clock.time;
      await store.deliveries.note("a1", [inbound("once", ANNA)]);
      clock.pass(20 * 3_600_000);
      await store.deliveries.note("a1", [inbound("once", ANNA), inbound("new", BEAT)]);
      assert.deepEqual(await last([ANNA, BEAT]), { [ANNA]: first, [BEAT]: clock.time });
      await store.deliveries.note("a1", [inbound("twice", ANNA), inbound("once", ANNA)]);
      assert.deepEqual(await last([ANNA]), { [ANNA]: clock.time });
    });

    it("are found for lists longer than one operation", async () => {
      const numbers = Array.from({ length: 2_345 }, (_, at) => `4179${String(at).padStart(7, "0")}`);
      await note(numbers.map((number, at) => wrote(number, at + 1)));
      const found = await last(numbers.toReversed());
      assert.equal(Object.keys(found).length, 2_345);
      assert.equal(found[numbers[2_344]!], 2_345);
    });

    it("are complete where several processes note the same people in another order", async () => {
      const people = Array.from({ length: 500 }, (_, at) => `4179${1_000_000 + at}`);
      const all = (at: number): NewContact[] => people.map((number) => wrote(number, at));
      await Promise.all([note(all(1_000)), note(all(2_000).toReversed()), note(all(1_500))]);
      const found = await last(people);
      assert.deepEqual([...new Set(Object.values(found))], [2_000]);
      assert.equal(Object.keys(found).length, 500);
    });
  });
}
