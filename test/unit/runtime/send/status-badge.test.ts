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

describe("StatusBadge", () => {
  let badge: StatusBadge;
  let shown: Shown[];
  beforeEach(() => {
    shown = [];
    const node = { status: (status: Shown) => shown.push(status) } as unknown as Node;
    badge = new StatusBadge(node);
  });
  afterEach(() => badge.close());

  const latest = (): Shown => shown.at(-1) ?? {};
  const shows = (text: string): Promise<true> => waitFor(text, () => latest().text === text);
  const end = (...outcomes: Parameters<StatusBadge["end"]>[0][]): void => {
    for (const outcome of outcomes) {
      badge.end(outcome);
    }
  };

  it("counts by group, shows what is under way, and the colour of the last outcome", async () => {
    badge.begin(5);
    end("sent", "queued", "denied");
    await shows("2 accepted · 1 rejected · 2 under way");
    assert.equal(latest().fill, "blue");
    end("unknown", "retry-later");
    await shows("2 accepted · 1 rejected · 1 to try again · 1 unknown");
    assert.deepEqual([latest().fill, latest().shape], ["yellow", "dot"]);
  });

  it("counts what waits unread to what is under way", async () => {
    badge.waits(1);
    badge.waits(1);
    await shows("2 under way");
    for (const text of ["1 accepted · 1 under way", "2 accepted"]) {
      badge.waits(-1);
      badge.begin(1);
      end("sent");
      await shows(text);
    }
  });

  it("says how many a message has cancelled, none included, until another message comes", async () => {
    badge.begin(2);
    badge.cancelled(2);
    end("retry-later");
    end("retry-later");
    await shows("2 to try again · 2 cancelled");
    badge.cancelled(0);
    badge.resume(1);
    await shows("2 to try again · 0 cancelled · 1 under way");
    badge.begin(1);
    await shows("2 to try again · 2 under way");
  });

  it("says SIMULATED from the start and with every count", async () => {
    badge.simulated = true;
    assert.equal(latest().text, "SIMULATED");
    badge.begin(1);
    end("sent");
    await shows("SIMULATED · 1 accepted");
  });

  it("updates a few times a second, however many messages pass", async () => {
    badge.begin(10_000);
    for (let at = 0; at < 10_000; at++) {
      badge.end("sent");
    }
    await shows("10000 accepted");
    assert.ok(shown.length <= 2, `${shown.length} updates`);
  });

  it("has a few words for every fault of the set-up, gone with the next outcome", async () => {
    for (const code of SETUP_FAULTS) {
      badge.trouble(new SetupError(code, "a long explanation"));
    }
    badge.trouble(new Error("something else"));
    await shows("cannot send");
    assert.deepEqual([latest().fill, latest().shape], ["red", "ring"]);
    badge.begin(1);
    end("sent");
    await shows("1 accepted");
  });

  it("has the same words for every fault of a field", async () => {
    const codes = ["FIELD_INVALID", "FIELD_UNRESOLVED", "TEXT_NOT_LATIN1"] as const;
    for (const [at, code] of codes.entries()) {
      badge.trouble(new FieldError(code, "messageContent", "…"));
      await shows("a field is wrong");
      badge.end("sent");
      await shows(`${at + 1} accepted`);
    }
  });

  it("leaves no timer when closed", () => {
    badge.begin(1);
    badge.close();
    assert.equal(shown.length, 0);
  });
});
