import assert from "node:assert/strict";
import { searchedNumber } from "../../../../../lib/runtime/store/history/searched-number";

describe("a number that is searched for", () => {
  const ROWS: readonly (readonly [typed: string, country: string, digits: string | null])[] = [
    ["+41 79 123 45 67", "", "41791234567"],
    ["0041791234567", "", "41791234567"],
    ["41791234567", "", "41791234567"],
    ["+41 (0)79 123 45 67", "", "41791234567"],
    ["+41-79/123.45.67", "", "41791234567"],
    ["+41 079 123 45 67", "", "41791234567"],
    ["410791234567", "", "41791234567"],
    ["4100", "", "4100"],
    ["\u202d+41\u00a079 123 45 67\u202c", "", "41791234567"],
    ["079 123 45 67", "CH", "41791234567"],
    // Without a country, digits are compared as they are.
    ["079 123 45 67", "", "0791234567"],
    ["079 123 45 67", "no country", "0791234567"],
    ["12345", "CH", "12345"],
    ["Ada", "", null],
    ["  ", "", null],
    ["+", "CH", null],
    ["%", "", null],
  ];
  for (const [typed, country, digits] of ROWS) {
    it(`${JSON.stringify(typed)}${country && ` in ${country}`} is ${digits ?? "none"}`, () => {
      assert.equal(searchedNumber(typed, country), digits);
    });
  }
});
