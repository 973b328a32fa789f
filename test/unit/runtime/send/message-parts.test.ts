import assert from "node:assert/strict";
import { OPERATIONS } from "../../../../lib/gateway/contract/operations";
import { readRecipients, splitParts } from "../../../../lib/runtime/send/message-parts";
import { setLanguage } from "../../../../lib/texts/say";

async function rejectedPart(recipients: unknown, defaultCountry?: string) {
  const parsed = await readRecipients(recipients, defaultCountry);
  const parts = splitParts(OPERATIONS["sms-form"], parsed, { allowed: parsed.accepted, held: [] });
  return { recipients: parts.at(-1)?.recipients, text: parts.at(-1)?.fault?.statusMessage };
}

describe("the part of invalid recipients", () => {
  afterEach(() => setLanguage(() => "en-US"));

  it("names the first five with their reasons and counts the others", async () => {
    const { recipients, text } = await rejectedPart(["Anna", null, "12", {}, 1e300, "x", "y"]);
    assert.deepEqual(recipients, ["Anna", "null (entry 2)", "12", "object (entry 4)", "1e+300", "x", "y"]);
    assert.match(
      text ?? "",
      /'Anna': A phone number .* contains “A” \(U\+0041\)\.; 'null \(entry 2\)': This entry/,
    );
    assert.match(
      text ?? "",
      /'object \(entry 4\)': A recipient must .*; '1e\+300': JavaScript .*; and 2 more\)$/,
    );
    assert.match((await rejectedPart("a,b,c,d,e,f")).text ?? "", /; and 1 more\)$/);
  });

  it("is in Node-RED's language", async () => {
    const read = readRecipients(["Anna", null, "0791234567", {}, 1e300, "x"], "XX");
    setLanguage(() => "de");
    const parsed = await read;
    const [part] = splitParts(OPERATIONS["sms-form"], parsed, { allowed: parsed.accepted, held: [] });
    assert.deepEqual(part?.recipients[1], "null (Eintrag 2)");
    assert.match(
      part?.fault?.statusMessage ?? "",
      /'Anna': Eine Telefonnummer .* enthält „A“ \(U\+0041\)\.; 'null \(Eintrag 2\)': Dieser Eintrag .*; '0791234567': Eine Nummer ohne \+ .* Das Standardland muss .*; und 1 weiterer\)$/,
    );
  });
});
