import assert from "node:assert/strict";
import {
  type EarlierUse,
  type BlockReason,
  blockVerdictOf,
} from "../../../../lib/runtime/guards/block-verdict-of";
import { LOCAL_FAULTS } from "../../../../lib/gateway/contract/local-outcomes";
import { setLanguage } from "../../../../lib/texts/say";

const zone = "Europe/Zurich";
const at = Date.parse("2026-11-22T15:44:00Z");
const numbers = ["41790000001"];
const MANY = ["41790000001", "41790000002", "41790000003", "41790000004", "41790000005", "41790000006"];

const detailOf = (reason: BlockReason): string =>
  blockVerdictOf(reason)
    .statusMessage.replace(/^[^(]*\(/, "")
    .replace(/\)$/, "");

describe("the verdict on recipients that a rule holds back", () => {
  afterEach(() => setLanguage(() => "en-US"));

  const contacts = [
    { number: "41790000001", at },
    { number: "41790000002", at: null },
  ];
  const usedBy = (outcome: EarlierUse["outcome"]) => [{ number: "41790000001", at, outcome }];
  const limit = { fault: "LIMIT_REACHED", zone, numbers, until: at } as const;
  /** `T` stands for the time, `N` for the number. */
  const rows: readonly (readonly [reason: BlockReason, english: string, german: string])[] = [
    [{ fault: "OPTED_OUT", numbers }, "N", "N"],
    [
      { fault: "SESSION_EXPIRED", zone, contacts },
      "N: last wrote T; +4179…002: no message known",
      "N: schrieb zuletzt T; +4179…002: keine Nachricht bekannt",
    ],
    [{ fault: "ALREADY_SENT", zone, uses: usedBy("sent") }, "N: sent T", "N: gesendet T"],
    [{ fault: "ALREADY_SENT", zone, uses: usedBy(null) }, "N: on its way since T", "N: unterwegs seit T"],
    [
      { fault: "KEY_REUSED", zone, uses: usedBy("unknown") },
      "N: outcome unknown, T",
      "N: Ergebnis ungewiss, T",
    ],
    [
      { ...limit, per: "account", period: "day", limit: 100 },
      "100 messages a day; the next day begins T: N",
      "100 Nachrichten pro Tag; der nächste Tag beginnt T: N",
    ],
    [
      { ...limit, per: "number", period: "hour", limit: 3 },
      "3 messages an hour to one number; the next hour begins T: N",
      "3 Nachrichten pro Stunde an eine Nummer; die nächste Stunde beginnt T: N",
    ],
    [
      { fault: "OUTSIDE_HOURS", zone, numbers, at },
      "the next sending hours begin T: N",
      "die nächsten Sendezeiten beginnen T: N",
    ],
    [{ fault: "TOO_LATE", zone, numbers, at }, "useless after T: N", "nicht nach T: N"],
  ];
  const filled = (text: string, time: string): string =>
    text.replace(/\bT\b/, time).replace(/\bN\b/, "+4179…001");
  for (const [reason, english, german] of rows) {
    it(`says ${english}`, () => {
      assert.equal(detailOf(reason), filled(english, "Nov 22, 2026, 16:44 GMT+1"));
      setLanguage(() => "de");
      assert.equal(detailOf(reason), filled(german, "22. Nov. 2026, 16:44 MEZ"));
      const { statusName, source, fault } = blockVerdictOf(reason);
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
