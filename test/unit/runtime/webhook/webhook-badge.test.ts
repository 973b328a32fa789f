import assert from "node:assert/strict";
import type { Node } from "node-red";
import { WebhookBadge } from "../../../../lib/runtime/webhook/webhook-badge";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { REFUSALS, type RefusalReason } from "../../../../lib/webhook/gates/refusals";
import { waitFor } from "../../../support/wait-for";
import { useShortTimers } from "../short-timers";

interface Shown {
  readonly fill: string;
  readonly shape: string;
  readonly text: string;
}

const yellow = (text: string): Shown => ({ fill: "yellow", shape: "ring", text });

describe("WebhookBadge", () => {
  useShortTimers();
  const made: WebhookBadge[] = [];
  afterEach(() => made.splice(0).map((badge) => badge.close()));

  /** A badge, all that it has shown, and its next update, with `TIME` for the time of day. */
  function setUp(simulated = false): { badge: WebhookBadge; shown: Shown[]; next: () => Promise<Shown> } {
    const shown: Shown[] = [];
    const node = { status: (status: Shown) => shown.push(status) } as unknown as Node;
    const badge = new WebhookBadge(node, simulated);
    made.push(badge);
    const next = async (): Promise<Shown> => {
      const before = shown.length;
      await waitFor("an update", () => shown.length > before);
      const status = shown.at(-1)!;
      return { ...status, text: status.text.replace(/\d\d:\d\d:\d\d$/, "TIME") };
    };
    return { badge, shown, next };
  }

  it("waits, then counts and says when the last call was", async () => {
    const { badge, next } = setUp();
    assert.deepEqual(await next(), { fill: "grey", shape: "ring", text: "nothing received yet" });
    badge.count({ what: "event", kind: "inbound", otherChannel: false });
    badge.count({ what: "event", kind: "unrecognised", otherChannel: false });
    badge.count({ what: "duplicate" });
    const text = "2 received · 1 already received · TIME";
    assert.deepEqual(await next(), { fill: "green", shape: "dot", text });
    badge.count({ what: "sent-back", by: "time" });
    assert.deepEqual(await next(), yellow("2 received · 1 already received · 1 to be redelivered · TIME"));
  });

  it("counts refusals by reason, and has words for each", async () => {
    const { badge, next } = setUp(true);
    const reasons = Object.keys(REFUSALS) as RefusalReason[];
    for (const reason of [...reasons, "wrong-credentials" as const]) {
      badge.count({ what: "refused", reason });
    }
    const { text, fill } = await next();
    assert.equal(fill, "yellow");
    assert.match(text, /^SIMULATED · 1 refused \(too large\) · .*2 refused \(wrong secret\)/);
    assert.equal(text.split(" · ").length, reasons.length + 2);
  });

  it("shows what is wrong with the set-up, until it is put right", async () => {
    const { badge, next } = setUp();
    badge.trouble(new SetupError("PATH_TAKEN", "…"));
    assert.deepEqual(await next(), { fill: "red", shape: "ring", text: "path already in use" });
    badge.trouble(null);
    assert.equal((await next()).text, "nothing received yet");
  });
});
