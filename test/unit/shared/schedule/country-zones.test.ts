import assert from "node:assert/strict";
import { COUNTRIES } from "../../../../lib/shared/recipients/phone-number";
import { COUNTRY_ZONES } from "../../../../lib/shared/schedule/country-zones";
import { isZone } from "../../../../lib/shared/schedule/zoned-time";

describe("time zones of countries", () => {
  it("lists zones of the runtime for countries with phone numbers", () => {
    assert.equal(COUNTRY_ZONES.size, 226);
    for (const [country, zone] of COUNTRY_ZONES) {
      assert.ok(COUNTRIES.has(country), country);
      assert.ok(isZone(zone), `${country}: ${zone}`);
    }
  });

  it("omits only countries with several times", () => {
    const several = "AU BR CA CD CL EC ES FM GL ID KI MN MX NZ PF PG PT RU US";
    assert.deepEqual(
      [...COUNTRIES].filter((country) => !COUNTRY_ZONES.has(country)).sort(),
      several.split(" "),
    );
  });

  it("names the zone of the capital", () => {
    const zones = ["CH", "CN", "IN", "AR"].map((country) => COUNTRY_ZONES.get(country));
    const expected = ["Europe/Zurich", "Asia/Shanghai", "Asia/Kolkata", "America/Argentina/Buenos_Aires"];
    assert.deepEqual(zones, expected);
  });
});
