import assert from "node:assert/strict";
import { divideByWindow, heldOutside } from "../../../../lib/runtime/guards/divide-by-window";
import { NO_RULES } from "../../../../lib/store/guards/request-rules";

const NOW = Date.parse("2026-11-22T15:44:00Z");
const HOUR = 3_600_000;
const [A, B, C, D] = ["41790000001", "41790000002", "41790000003", "41790000004"] as const;

/** ms since the last message of each number. */
const wrote = (ages: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(ages).map(([number, age]) => [number, NOW - age]));

describe("recipients divided by when they wrote", () => {
  it("are inside until 24 hours after their last message, and outside from then on", async () => {
    const last = wrote({ [A]: 0, [B]: 24 * HOUR - 1, [C]: 24 * HOUR });
    const groups = [{ recipients: [A, B, C, D], rules: NO_RULES }];
    const { inside, outside } = await divideByWindow(groups, last, NOW, null);
    assert.deepEqual(
      [inside, outside],
      [
        [A, B],
        [C, D],
      ],
    );
  });

  it("leave in their order, those outside by the other operation", async () => {
    const groups = [{ recipients: [A, B, C, D], rules: NO_RULES }];
    const { leaving } = await divideByWindow(groups, wrote({ [A]: 1, [D]: 1 }), NOW, "whatsapp-template");
    assert.deepEqual(leaving, [
      { recipients: [A], rules: NO_RULES },
      { recipients: [B, C], rules: NO_RULES, operation: "whatsapp-template" },
      { recipients: [D], rules: NO_RULES },
    ]);
  });

  it("do not leave outside where nothing else is sent, and the others go on in their order", async () => {
    const groups = [{ recipients: [A, B, C], rules: NO_RULES }];
    const { leaving } = await divideByWindow(groups, wrote({ [A]: 1, [C]: 1 }), NOW, null);
    assert.deepEqual(
      leaving.flatMap(({ recipients }) => recipients),
      [A, C],
    );
    assert.ok(leaving.every(({ operation }) => operation === undefined));
    assert.deepEqual((await divideByWindow(groups, wrote({}), NOW, null)).leaving, []);
  });

  it("are looked at for the time at which their request leaves, as far as it is known", async () => {
    const last = wrote({ [A]: 20 * HOUR, [B]: 20 * HOUR, [C]: 20 * HOUR });
    const groups = [
      { recipients: [A], rules: { ...NO_RULES, scheduled: NOW + 4 * HOUR - 1 } },
      { recipients: [B], rules: { ...NO_RULES, scheduled: NOW + 4 * HOUR } },
      { recipients: [C], rules: { ...NO_RULES, opens: NOW + 5 * HOUR } },
    ];
    const { inside, outside } = await divideByWindow(groups, last, NOW, null);
    assert.deepEqual([inside, outside], [[A], [B, C]]);
  });

  it("are named with the time of their last message where they are not sent to", () => {
    const { recipients, verdict } = heldOutside([A, B], wrote({ [A]: 30 * HOUR }), "Europe/Zurich");
    assert.deepEqual(recipients, [A, B]);
    assert.deepEqual(
      [verdict.outcome, verdict.source, verdict.statusName, verdict.statusCode],
      ["rejected", "local", "SESSION_EXPIRED", null],
    );
    assert.match(
      verdict.statusMessage,
      /\(\+4179…001: last wrote Nov 21, 2026, 10:44 GMT\+1; \+4179…002: no message known\)$/,
    );
    assert.match(verdict.advice, /template/);
  });
});
