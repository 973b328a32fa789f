import assert from "node:assert/strict";
import { MemoryContacts } from "../../../../lib/runtime/memory/memory-contacts";

const HOUR = 3_600_000;
const ADA = "41790000001";

describe("MemoryContacts", () => {
  const setUp = (most?: number) => {
    const clock = { now: 1_000_000 };
    return { clock, contacts: new MemoryContacts(() => clock.now, most) };
  };

  it("know an application in whatever case, with space around it", async () => {
    const { contacts } = setUp();
    contacts.note("whatsapp", "APP ", ADA);
    assert.deepEqual([...(await contacts.lastInbound("whatsapp", "App", [ADA])).keys()], [ADA]);
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
