import assert from "node:assert/strict";
import fc from "fast-check";
import type { Outcome } from "../../../../lib/shared/outcomes";
import { shareSqlite } from "../../../../lib/store/engine/sqlite/shared-sqlite";
import type { OptOutScope } from "../../../../lib/store/guards/opt-outs";
import type { Once, RequestRules } from "../../../../lib/store/guards/request-rules";
import { emptyStore } from "../../store/suite/empty-store";
import { useStore } from "../../store/suite/store-under-test";
import { useFolder } from "../../store/use-folder";
import { type Leaving, LeavingMemory, LeavingStore, type LeavingUnderTest } from "./leaving-under-test";

const NUMBERS = ["41790000001", "41790000002", "41790000003"];
const KEYS = ["k1", "k2"];
const HOUR = 3_600_000;

type Step =
  | { readonly do: "opt-out"; readonly number: string; readonly scope: OptOutScope }
  | { readonly do: "opt-in"; readonly number: string }
  | { readonly do: "send"; readonly recipients: readonly string[]; readonly rules: Partial<RequestRules> }
  | { readonly do: "end"; readonly message: number; readonly outcome: Outcome }
  | { readonly do: "again"; readonly message: number }
  | { readonly do: "pass"; readonly ms: number };

const number = fc.constantFrom(...NUMBERS);
const message = fc.nat(5);
const rules = fc.record({
  cost: fc.integer({ min: 1, max: 3 }),
  alsoOptedOut: fc.boolean(),
  category: fc.constantFrom("", "advertisement", "informational"),
  once: fc.option<Once>(
    fc.record({
      key: fc.constantFrom(...KEYS),
      hash: fc.constantFrom("one", "two"),
      within: fc.constantFrom(HOUR, 2 * HOUR),
    }),
  ),
});
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("send" as const),
        recipients: fc.subarray(NUMBERS, { minLength: 1 }),
        rules,
      }),
    },
    fc.record({
      do: fc.constant("opt-out" as const),
      number,
      scope: fc.constantFrom<OptOutScope>("all", "advertisement"),
    }),
    fc.record({ do: fc.constant("opt-in" as const), number }),
    fc.record({
      do: fc.constant("end" as const),
      message,
      outcome: fc.constantFrom<Outcome>("sent", "queued", "rejected", "denied", "retry-later", "unknown"),
    }),
    fc.record({ do: fc.constant("again" as const), message }),
    fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(60_000, HOUR / 2, HOUR) }),
  ),
  { maxLength: 20 },
);
const most = fc.option(fc.integer({ min: 1, max: 6 }));
const limits = fc.record({ hour: most, day: most, numberHour: most, numberDay: most, refuses: fc.boolean() });

/** An account, and its messages that have left and are not ended. */
class Story {
  readonly #open: Leaving[] = [];
  readonly #sizes = new Map<Leaving, number>();

  constructor(private readonly under: LeavingUnderTest) {}

  /** @returns what people can see of it */
  async tell(step: Step): Promise<unknown> {
    const { under } = this;
    const { optOuts } = under.facts;
    switch (step.do) {
      case "opt-out":
        return optOuts.add([step.number], step.scope, "flow");
      case "opt-in":
        return optOuts.remove([step.number]);
      case "pass":
        under.clock.pass(step.ms);
        return null;
      case "send": {
        const [leaving] = await under.leave(step);
        const { held } = leaving as Leaving;
        const hasLeft = held.length < step.recipients.length;
        this.#keep(leaving as Leaving, held, step.recipients.length);
        // What is told at other moments may be of before.
        return { held, spent: hasLeft ? under.spent() : null };
      }
      case "end": {
        return this.#take(step.message)?.end(step.outcome);
      }
      case "again": {
        const leaving = this.#take(step.message);
        if (leaving === undefined) {
          return null;
        }
        const held = await leaving.again();
        this.#keep(leaving, held, this.#sizes.get(leaving) ?? 0);
        return held;
      }
    }
  }

  #take(message: number): Leaving | undefined {
    return this.#open.splice(message % Math.max(1, this.#open.length), 1)[0];
  }

  #keep(leaving: Leaving, held: readonly string[], size: number): void {
    if (held.length < size) {
      this.#sizes.set(leaving, size - held.length);
      this.#open.push(leaving);
    }
  }

  /** Who holds which key. */
  async uses(): Promise<unknown> {
    const { onceKeys } = this.under.facts;
    const uses = await Promise.all(KEYS.map((key) => onceKeys.find(key, NUMBERS)));
    return uses.map((each) => each.toSorted((a, b) => (a.number < b.number ? -1 : 1)));
  }
}

describe("what keeps messages from leaving, in random stories", () => {
  const folder = useFolder();
  const use = useStore(async () => {
    const { engine, release } = await shareSqlite(folder());
    return { engine, close: release };
  });

  it("is the same in memory and in SQLite", async () => {
    await fc.assert(
      fc.asyncProperty(steps, limits, async (given, limited) => {
        const both = [new LeavingMemory(), new LeavingStore(use())] as const;
        both[1].clock.time = both[0].clock.time;
        for (const each of both) {
          each.limit(limited);
        }
        const [memory, store] = both.map((each) => new Story(each)) as [Story, Story];
        try {
          for (const step of given) {
            assert.deepEqual(await memory.tell(step), await store.tell(step), step.do);
            assert.deepEqual(await memory.uses(), await store.uses(), `after ${step.do}`);
          }
        } finally {
          await emptyStore(use().engine);
          await use().mine.start();
        }
      }),
      { numRuns: 60 },
    );
  });
});
