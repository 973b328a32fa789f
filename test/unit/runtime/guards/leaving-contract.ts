import assert from "node:assert/strict";
import type { RequestRules } from "../../../../lib/store/guards/request-rules";
import type { Leaving, LeavingStore, Message } from "./leaving-under-test";

const ANNA = "41790000001";
const BEN = "41790000002";
const CARL = "41790000003";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const to = (recipients: string | readonly string[], rules: Partial<RequestRules> = {}): Message => ({
  recipients: typeof recipients === "string" ? [recipients] : recipients,
  rules,
});
const once = (key = "order-7", hash = "h", within = HOUR): Partial<RequestRules> => ({
  once: { key, hash, within },
});
const heldOf = (leaving: readonly Leaving[]) => leaving.map(({ held }) => held);

/** What keeps messages from leaving, wherever an account keeps its messages. */
export function leavingContract(use: () => LeavingStore): void {
  const leave = async (...messages: readonly Message[]) => heldOf(await use().leave(...messages));
  const inUse = async (key: string, ...numbers: readonly string[]) =>
    (await use().idempotencyKeys.find(key, numbers)).map(({ number }) => number).sort();

  describe("opt-outs", () => {
    it("hold back those who do not want any message, and no others", async () => {
      await use().optOuts.add([BEN], "all", "inbound");
      assert.deepEqual(await leave(to([ANNA, BEN, CARL]), to(BEN), to(CARL)), [
        ["2 OPTED_OUT"],
        ["2 OPTED_OUT"],
        [],
      ]);
    });

    it("of advertisement hold back advertisement only", async () => {
      await use().optOuts.add([ANNA], "advertisement", "inbound");
      const held = await leave(
        to(ANNA, { category: "advertisement" }),
        to(ANNA, { category: "informational" }),
        to(ANNA),
      );
      assert.deepEqual(held, [["1 OPTED_OUT"], [], []]);
    });
  });

  describe("a once key", () => {
    it("lets one message through for each number", async () => {
      const { clock, idempotencyKeys } = use();
      assert.deepEqual(await leave(to(ANNA, once())), [[]]);
      const at = clock.time;
      clock.pass(5_000);
      assert.deepEqual(await leave(to([ANNA, BEN], once())), [["1 ALREADY_SENT"]]);
      assert.deepEqual(
        (await idempotencyKeys.find("order-7", [ANNA, BEN])).toSorted((a, b) =>
          a.number < b.number ? -1 : 1,
        ),
        [
          { number: ANNA, hash: "h", at, outcome: null },
          { number: BEN, hash: "h", at: clock.time, outcome: null },
        ],
      );
      assert.deepEqual(await inUse("order-8", ANNA), []);
    });

    it("is in use until its time is over, not longer", async () => {
      const { clock } = use();
      const found = [await leave(to(ANNA, once()))];
      clock.pass(HOUR - 1);
      found.push(await leave(to(ANNA, once())));
      clock.pass(1);
      assert.deepEqual(await inUse("order-7", ANNA), []);
      found.push(await leave(to(ANNA, once())), await leave(to(ANNA, once())));
      assert.deepEqual(found.flat(), [[], ["1 ALREADY_SENT"], [], ["1 ALREADY_SENT"]]);
    });

    for (const outcome of ["rejected", "denied", "retry-later"] as const) {
      it(`is free again after ${outcome}`, async () => {
        const [first] = await use().leave(to([ANNA, BEN], once()));
        await first?.end(outcome);
        assert.deepEqual(await inUse("order-7", ANNA, BEN), []);
        assert.deepEqual(await leave(to(ANNA, once("order-7", "other"))), [[]]);
      });
    }

    for (const outcome of ["sent", "queued", "unknown"] as const) {
      it(`stays in use after ${outcome}, and says so`, async () => {
        const { idempotencyKeys, clock } = use();
        const [first] = await use().leave(to(ANNA, once()));
        const at = clock.time;
        clock.pass(1_000);
        await first?.end(outcome);
        assert.deepEqual(await leave(to(ANNA, once())), [["1 ALREADY_SENT"]]);
        assert.deepEqual(await idempotencyKeys.find("order-7", [ANNA]), [
          { number: ANNA, hash: "h", at, outcome },
        ]);
      });
    }

    it("does not stand in the way of the same message's next try, and counts from that on", async () => {
      const { clock } = use();
      const [first] = await use().leave(to([ANNA, BEN], once()));
      clock.pass(HOUR / 2);
      assert.deepEqual(await first?.again(), []);
      clock.pass(HOUR - 1);
      assert.deepEqual(await leave(to(BEN, once())), [["2 ALREADY_SENT"]]);
      clock.pass(1);
      assert.deepEqual(await leave(to(BEN, once())), [[]]);
    });

    it("is not freed by the message that had it before", async () => {
      const { clock } = use();
      const [first] = await use().leave(to([ANNA, BEN], once()));
      clock.pass(HOUR);
      assert.deepEqual(await leave(to(ANNA, once())), [[]]);
      await first?.end("rejected");
      assert.deepEqual(await inUse("order-7", ANNA, BEN), [ANNA]);
    });

    it("is not taken for whom nothing leaves: a person who opted out, or whom a limit holds back", async () => {
      await use().optOuts.add([ANNA], "all", "inbound");
      use().limit({ hour: 1, refuses: true });
      assert.deepEqual(await leave(to([ANNA, BEN, CARL], once())), [["1 OPTED_OUT", "3 LIMIT_REACHED"]]);
      assert.deepEqual(await inUse("order-7", ANNA, BEN, CARL), [BEN]);
    });
  });

  describe("limits", () => {
    it("let exactly as many through as they allow, recipients times segments", async () => {
      use().limit({ hour: 5 });
      const held = await leave(to([ANNA, BEN], { cost: 2 }), to(CARL), to(ANNA));
      assert.deepEqual(held, [[], [], ["1 until 06-01T13:00 for all"]]);
      assert.deepEqual(use().spent(), { hour: 5, day: 5 });
    });

    it("hold back a message that is too large for what is left, not those after it that fit", async () => {
      use().limit({ hour: 5, day: 50 });
      const held = await leave(to(ANNA, { cost: 9 }), to([ANNA, BEN], { cost: 2 }), to(CARL));
      // It would never leave.
      assert.deepEqual(held, [["1 LIMIT_REACHED"], [], []]);
      assert.deepEqual(use().spent(), { hour: 5, day: 5 });
    });

    it("divide a message that fits in part", async () => {
      use().limit({ day: 2 });
      assert.deepEqual(await leave(to([ANNA, BEN, CARL])), [["3 until 06-02T00:00 for all"]]);
      assert.deepEqual(use().spent(), { hour: 2, day: 2 });
    });

    it("of one number hold that number back alone", async () => {
      const { clock } = use();
      use().limit({ numberHour: 2, numberDay: 3 });
      const first = await leave(to([ANNA, BEN]), to(ANNA), to(ANNA), to(BEN));
      assert.deepEqual(first, [[], [], ["1 until 06-01T13:00"], []]);
      clock.pass(HOUR);
      assert.deepEqual(await leave(to(ANNA), to(ANNA)), [[], ["1 until 06-02T00:00"]]);
      clock.pass(11 * HOUR);
      assert.deepEqual(await leave(to(ANNA)), [[]]);
    });

    it("begin anew with each hour and day", async () => {
      const { clock } = use();
      use().limit({ hour: 1, day: 2 });
      const passes = async () => (await leave(to(ANNA)))[0]?.length === 0;
      const found = [await passes(), await passes()];
      clock.pass(HOUR);
      found.push(await passes(), await passes());
      clock.pass(HOUR);
      found.push(await passes());
      clock.pass(DAY);
      found.push(await passes());
      assert.deepEqual(found, [true, false, true, false, false, true]);
    });

    for (const outcome of ["rejected", "denied", "retry-later"] as const) {
      it(`get back what a message had reserved that was ${outcome}`, async () => {
        use().limit({ hour: 2, numberDay: 2 });
        const [first] = await use().leave(to([ANNA, BEN]));
        await first?.end(outcome);
        assert.deepEqual(await leave(to([ANNA, BEN])), [[]]);
        assert.deepEqual(use().spent(), { hour: 2, day: 2 });
      });
    }

    it("get it back in the periods in which it was reserved", async () => {
      const { clock } = use();
      use().limit({ hour: 1, day: 3, numberDay: 9 });
      const [first] = await use().leave(to(ANNA));
      clock.pass(HOUR);
      assert.deepEqual(await leave(to(BEN)), [[]]);
      await first?.end("rejected");
      assert.deepEqual(await leave(to(CARL)), [["3 until 06-01T14:00 for all"]]);
      assert.deepEqual(use().spent(), { hour: 1, day: 1 });
    });

    it("keep what may have been sent, and count a message that is tried again once", async () => {
      use().limit({ hour: 2 });
      const [first] = await use().leave(to(ANNA));
      assert.deepEqual([await first?.again(), use().spent()?.hour], [[], 1]);
      await first?.end("unknown");
      assert.deepEqual(await leave(to(BEN), to(CARL)), [[], ["3 until 06-01T13:00 for all"]]);
    });
  });
}
