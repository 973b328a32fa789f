import assert from "node:assert/strict";
import { localVerdict } from "../../../../lib/gateway/codec/verdict";
import { LastResults } from "../../../../lib/runtime/results/last-results";
import { healthReasons, OLD_AFTER, STUCK_AFTER } from "../../../../nodes/message-log/runtime/account-health";
import type { Found } from "../../../../nodes/message-log/runtime/account-state";
import type { Present } from "../../../../lib/store/history/present";

const NOW = Date.parse("2025-06-01T12:00:00Z");
const LONG = STUCK_AFTER;

const PRESENT: Present = {
  ...{ ready: 0, waiting: 0, forRule: 0, forRetry: 0, paused: 0, orphaned: 0, sending: 0, mayLeave: 4 },
  ...{ nextDue: null, oldest: null, sendingSince: null, first: null },
  ...{ unknown: 0, spentHour: 0, spentDay: 0, bytes: 1 },
};
const FAILURE = {
  ...{ at: "", time: NOW - 2_000, outcome: "denied", statusCode: 4021, statusName: "INVALID_ACCOUNT" },
  ...{ reason: "The account is wrong.", advice: "Mend it." },
};
const NOTHING: Found["last"] = { acceptedAt: null, failure: null, lasting: null };
const FOUND: Found = {
  ...{ now: NOW, fault: null, storeFault: null, stopped: null, refused: [], present: PRESENT },
  ...{ limits: { hour: null, day: null }, freeBytes: null, firstSince: null, last: NOTHING },
  ...{ startedAt: NOW - 2 * OLD_AFTER, accountSince: NOW - OLD_AFTER },
};
const REFUSED = {
  signIn: "legacy",
  since: NOW,
  verdict: localVerdict("TOKEN_REFUSED"),
} as const;
const present = (given: Partial<Present>): Partial<Found> => ({ present: { ...PRESENT, ...given } });
const accepted = (acceptedAt: number): Partial<Found> => ({ last: { ...NOTHING, acceptedAt } });
const failed = (time: number, acceptedAt: number | null = null): Partial<Found> => ({
  last: { ...NOTHING, acceptedAt, lasting: { ...FAILURE, time } },
});
const STUCK = present({ ready: 4, oldest: NOW - LONG });
const USED = { limit: 2_000, used: 2_000, left: 0, ends: new Date(NOW).toISOString() };

/** Conditions, with the first words of each reason why the account is not healthy. */
const CONDITIONS: Readonly<Record<string, readonly [found: Partial<Found>, ...reasons: string[]]>> = {
  "nothing was ever sent": [{}],
  "much waits for its time, a rule or a person": [
    present({ waiting: 9, forRule: 5, paused: 3, nextDue: NOW + 1 }),
  ],
  "a person has stopped it": [{ stopped: { since: NOW } }, "A person has"],
  "the settings have stopped it": [{ stopped: { since: null } }, "The settings of"],
  "it is stopped, so messages wait": [{ ...STUCK, stopped: { since: NOW } }, "A person has"],
  "its sign-in is refused, so messages wait": [{ ...STUCK, refused: [REFUSED] }, "Messages wait because"],
  "a setting is wrong": [{ fault: "It is 3." }, "Nothing can be"],
  "the store does not work": [{ storeFault: "It is full.", present: null }, "The message store"],

  "messages that may leave wait long": [STUCK, "Messages wait since"],
  "they wait not that long": [present({ ready: 4, oldest: NOW - LONG + 1 })],
  "others are accepted meanwhile: a long list at a low rate": [{ ...STUCK, ...accepted(NOW - LONG + 1) }],
  "the last one was accepted just as long ago": [
    { ...STUCK, ...accepted(NOW - LONG) },
    "Messages wait since",
  ],
  "a scheduled one is long overdue": [present({ waiting: 1, nextDue: NOW - LONG }), "Messages wait since"],
  "a scheduled one is overdue for a moment": [present({ waiting: 1, nextDue: NOW - LONG + 1 })],
  "one is being sent and does not come back": [
    present({ sending: 1, sendingSince: NOW - LONG }),
    "Messages wait since",
  ],
  "one is being sent": [present({ sending: 1, sendingSince: NOW - LONG + 1 })],
  "much waits right after a start or a deploy": [{ ...STUCK, accountSince: NOW - LONG + 1 }],

  "the last message failed as the next one would": [failed(NOW - 2_000), "The last message"],
  "it failed after the last one that was accepted": [failed(NOW - 2_000, NOW - 3_000), "The last message"],
  "one was accepted since": [failed(NOW - 2_000, NOW - 1_000)],
  "an old failure after a restart, and much waits": [
    {
      ...failed(NOW - OLD_AFTER),
      ...present({ ready: 9_000, oldest: NOW - OLD_AFTER }),
      startedAt: NOW - 60_000,
      accountSince: NOW - 60_000,
    },
  ],
  "a failure of just before a restart": [
    { ...failed(NOW - OLD_AFTER + 1), startedAt: NOW - 60_000 },
    "The last message",
  ],

  "the limit of an hour is reached": [{ limits: { hour: USED, day: null } }, "The limit of"],
  "a limit is nearly reached": [{ limits: { hour: null, day: { ...USED, left: 1 } } }],
  "messages wait whose node is gone": [present({ orphaned: 3 }), "Messages wait whose"],
  "the disk is nearly full": [{ freeBytes: 100 * 1024 * 1024 - 1 }, "The disk with"],
  "the disk has enough left": [{ freeBytes: 100 * 1024 * 1024 }],
};

describe("the health of an account", () => {
  it("names each reason of an unhealthy account, and no reason of a healthy one", () => {
    for (const [condition, [given, ...reasons]] of Object.entries(CONDITIONS)) {
      const words = healthReasons({ ...FOUND, ...given }).map((reason) =>
        reason.split(" ").slice(0, 3).join(" "),
      );
      assert.deepEqual(words, reasons, condition);
    }
  });
});

describe("what messages came to last", () => {
  const RESULT = { operation: "sms-json", statusCode: null, statusName: "NAME", recipients: ["1", "2"] };
  const note = (last: LastResults, given: object, at = NOW, message?: string) =>
    last.note({ ...RESULT, ...given } as never, at, message);

  it("counts no results that a user, a deploy or a rule has decided", () => {
    const last = new LastResults();
    for (const given of [
      { outcome: "denied", operation: "media-upload" },
      { outcome: "retry-later", statusName: "CANCELLED" },
      { outcome: "retry-later", statusName: "CLOSING" },
      { outcome: "rejected", statusName: "OPTED_OUT" },
    ]) {
      note(last, given);
    }
    assert.deepEqual([last.acceptedAt, last.failure, last.lastingFailure], [null, null, null]);
  });

  it("predicts failures from a refused account, or from three timeouts in a row", () => {
    const last = new LastResults();
    const names = (): unknown => last.lastingFailure?.result.statusName;
    note(last, { outcome: "unknown", statusName: "NO_ANSWER" });
    note(last, { outcome: "retry-later", statusName: "TEXT_NOT_STORED" });
    note(last, { outcome: "unknown", statusName: "CONNECTION_LOST" });
    assert.equal(names(), undefined);
    note(last, { outcome: "sent" });
    note(last, { outcome: "unknown", statusName: "HTTP_500" });
    note(last, { outcome: "unknown", statusName: "HTTP_500" });
    assert.equal(names(), undefined, "one was accepted in between");
    note(last, { outcome: "unknown", statusName: "NO_ANSWER" });
    assert.equal(names(), "NO_ANSWER");
    note(last, { outcome: "denied", statusName: "INVALID_ACCOUNT" });
    assert.equal(names(), "INVALID_ACCOUNT");
  });

  const REFUSED = { outcome: "rejected", statusCode: 4003, statusName: "INVALID_SENDER" };
  const OTHER = { outcome: "rejected", statusCode: 4009, statusName: "INVALID_TEXT" };
  const TO_ONE = { outcome: "rejected", statusCode: 4002, statusName: "INVALID_RECIPIENT" };
  const times = (count: number, given: object): readonly object[] =>
    Array.from({ length: count }, () => given);
  /** Results of messages, one after the other, with the name of the one that the next message would meet as well. */
  const REFUSALS: Readonly<Record<string, readonly [given: readonly object[], lasting?: string]>> = {
    "nine messages": [times(9, REFUSED)],
    "ten messages": [times(10, REFUSED), "INVALID_SENDER"],
    "many messages": [times(500, REFUSED), "INVALID_SENDER"],
    "ten messages, of which one to another number was accepted": [
      [...times(9, REFUSED), { outcome: "sent" }, ...times(9, REFUSED)],
    ],
    "ten messages for two reasons": [[...times(9, REFUSED), OTHER, ...times(9, REFUSED)]],
    "ten messages, and another one to a wrong number": [
      [...times(9, REFUSED), TO_ONE, REFUSED],
      "INVALID_SENDER",
    ],
    "many messages to wrong numbers": [times(500, TO_ONE)],
    "ten whose fields are wrong": [
      times(10, { outcome: "rejected", statusName: "FIELD_INVALID" }),
      "FIELD_INVALID",
    ],
  };
  it("predicts failures after ten refusals of different messages", () => {
    for (const [what, [given, lasting]] of Object.entries(REFUSALS)) {
      const last = new LastResults();
      for (const [at, each] of given.entries()) {
        note(last, each, NOW + at, `m${at}`);
      }
      assert.equal(last.lastingFailure?.result.statusName, lasting, what);
    }
  });
});
