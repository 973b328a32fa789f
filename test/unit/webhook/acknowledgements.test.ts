import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { Acknowledgements } from "../../../lib/webhook/acknowledgements";

const LONG = 60_000;

/** One event that waits, and how it ended. */
function waiting() {
  const ends: string[] = [];
  const open = new Acknowledgements();
  const id = open.wait(LONG, (decision, by) => ends.push(`${decision} ${by}`));
  return { open, id, ends };
}

describe("acknowledgements", () => {
  it("accept only the first decision", () => {
    const { open, id, ends } = waiting();
    assert.equal(open.decide(id, "acknowledge"), "open");
    assert.equal(open.decide(id, "redeliver"), "decided");
    assert.equal(open.decide(id, "acknowledge"), "decided");
    assert.deepEqual(ends, ["acknowledge flow"]);
  });

  it("redeliver after the time limit and report a later decision as late", async () => {
    const ended = new EventEmitter();
    const open = new Acknowledgements();
    const id = open.wait(5, (decision, by) => ended.emit("end", decision, by));
    assert.deepEqual(await once(ended, "end"), ["redeliver", "time"]);
    assert.equal(open.decide(id, "acknowledge"), "late");
  });

  it("give up an event whose receiver closes", () => {
    const { open, id, ends } = waiting();
    open.giveUp(id);
    open.giveUp(id);
    assert.deepEqual(ends, ["redeliver closing"]);
    assert.equal(open.decide(id, "acknowledge"), "late");
  });

  it("give each event an id that cannot be guessed", () => {
    const open = new Acknowledgements();
    const ids = Array.from({ length: 100 }, () => open.wait(LONG, () => {}));
    assert.equal(new Set(ids).size, 100);
    for (const id of ids) {
      assert.match(id, /^[\w-]{22}$/);
      open.giveUp(id);
    }
  });

  it("limit waiting and ended events", () => {
    const open = new Acknowledgements();
    const ids: string[] = [];
    while (open.hasRoom) {
      ids.push(open.wait(LONG, () => {}));
    }
    assert.equal(ids.length, 10_000);
    for (const id of ids) {
      open.decide(id, "acknowledge");
    }
    assert.equal(open.hasRoom, true);
    assert.equal(open.decide(ids[0]!, "acknowledge"), "decided");
    const next = open.wait(LONG, () => {});
    open.decide(next, "acknowledge");
    assert.equal(open.decide(ids[0]!, "acknowledge"), "unknown", "the oldest is forgotten");
  });
});
