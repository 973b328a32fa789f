import assert from "node:assert/strict";
import { mock } from "node:test";
import type { Node } from "node-red";
import { StatusBadge } from "../../../../lib/runtime/send/badge/status-badge";
import { FieldError, SETUP_FAULTS, SetupError } from "../../../../lib/shared/messaging-error";
import type { SendResult } from "../../../../lib/runtime/channels/send-result";
import { LOCAL_FAULTS } from "../../../../lib/gateway/contract/local-outcomes";
import { OUTCOMES, type Outcome, STATUS_CODES } from "../../../../lib/shared/outcomes";
import { CATALOGUES } from "../../../../lib/texts/catalogues";
import { setLanguage } from "../../../../lib/texts/say";
import { sayMoment } from "../../../../lib/texts/say-time";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";
import { waitFor } from "../../../support/wait-for";

/** Characters of a reason, with which a badge of one failure is short. */
const LONGEST_REASON = 28;
const HOUR = 3_600_000;

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
  const result = (outcome: Outcome, people: number, statusName: string): SendResult =>
    ({ outcome, statusName, recipients: new Array(people).fill("+41790000001") }) as unknown as SendResult;
  const end = (outcome: Outcome, people = 1, statusName = "NAMELESS"): void =>
    badge.end(result(outcome, people, statusName));

  it("counts people by group, the last result first, and what is under way", async () => {
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

  it("writes numbers as people do in Node-RED's language", async () => {
    setLanguage(() => "de");
    try {
      end("sent", 2_404);
      await shows("2.404 angenommen");
    } finally {
      setLanguage(() => "en-US");
    }
  });

  it("counts what was before the start as well, says since when, and has no colour of that", async () => {
    mock.timers.enable({ apis: ["Date"], now: new Date(2026, 10, 24, 12) });
    try {
      const facts = { statusName: "FIELD_UNRESOLVED", statusCode: null, httpStatus: null };
      const before = [
        { outcome: "sent", count: 40, facts: null },
        { outcome: "rejected", count: 2, facts },
      ] as const;
      badge.addEarlier(before, new Date(2026, 10, 24).getTime());
      const since = sayMoment(new Date(2026, 10, 24).getTime(), Date.now());
      await shows(`40 accepted · 2 rejected: a field has no value · since ${since}`);
      assert.deepEqual([latest().fill, latest().shape], ["grey", "ring"]);
      badge.begin(1);
      end("sent");
      await shows(`41 accepted · 2 rejected: a field has no value · since ${since}`);
      assert.deepEqual([latest().fill, latest().shape], ["green", "dot"]);
    } finally {
      mock.timers.reset();
    }
  });

  it("counts a file, and a message whose recipients cannot be read, as one", async () => {
    badge.begin(1);
    end("rejected", 0, "FIELD_UNRESOLVED");
    await shows("1 rejected: a field has no value");
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

  it("says of each group why its people are in it, the two reasons that most of them have", async () => {
    end("rejected", 1, "RECIPIENTS_BLACKLISTED");
    await shows("1 rejected: on the blacklist");
    end("rejected", 1, "INVALID_RECIPIENT");
    await shows("2 rejected: 1 × on the blacklist, 1 × not a mobile number");
    end("rejected", 1, "INVALID_RECIPIENT");
    const rejected = "3 rejected: 2 × not a mobile number, 1 × on the blacklist";
    await shows(rejected);
    end("sent");
    await shows(`1 accepted · ${rejected}`);
    end("unknown", 1, "NO_ANSWER");
    await shows(`1 unknown: no answer · 1 accepted · ${rejected}`);
    end("rejected", 4, "INVALID_SENDER");
    const third = "7 rejected: 4 × sender not accepted, 2 × not a mobile number, …";
    await shows(`${third} · 1 unknown: no answer · 1 accepted`);
    badge.end({ ...result("denied", 1, "CODE_4999"), statusCode: 4999 });
    badge.end({ ...result("denied", 2, "HTTP_404"), statusCode: null, httpStatus: 404 });
    await shows(`3 denied: 2 × HTTP 404, 1 × 4999 · ${third} · 1 unknown: no answer · 1 accepted`);
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

  it("has a few words for every failure, in both languages", () => {
    const names = [
      ...STATUS_CODES.filter(({ outcome }) => OUTCOMES[outcome].failure).map(({ name }) => name),
      ...Object.values(LOCAL_FAULTS).map(({ name }) => name),
    ];
    for (const { badges } of Object.values(CATALOGUES)) {
      const reasons: Readonly<Record<string, string>> = badges.reason;
      assert.deepEqual(
        names.filter((name) => !reasons[name]),
        [],
      );
      assert.deepEqual(
        Object.values(reasons).filter((text) => text.length > LONGEST_REASON),
        [],
      );
    }
  });

  it("says of files what became of them", async () => {
    for (const [operation, file, text] of [
      ["media-upload", undefined, "1 uploaded"],
      ["attachment-create", undefined, "2 uploaded"],
      ["media-download", { name: "a.jpg", type: "image/jpeg", size: 1 }, "3 downloaded"],
      ["media-download", { name: "a.jpg", type: "image/jpeg", size: 1, path: "/files/a.jpg" }, "4 saved"],
    ] as const) {
      badge.begin(1);
      badge.end({ ...result("sent", 0, "OK"), operation, ...(file && { file }) });
      await shows(text);
    }
    badge.end({ ...result("denied", 0, "FILE_UNWRITABLE"), operation: "media-download" });
    await shows("1 denied: file not writable · 4 saved");
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

    it("of one, of some at the same time, and of the first of several", async () => {
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

    it("of limits that kept people back, where all of them end at the same time", async () => {
      const limited = (until: number): void =>
        badge.end(result("rejected", 1, "LIMIT_REACHED"), Date.now() + until);
      limited(60 * 60_000);
      limited(60 * 60_000);
      await shows(`2 skipped: limit reached, until 13:00 ${zone}`);
      limited(2 * 60 * 60_000);
      await shows("3 skipped: limit reached");
    });

    it("at a limit of the account that is used up, until the next hour or day, and counts nobody as waiting who may be on the way", async () => {
      const ends = NOON + 2 * HOUR;
      const limit = { period: "hour", messages: 5, limit: 5, reached: true, ends } as const;
      badge.showAccount({ stopped: false, limit, heldUntil: ends });
      badge.beginParts([part(1, {})]);
      await shows(`1 under way · 5 of 5 this hour, until 14:00 ${zone}`);
      badge.beginParts([part(1, { opens: NOON + HOUR })]);
      await shows(`1 under way · waits until 14:00 ${zone} · 5 of 5 this hour, until 14:00 ${zone}`);
      badge.showAccount({ stopped: false, limit, heldUntil: null });
      await shows(`1 under way · waits until 13:00 ${zone} · 5 of 5 this hour, until 14:00 ${zone}`);
      badge.showAccount({ stopped: false, limit, heldUntil: ends });
      mock.timers.setTime(ends);
      badge.resume(1);
      await shows("3 under way · 5 of 5 this hour");
    });

    it("not of those who are rejected at once, nor of more than were not cancelled", async () => {
      badge.beginParts([part(1, { opens: NOON + HOUR }, "OPTED_OUT"), part(2, { opens: NOON + HOUR })]);
      end("rejected", 1, "CANCELLED");
      await shows(`1 rejected: cancelled · 2 wait until 13:00 ${zone}`);
      end("rejected", 1, "CANCELLED");
      await shows(`2 rejected: cancelled · waits until 13:00 ${zone}`);
    });
  });

  it("counts what waits unread to what is under way", async () => {
    badge.resume(1);
    badge.resume(1);
    await shows("2 under way");
    for (const text of ["1 accepted · 1 under way", "2 accepted"]) {
      badge.resume(-1);
      badge.begin(1);
      end("sent");
      await shows(text);
    }
  });

  it("says when a message had nothing to cancel, until another message comes", async () => {
    badge.begin(2);
    badge.cancelled(2);
    end("retry-later", 2, "CANCELLED");
    await shows("2 to try again: cancelled");
    badge.cancelled(0);
    badge.resume(1);
    await shows("2 to try again: cancelled · nothing to cancel · 1 under way");
    badge.begin(1);
    await shows("2 to try again: cancelled · 2 under way");
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
      end("sent");
    }
    await shows("10,000 accepted");
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
      end("sent");
      await shows(`${at + 1} accepted`);
    }
  });

  it("leaves no timer when closed", () => {
    badge.begin(1);
    badge.close();
    assert.equal(shown.length, 0);
  });
});
