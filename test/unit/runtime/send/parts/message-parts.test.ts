import assert from "node:assert/strict";
import { OPERATIONS } from "../../../../../lib/gateway/contract/operations";
import { localVerdict } from "../../../../../lib/gateway/codec/verdict";
import { readRecipients, splitParts } from "../../../../../lib/runtime/send/parts/message-parts";
import { LIMITS } from "../../../../../lib/shared/fields/limits";
import { NO_RULES } from "../../../../../lib/store/guards/request-rules";
import { setLanguage } from "../../../../../lib/texts/say";

describe("the part of invalid recipients", () => {
  afterEach(() => setLanguage(() => "en-US"));

  it("requests a default country when most numbers are national", async () => {
    const faultOf = async (recipients: readonly string[], country?: string) => {
      const parsed = await readRecipients(recipients, country);
      const [part] = splitParts(OPERATIONS["sms-form"], parsed, { leaving: [], held: [] });
      return part?.fault;
    };
    const fault = await faultOf(["079 100 00 01", "0761000002", "x"]);
    assert.equal(fault?.statusName, "NO_DEFAULT_COUNTRY");
    assert.equal(fault.outcome, "rejected");
    assert.match(fault.advice ?? "", /^Open the account and choose a “Default country”/);
    assert.match(fault.statusMessage, /'x': A phone number contains only digits/);
    assert.equal((await faultOf(["0791000001", "x"]))?.statusName, "RECIPIENTS_INVALID");
    assert.equal((await faultOf(["+0791000001"]))?.statusName, "RECIPIENTS_INVALID");
    assert.equal((await faultOf(["0123"], "CH"))?.statusName, "RECIPIENTS_INVALID");
  });
});

describe("the parts of a message", () => {
  const numbers = (count: number, from = 0): string[] =>
    Array.from({ length: count }, (_, at) => String(41790000000 + from + at));

  it("groups recipients by rules: requests, blocked parts, then invalid entries", () => {
    const size = LIMITS.recipientsPerRequest;
    const zurich = { ...NO_RULES, zone: "Europe/Zurich" };
    const london = { ...NO_RULES, zone: "Europe/London" };
    const fault = localVerdict("OPTED_OUT");
    const rejected = [{ value: "x", position: null, explanation: { key: "too-short" } }] as never;
    const parts = splitParts(
      OPERATIONS["sms-form"],
      { rejected },
      {
        leaving: [
          { recipients: numbers(size + 1), rules: zurich },
          { recipients: numbers(2, 5000), rules: london },
        ],
        held: [{ recipients: numbers(3, 9000), verdict: fault }],
      },
    );
    assert.deepEqual(
      parts.map(({ recipients, rules }) => [recipients.length, rules.zone]),
      [
        [size, "Europe/Zurich"],
        [1, "Europe/Zurich"],
        [2, "Europe/London"],
        [3, null],
        [1, null],
      ],
    );
    assert.deepEqual(
      parts.map(({ index, fault: why, invalid }) => [index, why?.statusName ?? null, invalid]),
      [
        [0, null, false],
        [1, null, false],
        [2, null, false],
        [3, "OPTED_OUT", false],
        [4, "RECIPIENTS_INVALID", true],
      ],
    );
    assert.equal(parts[0]?.rules, zurich);
  });
});
