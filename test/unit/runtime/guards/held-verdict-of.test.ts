import assert from "node:assert/strict";
import { type HeldReason, heldVerdictOf } from "../../../../lib/runtime/guards/held-verdict-of";
import { LOCAL_FAULTS } from "../../../../lib/gateway/contract/local-outcomes";
import { setLanguage } from "../../../../lib/texts/say";

const zone = "Europe/Zurich";
const at = Date.parse("2026-11-22T15:44:00Z");
const numbers = ["41790000001"];
const MANY = ["41790000001", "41790000002", "41790000003", "41790000004", "41790000005", "41790000006"];

const detailOf = (reason: HeldReason): string =>
  heldVerdictOf(reason)
    .statusMessage.replace(/^[^(]*\(/, "")
    .replace(/\)$/, "");

describe("the verdict on recipients that a rule holds back", () => {
  afterEach(() => setLanguage(() => "en-US"));

  const rows: readonly (readonly [reason: HeldReason, english: string, german: string])[] = [
    [{ fault: "OPTED_OUT", numbers }, "+4179…001", "+4179…001"],
    [
      {
        fault: "SESSION_EXPIRED",
        zone,
        contacts: [
          { number: "41790000001", at },
          { number: "41790000002", at: null },
        ],
      },
      "+4179…001: last wrote Nov 22, 2026, 16:44 GMT+1; +4179…002: no message known",
      "+4179…001: schrieb zuletzt 22. Nov. 2026, 16:44 MEZ; +4179…002: keine Nachricht bekannt",
    ],
    [
      { fault: "ALREADY_SENT", zone, uses: [{ number: "41790000001", at, outcome: "sent" }] },
      "+4179…001: sent Nov 22, 2026, 16:44 GMT+1",
      "+4179…001: gesendet 22. Nov. 2026, 16:44 MEZ",
    ],
    [
      { fault: "ALREADY_SENT", zone, uses: [{ number: "41790000001", at, outcome: null }] },
      "+4179…001: on its way since Nov 22, 2026, 16:44 GMT+1",
      "+4179…001: unterwegs seit 22. Nov. 2026, 16:44 MEZ",
    ],
    [
      { fault: "KEY_REUSED", zone, uses: [{ number: "41790000001", at, outcome: "unknown" }] },
      "+4179…001: outcome unknown, Nov 22, 2026, 16:44 GMT+1",
      "+4179…001: Ergebnis ungewiss, 22. Nov. 2026, 16:44 MEZ",
    ],
    [
      { fault: "LIMIT_REACHED", zone, numbers, per: "account", period: "day", limit: 100, until: at },
      "100 messages a day; the next day begins Nov 22, 2026, 16:44 GMT+1: +4179…001",
      "100 Nachrichten pro Tag; der nächste Tag beginnt 22. Nov. 2026, 16:44 MEZ: +4179…001",
    ],
    [
      { fault: "LIMIT_REACHED", zone, numbers, per: "number", period: "hour", limit: 3, until: at },
      "3 messages an hour to one number; the next hour begins Nov 22, 2026, 16:44 GMT+1: +4179…001",
      "3 Nachrichten pro Stunde an eine Nummer; die nächste Stunde beginnt 22. Nov. 2026, 16:44 MEZ: +4179…001",
    ],
    [
      { fault: "OUTSIDE_HOURS", zone, numbers, at },
      "the next sending hours begin Nov 22, 2026, 16:44 GMT+1: +4179…001",
      "die nächsten Sendezeiten beginnen 22. Nov. 2026, 16:44 MEZ: +4179…001",
    ],
    [
      { fault: "TOO_LATE", zone, numbers, at },
      "useless after Nov 22, 2026, 16:44 GMT+1: +4179…001",
      "nicht nach 22. Nov. 2026, 16:44 MEZ: +4179…001",
    ],
  ];
  for (const [reason, english, german] of rows) {
    it(`says ${english}`, () => {
      assert.equal(detailOf(reason), english);
      setLanguage(() => "de");
      assert.equal(detailOf(reason), german);
      const { statusName, source, fault } = heldVerdictOf(reason);
      assert.deepEqual([statusName, source, fault], [reason.fault, "local", reason.fault]);
      assert.equal(LOCAL_FAULTS[reason.fault].held, true);
    });
  }

  it("names at most five numbers, masked", () => {
    assert.equal(
      detailOf({ fault: "OPTED_OUT", numbers: MANY }),
      "+4179…001; +4179…002; +4179…003; +4179…004; +4179…005; and 1 more",
    );
    const uses = MANY.map((number) => ({ number, at, outcome: "sent" as const }));
    assert.match(detailOf({ fault: "ALREADY_SENT", zone, uses: [...uses, ...uses] }), /; and 7 more$/);
    assert.ok(!detailOf({ fault: "ALREADY_SENT", zone, uses }).includes("41790000001"));
  });

  it("says times in the zone of the process where none is named", () => {
    assert.match(detailOf({ fault: "TOO_LATE", zone: "", numbers, at }), /2026/);
  });
});
