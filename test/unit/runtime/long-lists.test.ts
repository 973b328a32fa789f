import assert from "node:assert/strict";
import { divideByWindow } from "../../../lib/runtime/guards/divide-by-window";
import { blockVerdictOf } from "../../../lib/runtime/guards/block-verdict-of";
import { MemoryOnceKeys, KeyHolder } from "../../../lib/runtime/memory/memory-once-keys";
import { MemoryOptOuts } from "../../../lib/runtime/memory/memory-opt-outs";
import { groupRecipients } from "../../../lib/runtime/guards/group-recipients";
import { ruleRecipients } from "../../../lib/runtime/guards/rule-recipients";
import { divideByHours } from "../../../lib/runtime/guards/divide-by-hours";
import { addOptOuts, divideByOptOut, removeOptOuts } from "../../../lib/runtime/opt-outs/opt-out-actions";
import { readRecipients } from "../../../lib/runtime/send/parts/message-parts";
import { MemoryContacts } from "../../../lib/runtime/memory/memory-contacts";
import { Contacts } from "../../../lib/store/events/contacts";
import type { Engine } from "../../../lib/store/engine/engine";
import { OnceKeys } from "../../../lib/store/guards/once-keys";
import { OptOuts, type OptOutList } from "../../../lib/store/guards/opt-outs";
import { NO_RULES } from "../../../lib/store/guards/request-rules";

/** Entries of a turn are the same however long a list is; only the recipients of a message are read by the clock. */
const COUNT = 1_000_000;
const ENOUGH = 100_000;
const [FIRST = "", ...NUMBERS] = Array.from({ length: COUNT + 1 }, (_none, at) =>
  String(41_790_000_000 + at),
);
const NOW = 1_000_000;
const CLOCK = { now: () => NOW, elapsed: () => 0 };

/** Which share of a million numbers was read in the turn of the event loop in which most of them were. */
async function largestShare(
  list: readonly string[],
  work: (numbers: readonly string[]) => unknown,
): Promise<number> {
  let most = 0;
  let all = 0;
  let read = 0;
  let isOver = false;
  const numbers = new Proxy(list, {
    get(entries, place, receiver) {
      if (typeof place === "string" && place !== "length" && place.charCodeAt(0) <= 0x39) {
        read++;
      }
      return Reflect.get(entries, place, receiver);
    },
  });
  const turn = (): void => {
    most = Math.max(most, read);
    all += read;
    read = 0;
    if (!isOver) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  await work(numbers);
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(all >= list.length, `${all} numbers were read`);
  return most / all;
}

/** A store in which each operation takes a turn of the event loop, and whose every list has somebody in it. */
function slowEngine(): Engine {
  const run = async (): Promise<unknown> => {
    await new Promise((resolve) => setImmediate(resolve));
    return [[{ number: FIRST, scope: "all", at: 1, source: "flow", hash: "h", outcome: null }]];
  };
  return { run } as unknown as Engine;
}

async function memoryOptOuts(): Promise<MemoryOptOuts> {
  const list = new MemoryOptOuts();
  await list.add([FIRST], "all", "flow");
  return list;
}

const EVERYBODY: OptOutList["find"] = async (numbers) =>
  new Proxy([], {
    get: (_none, name) =>
      name === "length"
        ? numbers.length
        : name === "slice"
          ? (from: number, to: number) =>
              numbers.slice(from, to).map((number) => ({ number, scope: "all", at: 1, source: "flow" }))
          : undefined,
  });
const around = { hours: null, zone: "Europe/Zurich", now: NOW };

describe("a list of a million numbers is read in slices", () => {
  const readers: Readonly<Record<string, (numbers: readonly string[]) => unknown>> = {
    "by the countries and types of numbers": (numbers) =>
      groupRecipients(numbers, (number) => (number.endsWith("7") ? "seven" : null)),
    "by the opt-outs in memory": async (numbers) => (await memoryOptOuts()).find(numbers),
    "by the opt-outs of a store": (numbers) => new OptOuts(slowEngine(), CLOCK, "a").find(numbers),
    "by the once keys in memory": (numbers) => {
      const keys = new MemoryOnceKeys(CLOCK);
      keys.take({ key: "k", within: 1_000, hash: "h" }, [FIRST], new KeyHolder("h"), NOW);
      return keys.find("k", numbers);
    },
    "by the once keys of a store": (numbers) => new OnceKeys(slowEngine(), CLOCK, "a").find("k", numbers),
    "by its rules, where nobody is held back": (numbers) =>
      ruleRecipients(numbers, NO_RULES, around, {
        optOuts: async (all) => (await memoryOptOuts()).find(all),
        onceUses: async () => [],
      }),
    "by its rules, where everybody has opted out": (numbers) =>
      ruleRecipients(numbers, NO_RULES, around, { optOuts: EVERYBODY, onceUses: async () => [] }),
    "by the sending hours": (numbers) =>
      divideByHours(numbers, NO_RULES, {
        ...around,
        hours: {
          zoneOf: () => "Europe/Zurich",
          opensAt: () => NOW + 1,
          refuses: true,
          isExempt: () => false,
        },
      }),
    "by the 24-hour window": (numbers) =>
      divideByWindow([{ recipients: numbers, rules: NO_RULES }], new Map([[FIRST, NOW]]), NOW, "rcs"),
    "by the times of the last messages in memory": (numbers) => {
      const contacts = new MemoryContacts();
      contacts.note("sms", "", FIRST);
      return contacts.lastInbound("sms", "", numbers);
    },
    "by the times of the last messages in a store": (numbers) =>
      new Contacts(slowEngine(), "a").lastInbound("sms", "", numbers),
    "by the node opt-out, which adds it": (numbers) =>
      addOptOuts(
        new MemoryOptOuts(),
        { numbers, wrong: [], duplicates: 0 },
        { scope: "all", source: "flow" },
        "n",
      ),
    "by the node opt-out, which removes it": (numbers) =>
      removeOptOuts(new MemoryOptOuts(), { numbers, wrong: [], duplicates: 0 }),
    "by the node opt-out, which divides it": async (numbers) =>
      divideByOptOut(await memoryOptOuts(), numbers, true),
  };
  for (const [name, reader] of Object.entries(readers)) {
    it(name, async () => {
      const share = await largestShare(NUMBERS.slice(0, ENOUGH), reader);
      assert.ok(share < 0.05, `${Math.round(share * 100)} % in one turn`);
    });
  }

  it("as the recipients of a message", async () => {
    const share = await largestShare(NUMBERS, (numbers) => readRecipients(numbers, undefined));
    assert.ok(share < 0.5, `${Math.round(share * 100)} % in one turn`);
  });

  it("but for a sentence only the first few are", () => {
    let asked = 0;
    const numbers = new Proxy(NUMBERS, {
      get(list, place, receiver) {
        asked++;
        return Reflect.get(list, place, receiver);
      },
    });
    blockVerdictOf({ fault: "OPTED_OUT", numbers });
    assert.ok(asked < 100, `asked ${asked} times`);
  });
});
