import assert from "node:assert/strict";
import {
  divideByHours,
  type OpeningHours,
  type RuleSurroundings,
} from "../../../../lib/runtime/guards/divide-by-hours";
import { NO_RULES, type RequestRules } from "../../../../lib/store/guards/request-rules";

const NOW = Date.parse("2026-11-22T15:44:00Z");
const HOUR = 3_600_000;
const SWISS = "41790000001";
const BRITISH = "447400123456";
const INDIAN = "919876543210";

const ZONES: Readonly<Record<string, string>> = {
  "41": "Europe/Zurich",
  "44": "Europe/London",
  "91": "Asia/Kolkata",
};

/** Hours that begin at these times from now on; zones that are not named are open. */
const hoursWith = (
  opens: Readonly<Record<string, number>>,
  more: Partial<OpeningHours> = {},
): OpeningHours => ({
  refuses: false,
  zoneOf: (recipient) => ZONES[recipient.slice(0, 2)] ?? "UTC",
  opensAt: (zone, now) => Math.max(now, NOW + (opens[zone] ?? 0)),
  isExempt: (category) => category === "informational",
  ...more,
});

const around = (hours: OpeningHours | null): RuleSurroundings => ({ hours, zone: "Europe/Zurich", now: NOW });
const ASKED: RequestRules = { ...NO_RULES, zone: "" };

describe("the rules of one recipient", () => {
  const LATER = hoursWith({ "Europe/Zurich": 3 * HOUR });
  const ZURICH = { zone: "Europe/Zurich", opens: NOW + 3 * HOUR };
  type Row = readonly [
    what: string,
    rules: Partial<RequestRules>,
    hours: OpeningHours,
    expected: Partial<RequestRules>,
  ];
  const rows: readonly Row[] = [
    ["name the zone inside of the hours", {}, hoursWith({}), { ...ZURICH, opens: null }],
    ["wait for the hours outside of them", {}, LATER, ZURICH],
    ["wait for them at the time from which on they may leave", { scheduled: NOW + HOUR }, LATER, ZURICH],
    [
      "need not wait for hours begun by then",
      { scheduled: NOW + 4 * HOUR },
      LATER,
      { ...ZURICH, opens: null },
    ],
    [
      "name no zone for an exempt category",
      { category: "informational" },
      LATER,
      { zone: null, opens: null },
    ],
    ["name no zone for a node that sends at any hour", { zone: null }, LATER, { zone: null, opens: null }],
    ["wait that are useful until after the hours begin", { uselessAfter: NOW + 3 * HOUR + 1 }, LATER, ZURICH],
  ];
  it("wait for the hours of the recipient's zone, unless category or node is exempt", async () => {
    for (const [what, rules, hours, expected] of rows) {
      const asked = { ...ASKED, ...rules };
      const { leaving } = await divideByHours([SWISS], asked, around(hours));
      assert.deepEqual(leaving, [{ recipients: [SWISS], rules: { ...asked, ...expected } }], what);
    }
  });

  const REFUSING = hoursWith({ "Europe/Zurich": 3 * HOUR }, { refuses: true });
  const OUTSIDE = /^OUTSIDE_HOURS retry-later .*begin Nov 22, 2026, 19:44 GMT\+1: \+4179…001\)$/;
  const refused: readonly (readonly [what: string, Partial<RequestRules>, OpeningHours | null, RegExp])[] = [
    ["where the account refuses outside of the hours", {}, REFUSING, OUTSIDE],
    ["for which it is too late now", { uselessAfter: NOW }, null, /^TOO_LATE rejected .*16:44 GMT\+1/],
    ["too late when it may leave", { scheduled: NOW + HOUR, uselessAfter: NOW + HOUR }, null, /^TOO_LATE/],
    ["too late when the hours begin", { uselessAfter: NOW + 3 * HOUR }, LATER, /^TOO_LATE/],
  ];
  it("get a verdict where hours refuse, or where it is too late when they may be sent to", async () => {
    for (const [what, rules, hours, expected] of refused) {
      const { leaving, held } = await divideByHours([SWISS], { ...ASKED, ...rules }, around(hours));
      const { statusName, outcome, statusMessage } = held[0]?.verdict ?? assert.fail(what);
      assert.match(`${statusName} ${outcome} ${statusMessage}`, expected);
      assert.deepEqual(leaving, []);
    }
  });

  it("let a message leave a moment before it is useless", async () => {
    const { held } = await divideByHours([SWISS], { ...ASKED, uselessAfter: NOW + 1 }, around(null));
    assert.deepEqual(held, []);
  });
});

describe("recipients of several time zones", () => {
  const LIST = [SWISS, BRITISH, "41790000002", INDIAN];

  it("are grouped, each group with the beginning of its hours", async () => {
    const hours = hoursWith({ "Asia/Kolkata": 10 * HOUR });
    const { leaving, held } = await divideByHours(LIST, NO_RULES, around(hours));
    assert.deepEqual(held, []);
    assert.deepEqual(
      leaving.map(({ recipients, rules }) => [rules.zone, rules.opens, recipients]),
      [
        ["Europe/Zurich", null, [SWISS, "41790000002"]],
        ["Europe/London", null, [BRITISH]],
        ["Asia/Kolkata", NOW + 10 * HOUR, [INDIAN]],
      ],
    );
  });
});
