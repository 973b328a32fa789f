import assert from "node:assert/strict";
import type { Node } from "node-red";
import { WebhookBadge } from "../../../../lib/runtime/webhook/webhook-badge";
import { SetupError } from "../../../../lib/shared/messaging-error";
import { REFUSALS, type RefusalReason } from "../../../../lib/webhook/refusals";
import { waitFor } from "../../../support/wait-for";

interface Shown {
  readonly fill: string;
  readonly shape: string;
  readonly text: string;
}

function badge(simulated = false): { badge: WebhookBadge; shown: Shown[]; last: () => Promise<Shown> } {
  const shown: Shown[] = [];
  const node = { status: (status: Shown) => shown.push(status) } as unknown as Node;
  const made = new WebhookBadge(node, simulated);
  const last = async (): Promise<Shown> => {
    const before = shown.length;
    await waitFor("an update", () => shown.length > before);
    const status = shown.at(-1)!;
    return { ...status, text: status.text.replace(/\d\d:\d\d:\d\d$/, "TIME") };
  };
  return { badge: made, shown, last };
}

describe("WebhookBadge", () => {
  it("waits, then counts and says when the last call was", async () => {
    const { badge: one, last } = badge();
    assert.deepEqual(await last(), { fill: "grey", shape: "ring", text: "nothing received yet" });
    one.count({ what: "event", kind: "inbound" });
    one.count({ what: "event", kind: "unrecognised" });
    one.count({ what: "duplicate" });
    assert.deepEqual(await last(), { fill: "green", shape: "dot", text: "2 received · 1 duplicates · TIME" });
    one.count({ what: "sent-back", by: "time" });
    assert.deepEqual(await last(), {
      fill: "yellow",
      shape: "ring",
      text: "2 received · 1 duplicates · 1 to be redelivered · TIME",
    });
    one.close();
  });

  it("counts refusals by reason, and has words for each", async () => {
    const { badge: one, last } = badge(true);
    const reasons = Object.keys(REFUSALS) as RefusalReason[];
    for (const reason of [...reasons, "wrong-credentials" as const]) {
      one.count({ what: "refused", reason });
    }
    const { text: shown, fill } = await last();
    assert.equal(fill, "yellow");
    assert.match(shown, /^SIMULATED · 1 refused \(not a POST\) · .*2 refused \(wrong secret\)/);
    assert.equal(shown.split(" · ").length, reasons.length + 2);
    one.close();
  });

  it("shows what is wrong with the set-up, until it is put right", async () => {
    const { badge: one, last } = badge();
    one.trouble(new SetupError("PATH_TAKEN", "…"));
    assert.deepEqual(await last(), { fill: "red", shape: "ring", text: "path already in use" });
    one.trouble(null);
    assert.equal((await last()).text, "nothing received yet");
    one.close();
  });

  it("keeps a note beside the counts", async () => {
    const { badge: one, last } = badge();
    one.note("storeFails");
    one.count({ what: "event", kind: "status" });
    assert.deepEqual(await last(), {
      fill: "yellow",
      shape: "ring",
      text: "1 received · context store fails · TIME",
    });
    one.close();
  });

  it("keeps several notes apart, and shows them before the first call", async () => {
    const { badge: one, last } = badge();
    one.note("plainHttp");
    one.note("plainHttp");
    one.note("storeFails");
    assert.deepEqual(await last(), {
      fill: "yellow",
      shape: "ring",
      text: "public address without TLS · context store fails · nothing received yet",
    });
    one.note("storeFails", false);
    one.count({ what: "event", kind: "inbound" });
    assert.deepEqual(await last(), {
      fill: "yellow",
      shape: "ring",
      text: "1 received · public address without TLS · TIME",
    });
    one.close();
  });

  it("leaves no timer when closed", async () => {
    const { badge: one, shown, last } = badge();
    await last();
    one.count({ what: "event", kind: "inbound" });
    one.close();
    const { badge: other, last: otherLast } = badge();
    other.count({ what: "event", kind: "inbound" });
    await otherLast();
    other.close();
    assert.equal(shown.length, 1);
  });
});
