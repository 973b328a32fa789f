import assert from "node:assert/strict";
import { MemoryContacts } from "../../../../lib/runtime/memory/memory-contacts";

const HOUR = 3_600_000;
const ADA = "41790000001";
const BEN = "41790000002";

describe("MemoryContacts", () => {
  const setUp = (most?: number) => {
    const clock = { now: 1_000_000 };
    return { clock, contacts: new MemoryContacts(() => clock.now, most) };
  };

  it("know when people last wrote, by channel and application", async () => {
    const { clock, contacts } = setUp();
    contacts.note("whatsapp", "app", ADA);
    clock.now += 5;
    contacts.note("whatsapp", "APP ", ADA);
    contacts.note("whatsapp", "other", BEN);
    contacts.note("rcs", "app", BEN);
    contacts.note("sms", "", BEN);
    assert.deepEqual(await contacts.lastInbound("whatsapp", "App", [BEN, ADA]), new Map([[ADA, 1_000_005]]));
    assert.deepEqual(await contacts.lastInbound("rcs", "app", [BEN, ADA]), new Map([[BEN, 1_000_005]]));
    assert.deepEqual(await contacts.lastInbound("sms", "", [BEN]), new Map([[BEN, 1_000_005]]));
    assert.deepEqual(await contacts.lastInbound("sms", "", []), new Map());
  });

  it("forget who wrote longer ago than 25 hours", async () => {
    const { clock, contacts } = setUp();
    contacts.note("sms", "", ADA);
    clock.now += 25 * HOUR - 1;
    assert.equal((await contacts.lastInbound("sms", "", [ADA])).size, 1);
    clock.now += 1;
    assert.equal((await contacts.lastInbound("sms", "", [ADA])).size, 0);
  });

  it("keep the newest where there are too many", async () => {
    const { contacts } = setUp(2);
    for (const number of ["1", "2", "1", "3"]) {
      contacts.note("sms", "", number);
    }
    assert.deepEqual([...(await contacts.lastInbound("sms", "", ["1", "2", "3"])).keys()], ["1", "3"]);
  });

  it("let nobody have written in the future, after the clock was set back", async () => {
    const { clock, contacts } = setUp();
    contacts.note("sms", "", ADA);
    clock.now -= HOUR;
    assert.equal((await contacts.lastInbound("sms", "", [ADA])).get(ADA), clock.now);
  });
});
