import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Node } from "node-red";
import { StatusBadge } from "../../../../lib/runtime/send/badge/status-badge";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import type { Outcome } from "../../../../lib/shared/outcomes";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { waitFor } from "../../../support/wait-for";
import { useShortTimers } from "../short-timers";

const HOUR = 3_600_000;

interface Shown {
  readonly fill?: string;
  readonly shape?: string;
  readonly text?: string;
}

describe("StatusBadge", () => {
  useShortTimers();
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
  const result = (outcome: Outcome, people: number, statusName: string): SendResult =>
    ({ outcome, statusName, recipients: new Array(people).fill("+41790000001") }) as unknown as SendResult;
  const end = (outcome: Outcome, people = 1, statusName = "NAMELESS"): void =>
    badge.end(result(outcome, people, statusName));

  it("counts recipients by group, the last result first, and messages under way", async () => {
    badge.begin(2_409);
    end("sent", 1_000);
    end("queued", 1_000);
    end("sent", 404);
    await shows("2,404 accepted · 5 under way");
    assert.deepEqual([latest().fill, latest().shape], ["blue", "ring"]);
    end("retry-later", 2);
    await shows("2 to try again · 2,404 accepted · 3 under way");
    end("denied", 2);
    end("sent");
    await shows("2,405 accepted · 2 denied · 2 to try again");
  });

  it("has the colour of the worst result since it started, whatever comes after it", async () => {
    const colours: unknown[] = [];
    for (const [outcome, text] of [
      ["sent", "1 accepted"],
      ["retry-later", "1 to try again · 1 accepted"],
      ["sent", "2 accepted · 1 to try again"],
      ["rejected", "1 rejected · 2 accepted · 1 to try again"],
      ["queued", "3 accepted · 1 rejected · 1 to try again"],
      ["denied", "1 denied · 3 accepted · 1 rejected · 1 to try again"],
    ] as const) {
      badge.begin(1);
      end(outcome);
      await shows(text);
      colours.push([latest().fill, latest().shape].join(" "));
    }
    assert.deepEqual(colours, ["green dot", "yellow dot", "yellow dot", "red dot", "red dot", "red dot"]);
    badge.begin(1);
    await shows("1 denied · 3 accepted · 1 rejected · 1 to try again · 1 under way");
    assert.deepEqual([latest().fill, latest().shape], ["red", "ring"]);
  });

  it("counts what a rule kept back apart, in grey, for that is no failure", async () => {
    end("rejected", 16, "ALREADY_SENT");
    end("retry-later", 1, "OUTSIDE_HOURS");
    const skipped = "17 skipped: 16 × sent already, 1 × outside sending hours";
    await shows(skipped);
    assert.equal(latest().fill, "grey");
    end("sent", 3);
    await shows(`3 accepted · ${skipped}`);
    assert.equal(latest().fill, "green");
    end("rejected", 1, "KEY_REUSED");
    await shows(`1 rejected: same key, other content · 3 accepted · ${skipped}`);
    assert.equal(latest().fill, "red");
  });

  describe("says until when people wait", () => {
    // Noon, so that an hour later is the same day.
    const NOON = new Date(2026, 10, 25, 12).getTime();
    beforeEach(() => mock.timers.enable({ apis: ["Date"], now: NOON }));
    afterEach(() => mock.timers.reset());
    const part = (people: number, rules: Partial<RequestRules>, fault: unknown = null) => ({
      recipients: new Array(people).fill("41790000001"),
      fault,
      rules: { ...NO_RULES, ...rules },
    });
    const zone = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" })
      .formatToParts(NOON)
      .find(({ type }) => type === "timeZoneName")?.value;

    it("shows the time of one, of equal and of several delayed messages", async () => {
      badge.beginParts([part(1, { opens: NOON + HOUR })]);
      await shows(`waits until 13:00 ${zone}`);
      badge.beginParts([part(2, { opens: NOON + HOUR, scheduled: NOON })]);
      await shows(`3 wait until 13:00 ${zone}`);
      badge.beginParts([part(1, { scheduled: NOON + 24 * HOUR })]);
      await shows(`4 wait, the first until 13:00 ${zone}`);
      badge.beginParts([part(2, {})]);
      await shows(`2 under way · 4 wait, the first until 13:00 ${zone}`);
      mock.timers.setTime(NOON + HOUR);
      end("sent", 3);
      await shows(`3 accepted · 2 under way · waits until Nov 26, 12:00 ${zone}`);
    });
  });

  it("shows SIMULATED from the start and with every count", async () => {
    badge.simulated = true;
    assert.equal(latest().text, "SIMULATED");
    badge.begin(1);
    end("sent");
    await shows("SIMULATED · 1 accepted");
  });

  it("updates a few times a second, however many messages pass", async () => {
    badge.begin(10_000);
    for (let at = 0; at < 10_000; at++) {
      end("sent");
    }
    await shows("10,000 accepted");
    assert.ok(shown.length <= 2, `${shown.length} updates`);
  });
});
