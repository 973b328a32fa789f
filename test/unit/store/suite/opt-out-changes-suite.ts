import assert from "node:assert/strict";
import type { OptOutChange } from "../../../../lib/shared/opt-outs/opt-out-change";
import { newEvent, type OpenStore, useFixture, pick } from "./store-under-test";

const ANNA = "41790000001";
const BEAT = "41790000002";

const stop = (number = ANNA, scope: "all" | "advertisement" = "all"): OptOutChange => ({
  change: "stop",
  scope,
  number,
});
const start = (number = ANNA): OptOutChange => ({ change: "start", number });
const inbound = (key: string, optOut: OptOutChange | null, number = optOut?.number ?? ANNA) =>
  newEvent({ key, kind: "inbound", status: null, number, optOut });

/** What inbound messages change in the list of opt-outs, whatever the engine. */
export function optOutChangesSuite(open: OpenStore): void {
  const { clock, store } = useFixture(open);
  const note = (events: readonly ReturnType<typeof inbound>[], account = "a1") =>
    store.deliveries.note(account, events);
  const entries = (account = "a1") => store.optOuts(account).page("", 100);
  const listed = async (account = "a1") => pick(await entries(account), "number", "scope");

  describe("opt-outs by inbound messages", () => {
    it("are in the list of their account, with time and source", async () => {
      await note([inbound("stop", stop())]);
      assert.deepEqual(await entries(), [{ number: ANNA, scope: "all", at: clock.time, source: "inbound" }]);
      assert.deepEqual(await listed("a2"), []);
    });

    it("end with a start word, and not with other messages", async () => {
      await note([inbound("stop", stop()), inbound("beat", stop(BEAT))]);
      await note([inbound("hello", null)]);
      assert.deepEqual(await listed(), [
        [ANNA, "all"],
        [BEAT, "all"],
      ]);
      await note([inbound("start", start())]);
      assert.deepEqual(await listed(), [[BEAT, "all"]]);
      await note([inbound("start of another account", start(BEAT))], "a2");
      assert.deepEqual(await listed(), [[BEAT, "all"]]);
    });

    it("change nothing with a copy of their event", async () => {
      const first = inbound("stop", stop());
      await note([first]);
      await note([inbound("start", start())]);
      await note([first]);
      assert.deepEqual(await listed(), []);
      await note([inbound("stop again", stop())]);
      await note([inbound("start", start())]);
      assert.deepEqual(await listed(), [[ANNA, "all"]]);
    });

    it("of one person count in their order, though they come together", async () => {
      await note([
        inbound("1", stop()),
        inbound("2", start(BEAT)),
        inbound("3", start()),
        inbound("4", stop(BEAT, "advertisement")),
      ]);
      assert.deepEqual(await listed(), [[BEAT, "advertisement"]]);
      await note([inbound("5", stop()), inbound("6", start()), inbound("7", stop()), inbound("8", start())]);
      assert.deepEqual(await listed(), [[BEAT, "advertisement"]]);
      await note([inbound("9", start()), inbound("10", stop())]);
      assert.deepEqual(await listed(), [
        [ANNA, "all"],
        [BEAT, "advertisement"],
      ]);
    });
  });
}
