import assert from "node:assert/strict";
import { isPlainHttp } from "../../../../lib/shared/network/address-fault";

describe("plain http", () => {
  const rows: readonly (readonly [address: string, plain: boolean])[] = [
    ["http://hooks.example.com/x", true],
    ["http://192.168.1.7:1880", true],
    ["http://[2001:db8::1]/", true],
    ["http://localhost.example.com", true],
    ["https://hooks.example.com", false],
    ["http://localhost:1880", false],
    ["http://127.0.0.1:1880/x", false],
    ["http://[::1]:1880", false],
    ["", false],
  ];
  for (const [address, plain] of rows) {
    it(`${plain ? "includes" : "excludes"} ${JSON.stringify(address)}`, () => {
      assert.equal(isPlainHttp(address), plain);
    });
  }
});
