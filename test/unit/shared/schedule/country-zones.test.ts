import assert from "node:assert/strict";
import { COUNTRIES } from "../../../../lib/shared/recipients/phone-number";
import { COUNTRY_ZONES } from "../../../../lib/shared/schedule/country-zones";
import { isZone, wallTime } from "../../../../lib/shared/schedule/zoned-time";

const HOUR = 3_600_000;

describe("time zones of countries", () => {
  it("are zones of the runtime, of countries with phone numbers", () => {
    assert.equal(COUNTRY_ZONES.size, 226);
    for (const [country, zone] of COUNTRY_ZONES) {
      assert.ok(COUNTRIES.has(country), country);
      assert.ok(isZone(zone), `${country}: ${zone}`);
    }
  });

  it("are missing where a country has several times, and only there", () => {
    const several = "AU BR CA CD CL EC ES FM GL ID KI MN MX NZ PF PG PT RU US";
    assert.deepEqual(
      [...COUNTRIES].filter((country) => !COUNTRY_ZONES.has(country)).sort(),
      several.split(" "),
    );
  });

  for (const [country, zone] of Object.entries({
    CH: "Europe/Zurich",
    DE: "Europe/Berlin",
    CN: "Asia/Shanghai",
    IN: "Asia/Kolkata",
    AR: "America/Argentina/Buenos_Aires",
    XK: "Europe/Belgrade",
    PR: "America/Puerto_Rico",
    NP: "Asia/Kathmandu",
  })) {
    it(`is ${zone} for ${country}`, () => {
      assert.equal(COUNTRY_ZONES.get(country), zone);
    });
  }

  /** Other zones of countries that have one here. */
  const SAME: readonly (readonly [country: string, ...others: string[]])[] = [
    ["AR", "America/Argentina/Ushuaia", "America/Argentina/Salta", "America/Argentina/Mendoza"],
    ["CY", "Asia/Famagusta"],
    ["DE", "Europe/Busingen"],
    ["KZ", "Asia/Aqtau", "Asia/Aqtobe", "Asia/Atyrau", "Asia/Oral", "Asia/Qostanay", "Asia/Qyzylorda"],
    ["MH", "Pacific/Kwajalein"],
    ["MY", "Asia/Kuching"],
    ["PS", "Asia/Gaza"],
    ["UZ", "Asia/Samarkand"],
  ];

  for (const [country, ...others] of SAME) {
    it(`has the same time for all of ${country} from 2026 to 2030`, () => {
      const zone = COUNTRY_ZONES.get(country) as string;
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2031, 0, 1); at += 11 * HOUR) {
        for (const other of others) {
          assert.deepEqual(
            wallTime(at, other),
            wallTime(at, zone),
            `${other} at ${new Date(at).toISOString()}`,
          );
        }
      }
    });
  }
});
