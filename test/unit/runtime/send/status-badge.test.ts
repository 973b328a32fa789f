import assert from "node:assert/strict";
import type { Node } from "node-red";
import { StatusBadge } from "../../../../lib/runtime/send/status-badge";
import { FieldError, SETUP_FAULTS, SetupError } from "../../../../lib/shared/messaging-error";
import { waitFor } from "../../../support/wait-for";

interface Shown {
  readonly fill?: string;
  readonly shape?: string;
  readonly text?: string;
}

function newBadge(): { badge: StatusBadge; shown: Shown[] } {
  const shown: Shown[] = [];
  const node = { status: (status: Shown) => shown.push(status) } as unknown as Node;
  return { badge: new StatusBadge(node), shown };
}

const latest = (shown: readonly Shown[]): Shown => shown.at(-1) ?? {};

describe("StatusBadge", () => {
  it("counts by group, shows what is under way, and the colour of the last outcome", async () => {
    const { badge, shown } = newBadge();
    badge.begin(5);
    badge.end("sent");
    badge.end("queued");
    badge.end("denied");
    await waitFor("the first counts", () => latest(shown).text === "2 accepted · 1 rejected · 2 under way");
    assert.equal(latest(shown).fill, "blue");
    badge.end("unknown");
    badge.end("retry-later");
    await waitFor(
      "the end",
      () => latest(shown).text === "2 accepted · 1 rejected · 1 to try again · 1 unknown",
    );
    assert.deepEqual([latest(shown).fill, latest(shown).shape], ["yellow", "dot"]);
    badge.close();
  });

  it("counts what waits unread to what is under way", async () => {
    const { badge, shown } = newBadge();
    badge.waits(1);
    badge.waits(1);
    await waitFor("both", () => latest(shown).text === "2 under way");
    badge.waits(-1);
    badge.begin(1);
    badge.end("sent");
    await waitFor("the end of the first", () => latest(shown).text === "1 accepted · 1 under way");
    badge.waits(-1);
    badge.begin(1);
    badge.end("sent");
    await waitFor("the end of both", () => latest(shown).text === "2 accepted");
    badge.close();
  });

  it("says SIMULATED from the start and with every count", async () => {
    const { badge, shown } = newBadge();
    badge.simulated = true;
    assert.equal(latest(shown).text, "SIMULATED");
    badge.begin(1);
    badge.end("sent");
    await waitFor("the count", () => latest(shown).text === "SIMULATED · 1 accepted");
    badge.close();
  });

  it("updates a few times a second, however many messages pass", async () => {
    const { badge, shown } = newBadge();
    badge.begin(10_000);
    for (let at = 0; at < 10_000; at++) {
      badge.end("sent");
    }
    await waitFor("the count", () => latest(shown).text === "10000 accepted");
    assert.ok(shown.length <= 2, `${shown.length} updates`);
    badge.close();
  });

  it("has a few words for every fault of the set-up, gone with the next outcome", async () => {
    const { badge, shown } = newBadge();
    for (const code of SETUP_FAULTS) {
      badge.trouble(new SetupError(code, "a long explanation"));
    }
    badge.trouble(new Error("something else"));
    await waitFor("the trouble", () => latest(shown).text === "cannot send");
    assert.deepEqual([latest(shown).fill, latest(shown).shape], ["red", "ring"]);
    badge.begin(1);
    badge.end("sent");
    await waitFor("the count", () => latest(shown).text === "1 accepted");
    badge.close();
  });

  it("has the same words for every fault of a field", async () => {
    for (const code of ["FIELD_INVALID", "FIELD_UNRESOLVED", "TEXT_NOT_LATIN1"] as const) {
      const { badge, shown } = newBadge();
      badge.trouble(new FieldError(code, "messageContent", "…"));
      await waitFor("the trouble", () => latest(shown).text === "a field is wrong");
      badge.close();
    }
  });

  it("leaves no timer when closed", () => {
    const { badge, shown } = newBadge();
    badge.begin(1);
    badge.close();
    assert.equal(shown.length, 0);
  });
});
