import assert from "node:assert/strict";
import { AccountMemory } from "../../../../lib/runtime/memory/account-memory";
import { MemoryOptOuts } from "../../../../lib/runtime/memory/memory-opt-outs";
import { codeStoreContract } from "../../store/suite/code-store-contract";
import { digestStoreContract } from "../../store/suite/digest-store-contract";
import { contactsContract } from "../../store/suite/contacts-suite";
import type { FactsUnderTest } from "../../store/suite/facts-under-test";
import { optOutChangesContract } from "../../store/suite/opt-out-changes-suite";
import { optOutsContract } from "../../store/suite/opt-outs-suite";
import { newEvent, TestClock } from "../../store/suite/store-under-test";

const ANNA = "41790000001";

describe("what accounts without a store know of people", () => {
  let under: FactsUnderTest;
  beforeEach(() => {
    const clock = new TestClock();
    const accounts = new Map<string, AccountMemory>();
    const of = (account: string): AccountMemory => {
      const memory = accounts.get(account) ?? new AccountMemory(account, clock);
      accounts.set(account, memory);
      return memory;
    };
    under = {
      clock,
      of,
      note: async (account, events) => events.map((event) => of(account).note(event, true)),
    };
  });
  const use = (): FactsUnderTest => under;

  optOutsContract(use);
  optOutChangesContract(use);
  contactsContract(use);
  digestStoreContract(() => {
    const { clock } = under;
    return { clock, digests: (under.of("a1") as AccountMemory).digests, me: "", other: async () => "" };
  });
  codeStoreContract(() => ({ clock: under.clock, of: (account) => under.of(account).codes }));

  it("is the same for each user of the account, and no other account's", async () => {
    assert.equal(AccountMemory.of("memory-1"), AccountMemory.of("memory-1"));
    await AccountMemory.of("memory-1").optOuts.add([ANNA], "all", "flow");
    assert.equal(AccountMemory.of("memory-2").optOuts.scopeOf(ANNA), null);
  });

  it("is in order also after a change of the list of opt-outs", async () => {
    const list = new MemoryOptOuts();
    const page = async (after: string) => (await list.page(after, 9)).map(({ number }) => number);
    await list.add(["433", "411", "4222"], "all", "flow");
    assert.deepEqual(await page(""), ["411", "4222", "433"]);
    await list.add(["423"], "all", "flow");
    await list.remove(["411"]);
    assert.deepEqual(
      [await page(""), await page("4223")],
      [
        ["4222", "423", "433"],
        ["423", "433"],
      ],
    );
  });

  it("forgets no stop word because many other events come", async () => {
    const memory = new AccountMemory("a1");
    const stop = newEvent({
      kind: "inbound",
      key: "stop",
      optOut: { change: "stop", scope: "all", number: ANNA },
    });
    memory.note(stop, true);
    await memory.optOuts.remove([ANNA]);
    for (let n = 0; n < 10_001; n++) {
      memory.note(newEvent({ kind: "inbound", key: `i${n}` }), true);
    }
    memory.note(stop, true);
    assert.equal(memory.optOuts.scopeOf(ANNA), null);
  });
});
